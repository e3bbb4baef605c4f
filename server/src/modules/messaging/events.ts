import { Type } from 'typebox'
import { event } from '#kernel/events/event.ts'
import { nullable } from '#kernel/schemas.ts'

/** Channels of a message, with what one is called on a timeline. */
const channels = { SMS: 'Text', WHATSAPP: 'WhatsApp message', EMAIL: 'E-mail' }
const Channel = Type.Enum(['SMS', 'WHATSAPP', 'EMAIL'])

/** What a message says is not told: whoever may read it fetches it by its id. */
const message = {
  id: Type.String({ description: 'The message; its text is read by this id.' }),
  contact_id: nullable(Type.String({ description: 'Null when no contact has the address.' })),
  channel: Channel,
  ai_generated: Type.Boolean({ description: 'Whether the AI wrote it.' }),
  from: Type.Optional(Type.String({ description: 'Phone number or e-mail address, masked.' })),
  to: Type.Optional(Type.String({ description: 'Phone number or e-mail address, masked.' })),
}

const contact_id = 'cmi8h2k5p0001zq8r4t6w9x3y'

export const MessageReceived = event('message.received', {
  scope: 'messages:read',
  summary: 'A text, a WhatsApp message or an e-mail came in',
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
  summary: 'A message went out, written by a person or by the AI',
  subject: 'message',
  data: Type.Object({
    ...message,
    source: Type.Enum(['user', 'api', 'automation', 'campaign', 'ai'], {
      description: 'What sent it: `api` lets an integration pass over its own. Further values may be added.',
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
