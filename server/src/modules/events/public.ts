export { requireEventNames, theCredential, theWebhook } from './event-names.ts'
export { presentJournalEvent } from './schemas.ts'
export { momentOf } from './since.ts'
