export { batches } from './batches.ts'
export { type Backfill, ContactConditions, PerHour, defaultPerHour } from './backfill.ts'
export { enableAutomation } from './changes/enable-automation.ts'
export { storedReach } from './change-backfill.ts'
export { BackfillStatusChanged } from './events.ts'
export { leftOutFor, sharedRecipient } from './freeze.ts'
export { lockBackfill } from './queries.ts'
export {
  type Run,
  addRun,
  cancelRun,
  changeRunPace,
  pauseRun,
  renewRun,
  rescheduleRun,
  resumeRun,
  unscheduleRun,
} from './run.ts'
export { scanContacts, soughtOf } from './scan-contacts.ts'
