export { addCall } from './add-call.ts'
export { cancelCall } from './cancel-call.ts'
export { type CallRow, type Disposition, type TranscriptTurn, dispositions, sentiments } from './call.ts'
export { CallClassified, CallCompleted, CallUpdated } from './events.ts'
export type { CallPatch } from './change-call.ts'
export {
  assignCalls,
  findCall,
  findTranscript,
  listCallsWithoutSummary,
  listWaitingCalls,
} from './queries.ts'
export { saveSummary } from './save-summary.ts'
export type { CallDependencies } from './ports.ts'
export { testConnection } from './connections/test-connection.ts'
