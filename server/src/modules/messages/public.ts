export { approvalMs } from './drop-unapproved.ts'
export { complianceOf } from './compliance-of.ts'
export { findConversation, findLastExchange, saveSuggestion } from './conversations/conversation-queries.ts'
export { connectSimulatedSenders } from './connect-senders.ts'
export type { MessageDraft, PreflightDraft } from './draft.ts'
export {
  InvitationResponded,
  MessageApproved,
  MessageBlocked,
  MessageCancelled,
  MessageFailed,
  MessageReceived,
  MessageSent,
  MessageUnknown,
} from './events.ts'
export { dropPending } from './cancel-message.ts'
export { ComplianceBlocked, blockedError, blockedMembers } from './errors.ts'
export { findSendFacts } from './facts.ts'
export { holdMessagesOf, releaseMessagesOf } from './audience/hold-campaign.ts'
export { judgeSends } from './audience/judge-sends.ts'
export { countCampaignResponses, isUnderWay, listUnsentOf } from './audience/queries.ts'
export { receiveMessage, storable } from './inbound/receive-message.ts'
export { asReceived } from './inbound/received-late.ts'
export { cancelUnsent, cancelWaiting } from './queue/cancel-waiting.ts'
export { lockContactsOfForShare } from './queue/lock-contacts.ts'
export { listDue, unqueueMessages } from './queue/queries.ts'
export { ofContact } from './inbox-queries.ts'
export { findHolder } from './find-holder.ts'
export { type Addressee, type OwnPart, addresseeOf, authorshipOf, planMessage } from './plan-message.ts'
export type { AccountTest, Failure, InboundUrl, SendOutcome } from './ports.ts'
export { exampleVerdict, shownVerdict, verdictMembers } from './preflight.ts'
export { MessageShown, presentMessage } from './present-message.ts'
export { findRecipient } from './recipient.ts'
export {
  Compliance,
  type Message,
  directions,
  isWithheld,
  messageRecord,
  withheld,
  isWithoutWords,
} from './message.ts'
export {
  assignMessages,
  countAiMessages,
  countUnverified,
  findMessageOfAttempt,
  findMessage,
  listMessagesOfContact,
  listUnassigned,
  listVerifiedOfContact,
  lockMessage,
} from './queries.ts'
export { reviewHeldMessages, sweepAllConnections } from './outbox/review-held.ts'
export { reportStatus } from './report-status.ts'
export { sendMessage } from './send-message.ts'
