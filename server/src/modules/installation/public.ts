export { type RestoreHold, beginHold, findHold, startWhenReleased } from './hold.ts'
export { endHold, findLastBackup, holdingStatement, saveLastBackup, saveUncoveredFrom } from './queries.ts'
export { isOwnSecret, requireSecret, secretCheck, wrongSecret } from './secret-check.ts'
