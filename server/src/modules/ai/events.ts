import { Type } from 'typebox'
import { event } from '#kernel/events/event.ts'
import { ChannelSchema } from '../senders/public.ts'

/** The reasons for a handoff, and the wording that people read. */
export const handoffReasons = {
  asked: 'the contact asked for a person',
  unsure: 'the AI was unsure',
  angry: 'the contact is upset',
  legal: 'a legal question',
  lending: 'a question about a loan',
  other: 'the AI left it to a person',
  text_blocked: 'the AI wrote what it must not say',
  blocked: 'a gate forbids the message',
  model_down: 'the language model did not respond',
  malformed: 'the language model wrote what cannot be used',
  cut_off: 'the language model wrote more than it may',
  declined: 'the language model declined to respond',
  cap: 'the AI has written enough for a day',
  budget: 'the daily budget of the AI is spent',
  late: 'the AI was too late',
  off: 'the AI is off now, or outside of its hours',
  repeated: 'the contact repeats the same message',
  failed: 'the message could not be delivered',
  restored: 'the database was restored before the AI responded',
} as const
export type HandoffReason = keyof typeof handoffReasons

export const AiHandedOff = event('ai.handed_off', {
  scope: 'messages:read',
  summary: 'The AI handed off a conversation to a person',
  subject: 'conversation',
  data: Type.Object({
    id: Type.String({ description: 'The conversation.' }),
    contact_id: Type.String(),
    channel: ChannelSchema,
    persona_id: Type.String(),
    message_id: Type.String({ description: 'The message that the AI did not respond to.' }),
    reason: Type.Enum(Object.keys(handoffReasons) as HandoffReason[], {
      title: 'HandoffReason',
      description: 'More values may be added.',
    }),
  }),
  example: {
    id: 'cmi8h5a1c0001q7w3e5r8t2y6',
    contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y',
    channel: 'SMS',
    persona_id: 'cmi8h4v7t0002b6n9m1k3j5h7',
    message_id: 'cmi8h5d1w0004p8k3j6q2z9a7',
    reason: 'asked',
  },
  personal: [],
  timelineOf: (data) => data.contact_id,
  entry: ({ reason }) => ({ type: 'message', title: `The AI handed off: ${handoffReasons[reason]}` }),
})
