import { Type } from 'typebox'
import { event } from '#kernel/events/event.ts'
import { masked } from '#kernel/masking/masked.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'

const dispositions = [
  'appointment_set',
  'transferred',
  'callback_requested',
  'qualified',
  'interested',
  'nurture',
  'left_voicemail',
  'no_answer',
  'busy',
  'hung_up',
  'bad_number',
  'wrong_number',
  'not_interested',
  'has_agent',
  'do_not_call',
  'language_barrier',
  'other',
] as const

export const CallCompleted = event('call.completed', {
  scope: 'calls:read',
  summary: 'A call ended, held by a person or by the AI',
  subject: 'call',
  data: Type.Object({
    id: Type.String({ description: 'The call. Use this ID to read its transcript and recording.' }),
    contact_id: nullable(Type.String({ description: 'Null if no contact has the number.' })),
    direction: Type.Enum(['INBOUND', 'OUTBOUND']),
    handled_by: Type.Enum(['ai', 'human']),
    member_id: nullable(
      Type.String({ description: 'The member who took the call. Null if only the AI did.' }),
    ),
    disposition: Type.Union([Type.Enum(dispositions), Type.Null()], {
      description: 'The result of the call. Null until it is recorded. More values may be added.',
    }),
    started_at: Timestamp,
    ended_at: Timestamp,
    duration_seconds: Type.Integer({
      minimum: 0,
      description: 'The duration of the conversation. 0 if no one took the call.',
    }),
    from: Type.Optional(masked('phone', Type.String())),
    to: Type.Optional(masked('phone', Type.String())),
    summary: Type.Optional(
      masked(
        'text',
        nullable(Type.String({ description: 'A summary of the conversation. Null if there is none.' })),
      ),
    ),
  }),
  example: {
    id: 'cmi8h6k2b0006f4r9w1y5g3h8',
    contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y',
    direction: 'INBOUND',
    handled_by: 'ai',
    member_id: null,
    disposition: 'appointment_set',
    started_at: '2026-11-20T20:08:55.310Z',
    ended_at: '2026-11-20T20:12:40.090Z',
    duration_seconds: 219,
    from: '+1******0123',
    to: '+1******0188',
    summary: 'Wants to see the house on Elm Street; a showing on Tuesday was agreed.',
  },
  personal: ['from', 'to', 'summary'],
  timelineOf: (data) => data.contact_id,
  entry: ({ direction, handled_by, disposition }) => {
    const call = `${direction === 'INBOUND' ? 'Incoming' : 'Outgoing'} call`
    const outcome = disposition === null ? '' : `: ${disposition.replaceAll('_', ' ')}`
    return { type: 'call', title: `${call}${handled_by === 'ai' ? ', handled by the AI' : ''}${outcome}` }
  },
})
