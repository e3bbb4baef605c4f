import { found } from '#kernel/errors.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { listEndpoint } from '#kernel/http/list-endpoint.ts'
import { Approval, approveMessage, planApproval } from './approval/approve-message.ts'
import { cancelMessage } from './cancel-message.ts'
import { findConversation } from './conversations/conversation-queries.ts'
import { conversationRecord } from './conversations/conversation.ts'
import { MessageDraft } from './draft.ts'
import { blockedError, blockedMembers } from './errors.ts'
import { conversationFilters, listConversations, listMessages, messageFilters } from './inbox-queries.ts'
import { messageRecord, presentMessage } from './message.ts'
import { planMessage } from './plan-message.ts'
import { Preflight, preflight } from './preflight.ts'
import { findMessage } from './queries.ts'
import { planResend, resendMessage } from './resend-message.ts'
import { sendMessage } from './send-message.ts'

const missing =
  'The contact in `contact_id`, the sender in `from` or the message in `reply_to_message_id` does not exist in this workspace.'

export const getMessages = listEndpoint('GET /messages', {
  scope: 'messages:read',
  summary: 'List messages',
  description: 'Newest first: what was sent, received, and blocked.',
  item: messageRecord.Record,
  filters: messageFilters,
  rows: (ctx, { query, page }) => listMessages(ctx.db, query, page),
  present: presentMessage,
})

export const postMessage = endpoint('POST /messages', {
  scope: 'messages:send',
  summary: 'Send a message',
  description:
    'Sends a text, a WhatsApp message or an email. Every message passes the compliance gates, when it is accepted and again when it leaves; no option skips them. A message that a gate forbids gets a 422 with the reason, and the attempt is kept in the inbox. The message is on its way with the response and not yet delivered: `status` says how far it has come. A marketing email leaves with the postal address of the workspace and a link to unsubscribe at its end.',
  body: MessageDraft,
  responses: { 201: messageRecord.Record },
  errors: {
    404: missing,
    422: blockedError,
  },
  errorMembers: { 422: blockedMembers },
  prepare: (ctx, { body }) => planMessage(ctx, body),
  handle: async (ctx, { body }, plan) => created(presentMessage(await sendMessage(ctx, body, plan))),
})

export const postPreflight = endpoint('POST /messages/preflight', {
  scope: 'messages:send',
  summary: 'Check a message',
  description:
    'Returns whether the message could be sent now, gate by gate, with the local times that count and the law behind each rule. Sends and records nothing.',
  body: MessageDraft,
  responses: { 200: Preflight },
  errors: { 404: missing },
  prepare: (ctx, { body }) => preflight(ctx, body),
  handle: async (_, __, result) => ok(result),
})

export const getMessage = endpoint('GET /messages/{id}', {
  scope: 'messages:read',
  summary: 'Retrieve a message',
  responses: { 200: messageRecord.Record },
  handle: async (ctx, { params }) => ok(presentMessage(found(await findMessage(ctx.db, params.id)))),
})

export const postCancel = endpoint('POST /messages/{id}/cancel', {
  scope: 'messages:send',
  summary: 'Cancel a message',
  description: 'Cancels a message that waits to be sent, or for approval.',
  responses: { 200: messageRecord.Record },
  errors: {
    409: '`message_not_cancellable`: an attempt to send it has begun, or it has been cancelled.',
  },
  handle: async (ctx, { params }) => ok(presentMessage(await cancelMessage(ctx, params.id))),
})

export const postApprove = endpoint('POST /messages/{id}/approve', {
  scope: 'messages:send',
  summary: 'Send a message that the AI wrote',
  description:
    'Sends a message that is `pending_approval`, as it is or with another text, which is then judged as that of a person, and pauses the AI like any. Where nothing but the hours forbids it, it is `scheduled` for when they begin. While the AI is paused the 422 leaves it as it is. To drop it, cancel it.',
  body: Approval,
  responses: { 200: messageRecord.Record },
  errors: {
    409: '`message_not_pending`: the message does not wait for approval; `message_erased`: what it said has been erased.',
    422: blockedError,
  },
  errorMembers: { 422: blockedMembers },
  prepare: (ctx, { params, body }) => planApproval(ctx, params.id, body),
  handle: async (ctx, _, approved) => ok(presentMessage(await approveMessage(ctx, approved))),
})

export const postResend = endpoint('POST /messages/{id}/resend', {
  scope: 'messages:send',
  summary: 'Send a message again',
  description:
    'Sends the content of a message that is `failed`, `undelivered` or `unknown` to the same recipient, from the same sender, as a new message with `resend_of`. It is judged like any other. Of a message that is `unknown`, the person may get both.',
  responses: { 201: messageRecord.Record },
  errors: {
    409: '`message_not_resendable`: the message has another status, is still looked for at the carrier, has been sent again already, or its address is no longer one of its contact; `message_erased`: what it said has been erased.',
    422: blockedError,
  },
  errorMembers: { 422: blockedMembers },
  prepare: (ctx, { params }) => planResend(ctx, params.id),
  handle: async (ctx, _, resend) => created(presentMessage(await resendMessage(ctx, resend))),
})

export const getConversations = listEndpoint('GET /conversations', {
  scope: 'messages:read',
  summary: 'List conversations',
  description:
    'Each is what a sender of the workspace and an address have written to each other. Newest first.',
  item: conversationRecord.Record,
  filters: conversationFilters,
  rows: (ctx, { query, page }) => listConversations(ctx.db, query, page),
})

export const getConversation = endpoint('GET /conversations/{id}', {
  scope: 'messages:read',
  summary: 'Retrieve a conversation',
  responses: { 200: conversationRecord.Record },
  handle: async (ctx, { params }) => ok(found(await findConversation(ctx.db, params.id))),
})
