export { type RestoreHold, beginHold, findHold, noticedMs, watchHold } from './hold.ts'
export {
  endHold,
  findInstallationId,
  findLastBackup,
  findRestoredAt,
  holdingStatement,
  saveLastBackup,
  saveUncoveredFrom,
} from './queries.ts'
export { isOwnSecret, requireSecret, secretCheck, wrongSecret } from './secret-check.ts'
