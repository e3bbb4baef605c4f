import { orNotFound } from '#kernel/errors.ts'
import { type Provide, created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { countEndpoint, listEndpoint } from '#kernel/http/list-endpoint.ts'
import { Approval, approveMessage, planApproval } from './approval/approve-message.ts'
import { cancelMessage } from './cancel-message.ts'
import { findConversation } from './conversations/conversation-queries.ts'
import { conversationRecord } from './conversations/conversation.ts'
import { MessageDraft, PreflightDraft } from './draft.ts'
import { blockedError, blockedMembers } from './errors.ts'
import { conversationFilters, listConversations, listMessages, messageFilters } from './inbox-queries.ts'
import { storeMedia } from './media/store-media.ts'
import { planMessage } from './plan-message.ts'
import type { MessageDependencies } from './ports.ts'
import { Preflight, preflight } from './preflight.ts'
import { MessageShown, presentMessage } from './present-message.ts'
import { findMessage } from './queries.ts'
import { planResend, resendMessage } from './resend-message.ts'
import { sendMessage } from './send-message.ts'

const missing =
  'The contact in `contact_id`, the sender in `from`, or the message in `reply_to_message_id` does not exist in this workspace.'

export const getMessages = listEndpoint('GET /messages', {
  scope: 'messages:read',
  summary: 'List messages',
  description: 'Newest first. Includes messages that were sent, received, and blocked.',
  item: MessageShown,
  filters: messageFilters,
  rows: (ctx, { query, page }) => listMessages(ctx.db, query, page, ctx.masked),
  present: presentMessage,
})

export const getMessageCount = countEndpoint(getMessages)

export const postMessage = endpoint('POST /messages', {
  scope: 'messages:send',
  sufficientScope: 'messages:send_only',
  summary: 'Send a message',
  description:
    'Sends a text, a WhatsApp message, or an email. Every message passes the compliance gates twice: when it is accepted and when it is sent. No option skips them. If a gate forbids a message, the response is a 422 with the reason, and Gable keeps the attempt in the inbox. When you get the response, the message is on its way but not delivered yet; `status` shows its progress. Gable adds the postal address of the workspace and an unsubscribe link to the end of marketing emails. With `messages:send_only`, the response has no `contact_id` and no `conversation_id`, even if they exist, and messages cannot be checked, read, or continued.',
  body: MessageDraft,
  responses: { 201: MessageShown },
  errors: {
    404: missing,
    422: blockedError,
  },
  errorMembers: { 422: blockedMembers },
  prepare: async (ctx, { body }, provide: Provide<MessageDependencies>) =>
    storeMedia(ctx, body, await planMessage(ctx, body, { isFromCaller: true }), provide),
  handle: async (ctx, { body }, plan) =>
    created(await presentMessage(await sendMessage(ctx, body, plan), ctx)),
})

export const postPreflight = endpoint('POST /messages/preflight', {
  scope: 'messages:send',
  summary: 'Check a message',
  description:
    'Returns whether the message could be sent now, gate by gate, with the local times that count and the law behind each rule. Without a text, the content gate is `skipped`. Sends and records nothing.',
  body: PreflightDraft,
  readOnly: true,
  responses: { 200: Preflight },
  errors: { 404: missing },
  prepare: (ctx, { body }) => preflight(ctx, body),
  handle: async (_, __, result) => ok(result),
})

export const getMessage = endpoint('GET /messages/{id}', {
  scope: 'messages:read',
  summary: 'Retrieve a message',
  description:
    '`status` says how far the message has come, `compliance` what the gates decided, and `error` why it failed. Poll it, or subscribe to the events of messages.',
  responses: { 200: MessageShown },
  handle: async (ctx, { params }) =>
    ok(await presentMessage(orNotFound(await findMessage(ctx.db, params.id)), ctx)),
})

export const postCancel = endpoint('POST /messages/{id}/cancel', {
  scope: 'messages:send',
  summary: 'Cancel a message',
  description: 'Cancels a message that is waiting to be sent or waiting for approval.',
  responses: { 200: MessageShown },
  errors: {
    409: '`message_not_cancellable`: an attempt to send the message has begun, or the message has been cancelled.',
  },
  handle: async (ctx, { params }) => ok(await presentMessage(await cancelMessage(ctx, params.id), ctx)),
})

export const postApprove = endpoint('POST /messages/{id}/approve', {
  scope: 'messages:send',
  summary: 'Approve and send a message of the AI',
  description:
    'Sends a message that is `pending_approval`, unchanged or with a text of your own. With your own text, the message is judged like any message from a person, and pauses the AI. If only the hours forbid the message, it becomes `scheduled` for when they begin. While the AI is paused, the response is a 422, and the message keeps waiting. To drop the message, cancel it.',
  body: Approval,
  responses: { 200: MessageShown },
  errors: {
    409: '`message_not_pending`: the message is not waiting for approval; `message_erased`: its content has been erased.',
    422: blockedError,
  },
  errorMembers: { 422: blockedMembers },
  prepare: (ctx, { params, body }) => planApproval(ctx, params.id, body),
  handle: async (ctx, _, approved) => ok(await presentMessage(await approveMessage(ctx, approved), ctx)),
})

export const postResend = endpoint('POST /messages/{id}/resend', {
  scope: 'messages:send',
  summary: 'Send a message again',
  description:
    'Sends the content of a message that is `failed`, `undelivered`, or `unknown` to the same recipient, from the same sender, as a new message with `resend_of`. The gates judge it like any other message. If the original is `unknown`, the person may get both.',
  responses: { 201: MessageShown },
  errors: {
    409: '`message_not_resendable`: the message has another status, Gable is still looking for it at the carrier, it has already been sent again, or its address no longer belongs to its contact; `message_erased`: its content has been erased.',
    422: blockedError,
  },
  errorMembers: { 422: blockedMembers },
  prepare: (ctx, { params }) => planResend(ctx, params.id),
  handle: async (ctx, _, resend) => created(await presentMessage(await resendMessage(ctx, resend), ctx)),
})

export const getConversations = listEndpoint('GET /conversations', {
  scope: 'messages:read',
  summary: 'List conversations',
  description:
    'Each conversation contains the messages between a sender of the workspace and an address. Newest first.',
  item: conversationRecord.Record,
  filters: conversationFilters,
  rows: (ctx, { query, page }) => listConversations(ctx.db, query, page, ctx.masked),
})

export const getConversationCount = countEndpoint(getConversations)

export const getConversation = endpoint('GET /conversations/{id}', {
  scope: 'messages:read',
  summary: 'Retrieve a conversation',
  description:
    'A conversation is what was exchanged with one person on one channel. For its messages, list messages with its ID.',
  responses: { 200: conversationRecord.Record },
  handle: async (ctx, { params }) => ok(orNotFound(await findConversation(ctx.db, params.id, ctx.masked))),
})
