export { requireEventNames, theCredential, theWebhook } from './event-names.ts'
export { presentEventType, presentJournalEvent } from './schemas.ts'
export { momentOf } from './since.ts'
