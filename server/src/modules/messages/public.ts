export { connectSimulatedSenders } from './connect-senders.ts'
export { dropPending } from './cancel-message.ts'
export { ComplianceBlocked } from './errors.ts'
export {
  MessageApproved,
  MessageBlocked,
  MessageCancelled,
  MessageFailed,
  MessageReceived,
  MessageSent,
  MessageUnknown,
} from './events.ts'
export type { MessageDraft } from './draft.ts'
export { receiveMessage } from './inbound/receive-message.ts'
export { cancelUnsent } from './outbox/cancel-waiting.ts'
export { unqueueMessages } from './outbox/queue-queries.ts'
export { planMessage } from './plan-message.ts'
export { type Message, messageRecord } from './message.ts'
export {
  countAiMessages,
  findConversation,
  findMessage,
  keepSuggestion,
  listMessagesOfContact,
  lockMessage,
} from './queries.ts'
export { type Refreshed, refreshConnection } from './registration/refresh-senders.ts'
export { reportStatus } from './report-status.ts'
export { sendMessage } from './send-message.ts'
