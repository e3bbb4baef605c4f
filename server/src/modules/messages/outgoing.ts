import type { Outgoing } from '#kernel/outgoing.ts'
import { messageRemovals } from './erasure/jobs.ts'
import { countRemovals } from './erasure/removal-queries.ts'
import { countHeldMessages, dropHeldMessages } from './outbox/review-held.ts'

export const outgoingMessages: Outgoing = {
  name: 'messages',
  what: 'Texts, WhatsApp messages, and emails',
  tables: ['outbox', 'messages'],
  workers: ['send-messages'],
  released: 'Texts that Twilio turns out to have become sent. Everything else leaves.',
  dropped: 'They are cancelled. An email in an unclear state is not sent again.',
  scope: 'workspace',
  count: countHeldMessages,
  drop: dropHeldMessages,
}

export const outgoingMessageRemovals: Outgoing = {
  name: 'message_removals',
  what: 'Removals of erased messages at their providers',
  tables: ['message_removals'],
  workers: [messageRemovals.name],
  released: 'They are made.',
  dropped: 'They are made: an erasure stands, and repeating one does no harm.',
  scope: 'workspace',
  count: ({ db }) => countRemovals(db),
}
