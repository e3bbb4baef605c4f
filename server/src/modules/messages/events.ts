import { Type } from 'typebox'
import { event } from '#kernel/events/event.ts'
import { masked } from '#kernel/masking/masked.ts'
import { nullable } from '#kernel/schemas.ts'
import { ChannelSchema } from '../senders/public.ts'

/** The names of channels in timelines. */
const channels = { SMS: 'Text', WHATSAPP: 'WhatsApp message', EMAIL: 'Email' }

const address = masked('text', Type.String({ description: 'A phone number or email address.' }))

/** Events leave out the text of a message. Clients that may read it retrieve the message by its id. */
const message = {
  id: Type.String({ description: 'The message. Use this ID to read its text.' }),
  contact_id: nullable(Type.String({ description: 'Null if no contact has the address.' })),
  channel: ChannelSchema,
  ai_generated: Type.Boolean({ description: 'Whether the AI wrote it.' }),
  from: Type.Optional(address),
  to: Type.Optional(address),
}

const contact_id = 'cmi8h2k5p0001zq8r4t6w9x3y'

const senderVerified = Type.Union([Type.Boolean(), Type.Null()], {
  description:
    'For an email: whether its sender is verified. If false, anyone may have written it: do not act on it. Null for other messages.',
})
const unlessVerified = (verified: boolean | null | undefined) =>
  verified === false ? ', sender not verified' : ''

export const MessageReceived = event('message.received', {
  scope: 'messages:read',
  summary: 'A text, WhatsApp message or email was received',
  subject: 'message',
  data: Type.Object({
    ...message,
    automatic: Type.Boolean({
      description:
        'Whether a machine sent the message, such as an out-of-office reply. Do not respond to it.',
    }),
    sender_verified: senderVerified,
    asks_for: Type.Union(
      [
        Type.Enum(['opt_out', 'opt_in', 'help', 'wrong_number', 'review'], { title: 'RequestOfMessage' }),
        Type.Null(),
      ],
      {
        description:
          'The request in the message that Gable acts on, such as STOP. Null for any other message. More values may be added.',
      },
    ),
    reaction: Type.Union([Type.String(), Type.Null()], {
      description: 'The emoji, if the message is only a reaction to another. Do not respond to it.',
    }),
  }),
  example: {
    id: 'cmi8h5d1w0004p8k3j6q2z9a7',
    contact_id,
    channel: 'SMS',
    ai_generated: false,
    automatic: false,
    sender_verified: null,
    asks_for: null,
    reaction: null,
    from: '+1******0123',
    to: '+1******0188',
  },
  personal: ['from', 'to'],
  timelineOf: (data) => data.contact_id,
  entry: ({ channel, sender_verified, reaction }) => ({
    type: 'message',
    title:
      typeof reaction === 'string'
        ? `${channels[channel]} received: reacted ${reaction}`
        : `${channels[channel]} received${unlessVerified(sender_verified)}`,
  }),
})

const outbound = {
  ...message,
  source: Type.Enum(['user', 'api', 'automation', 'campaign', 'ai', 'system'], {
    title: 'OutboundMessageSource',
    description:
      'What sent the message. With `api`, an integration can ignore its own messages. More values may be added.',
  }),
  resend_of: Type.Optional(Type.String({ description: 'The message that it repeats, if any.' })),
}

const sent = {
  id: 'cmi8h5f4y0005m1v7t3x8c2d6',
  contact_id,
  channel: 'SMS' as const,
  ai_generated: true,
  source: 'ai' as const,
  from: '+1******0188',
  to: '+1******0123',
}

interface Outbound {
  channel: keyof typeof channels
  ai_generated: boolean
}
const entry = (what: string) => ({
  personal: ['from', 'to'],
  timelineOf: (data: { contact_id: string | null }) => data.contact_id,
  entry: ({ channel, ai_generated }: Outbound) => ({
    type: 'message',
    title: `${channels[channel]} ${what}${ai_generated ? ', written by the AI' : ''}`,
  }),
})

const scope = 'messages:read'

