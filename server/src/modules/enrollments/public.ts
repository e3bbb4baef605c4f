export {
  cancelWithOthers,
  changeEnrollment,
  pauseAfterCall,
  pauseWithOthers,
  resumeWithOthers,
} from './change-enrollment.ts'
export { type Batches, createEngine } from './engine/engine.ts'
export { type Hold, isHeld } from './engine/lane-queries.ts'
export { moveContacts } from './engine/move-contacts.ts'
export { runEngine } from './engine/run-engine.ts'
export { addEnrollment, enrollContact } from './enroll.ts'
export { type Enrollment, changeActions } from './enrollment.ts'
export { mayEnterAgain } from './entries/find-obstacles.ts'
export { factsOfEvent, loadFactsOfAll } from './facts/load-facts.ts'
export { appendToInbox } from './inbox/append.ts'
export { migrateEnrollment } from './migrate-enrollment.ts'
export {
  countConcerned,
  findActive,
  hasActive,
  listConcerned,
  listReachable,
  lockConcerned,
} from './queries.ts'
export { type ResumptionPace, paceFrom, paceOf } from './resumption.ts'
export { contextIn } from './steps/scene.ts'
export { windowOpening } from './steps/send-window.ts'
export { wordsFor } from './steps/words-for.ts'
