export { type HoldWatch, type RestoreHold, beginHold, findHold, noticedMs, watchHold } from './hold.ts'
export {
  copiedStatement,
  endHold,
  findInstallationIds,
  findLastBackup,
  findRestoredAt,
  findWorkers,
  holdingStatement,
  saveCoveredSpan,
  saveLastBackup,
} from './queries.ts'
export { recordClock } from './worker-clock.ts'
export { isOwnSecret, requireSecret, secretCheck, wrongSecret } from './secret-check.ts'
