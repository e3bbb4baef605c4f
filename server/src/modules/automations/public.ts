export type { Automation } from './automation.ts'
export { type Backfill, ContactConditions, PerHour, defaultPerHour } from './backfill/backfill.ts'
export { BackfillStatusChanged } from './backfill/events.ts'
export { leftOutFor, sharedRecipient } from './backfill/freeze.ts'
export { lockBackfill } from './backfill/queries.ts'
export { scanContacts, soughtOf } from './backfill/scan-contacts.ts'
export { changeEnrollment, pauseAfterCall } from './change-enrollment.ts'
export { requireConditions } from './definition/definition-issues.ts'
export { SendWindow } from './definition/step-schemas.ts'
export { fillText, placeholderIssues } from './definition/placeholders.ts'
export { draftOfSend } from './definition/send-draft.ts'
export { createEngine } from './engine/engine.ts'
export { moveContacts } from './engine/move-contacts.ts'
export { contextIn } from './engine/scene.ts'
export { windowOpening } from './engine/send-window.ts'
export { wordsFor } from './engine/words-for.ts'
export { enrollContact } from './enroll.ts'
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
} from './runs/run.ts'
export { listAllAutomations } from './queries.ts'
export { enableAutomation, publishAutomation } from './save-automation.ts'
