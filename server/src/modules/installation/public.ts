export { type RestoreHold, beginHold, findHold, noticedMs, watchHold } from './hold.ts'
export {
  copiedStatement,
  endHold,
  findInstallationIds,
  findLastBackup,
  findRestoredAt,
  holdingStatement,
  saveLastBackup,
  saveUncoveredFrom,
} from './queries.ts'
export { isOwnSecret, requireSecret, secretCheck, wrongSecret } from './secret-check.ts'
