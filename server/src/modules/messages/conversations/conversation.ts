import { type Static, Type } from 'typebox'
import { masked } from '#kernel/masking/masked.ts'
import { readOnly } from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import { ChannelSchema } from '../../senders/public.ts'

const time = nullable(Timestamp)

const Suggestion = Type.Object(
  {
    persona_id: Type.String(),
    text: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
  },
  { description: "The AI's suggested response to the last message. The next message removes it." },
)
export type Suggestion = Static<typeof Suggestion>

const fields = {
  sender_id: readOnly(Type.String({ description: 'The sender of the workspace.' }), ''),
  channel: readOnly(ChannelSchema, 'SMS'),
  address: readOnly(
    masked('text', nullable(Type.String({ description: 'The number or address of the other side.' }))),
    null,
  ),
  contact_id: readOnly(nullable(Type.String({ description: 'Null if no contact has the address.' })), null),
  last_message_id: readOnly(Type.String(), ''),
  last_message_at: readOnly(Timestamp, ''),
  last_inbound_at: readOnly(time, null),
  last_outbound_at: readOnly(time, null),
  suggestion: readOnly(masked('text', Type.Union([Suggestion, Type.Null()])), null),
}

export const conversationRecord = defineRecord('Conversation', {
  fields,
  example: {},
  patchExample: {},
  shownExample: {
    sender_id: 'cmi8h4z9x0000a1s5d8f2g6h3',
    address: '+1******0123',
    contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y',
    last_message_id: 'cmi8h5d1w0004p8k3j6q2z9a7',
    last_message_at: '2026-11-20T20:11:04.817Z',
    last_inbound_at: '2026-11-20T20:11:04.817Z',
  },
})
