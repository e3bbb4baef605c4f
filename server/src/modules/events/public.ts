export { presentEventType, presentJournalEvent } from './schemas.ts'
export { firstIdSince, momentOf } from './since.ts'
