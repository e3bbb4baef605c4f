import { Type } from 'typebox'
import { event } from '#kernel/events/event.ts'
import { nullable } from '#kernel/schemas.ts'

/** The channels of messages, with the names that timelines show. */
const channels = { SMS: 'Text', WHATSAPP: 'WhatsApp message', EMAIL: 'Email' }
const Channel = Type.Enum(['SMS', 'WHATSAPP', 'EMAIL'])

/** Events leave out the text of a message. Those who may read it retrieve it by its id. */
const message = {
  id: Type.String({ description: 'The message. Use this ID to read its text.' }),
  contact_id: nullable(Type.String({ description: 'Null if no contact has the address.' })),
  channel: Channel,
  ai_generated: Type.Boolean({ description: 'Whether the AI wrote it.' }),
  from: Type.Optional(Type.String({ description: 'A masked phone number or email address.' })),
  to: Type.Optional(Type.String({ description: 'A masked phone number or email address.' })),
}

const contact_id = 'cmi8h2k5p0001zq8r4t6w9x3y'

export const MessageReceived = event('message.received', {
  scope: 'messages:read',
  summary: 'A text, WhatsApp message or email was received',
  subject: 'message',
  data: Type.Object(message),
  example: {
    id: 'cmi8h5d1w0004p8k3j6q2z9a7',
    contact_id,
    channel: 'SMS',
    ai_generated: false,
    from: '+1******0123',
    to: '+1******0188',
  },
  personal: ['from', 'to'],
  timelineOf: (data) => data.contact_id,
  entry: ({ channel }) => ({ type: 'message', title: `${channels[channel]} received` }),
})

export const MessageSent = event('message.sent', {
  scope: 'messages:read',
  summary: 'A message was sent, written by a person or by the AI',
  subject: 'message',
  data: Type.Object({
    ...message,
    source: Type.Enum(['user', 'api', 'automation', 'campaign', 'ai'], {
      description:
        'What sent the message. `api` lets an integration ignore its own. More values may be added.',
    }),
  }),
  example: {
    id: 'cmi8h5f4y0005m1v7t3x8c2d6',
    contact_id,
    channel: 'SMS',
    ai_generated: true,
    source: 'ai',
    from: '+1******0188',
    to: '+1******0123',
  },
  personal: ['from', 'to'],
  timelineOf: (data) => data.contact_id,
  entry: ({ channel, ai_generated }) => ({
    type: 'message',
    title: `${channels[channel]} sent${ai_generated ? ', written by the AI' : ''}`,
  }),
})