export const MessageSent = event('message.sent', {
  scope,
  summary: 'A message was sent, written by a person or by the AI',
  subject: 'message',
  data: Type.Object(outbound),
  example: sent,
  ...entry('sent'),
})

export const MessageBlocked = event('message.blocked', {
  scope,
  summary: 'A message was not sent because a compliance gate forbids it',
  subject: 'message',
  data: Type.Object({
    ...outbound,
    reason: Type.String({ description: 'The first of the reasons.' }),
    reasons: Type.Array(Type.String()),
  }),
  example: { ...sent, reason: 'opted_out', reasons: ['opted_out'] },
  ...entry('blocked'),
})

export const MessageCancelled = event('message.cancelled', {
  scope,
  summary: 'A message was cancelled before it was sent',
  subject: 'message',
  data: Type.Object(outbound),
  example: sent,
  ...entry('cancelled'),
})

const failure = {
  ...outbound,
  error: Type.Object(
    { code: Type.String(), carrier_code: nullable(Type.String()) },
    { description: 'The message includes what the provider said.' },
  ),
}

export const MessageApproved = event('message.approved', {
  scope: null,
  summary: 'A person sent a message that the AI wrote',
  subject: 'message',
  data: Type.Object({
    id: Type.String(),
    contact_id: nullable(Type.String()),
    edited: Type.Boolean({ description: 'Whether the person changed its text.' }),
  }),
  example: { id: sent.id, contact_id, edited: false },
  timelineOf: (data) => data.contact_id,
  entry: ({ edited }) => ({
    type: 'message',
    title: `Message of the AI ${edited ? 'edited and sent' : 'approved'}`,
  }),
})

export const MessageDelivered = event('message.delivered', {
  scope,
  summary: 'A message was delivered',
  subject: 'message',
  data: Type.Object(outbound),
  example: sent,
  ...entry('delivered'),
})

export const MessageFailed = event('message.failed', {
  scope,
  summary: 'A message could not be delivered',
  subject: 'message',
  data: Type.Object(failure),
  example: { ...sent, error: { code: 'recipient_unreachable', carrier_code: '30003' } },
  ...entry('failed'),
})

export const MessageUnknown = event('message.unknown', {
  scope,
  summary: 'Gable cannot find out whether a message was sent',
  subject: 'message',
  data: Type.Object(outbound),
  example: sent,
  ...entry('may not have been sent'),
})

/** The requests of people that Gable acts on, and how timelines show them. */
const wishes = {
  opt_out: 'Asked for no more messages',
  unsubscribe: 'Unsubscribed from marketing emails',
  opt_in: 'Asked for messages again',
  help: 'Asked for help',
  wrong_number: 'Reported a wrong number',
  review: 'Is not interested: a person should respond',
}

export const MessageClassified = event('message.classified', {
  scope: null,
  summary: 'A person made a request in a message, such as no more messages',
  subject: 'message',
  data: Type.Object({
    id: Type.String(),
    contact_id: nullable(Type.String()),
    action: Type.Enum(Object.keys(wishes) as (keyof typeof wishes)[]),
    sender_verified: senderVerified,
  }),
  example: { id: sent.id, contact_id, action: 'review', sender_verified: null },
  timelineOf: (data) => data.contact_id,
  entry: ({ action, sender_verified }) => ({
    type: 'consent',
    title: wishes[action] + unlessVerified(sender_verified),
  }),
})

export const InvitationResponded = event('message.invitation_responded', {
  scope: null,
  summary: 'A person responded to an invitation by email',
  subject: 'message',
  data: Type.Object({
    id: Type.String(),
    contact_id: nullable(Type.String()),
    appointment_id: Type.String({ description: 'The ID in the invitation, which anyone can write.' }),
    response: Type.Enum(['accepted', 'declined', 'tentative']),
  }),
  example: {
    id: sent.id,
    contact_id,
    appointment_id: 'cmi8h5d1w0004p8k3j6q2z9a7',
    response: 'accepted',
  },
  timelineOf: (data) => data.contact_id,
  entry: ({ response }) => ({ type: 'appointment', title: `Invitation ${response}` }),
})
