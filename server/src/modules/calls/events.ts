import { Type } from 'typebox'
import { event } from '#kernel/events/event.ts'
import { Timestamp } from '#kernel/schemas.ts'
import { callRecord } from './call.ts'

const { data, example } = callRecord.part([
  'id',
  'contact_id',
  'direction',
  'handled_by',
  'member_id',
  'status',
  'disposition',
  'started_at',
  'ended_at',
  'duration_seconds',
  'from',
  'to',
  'summary',
])
const { from, to, summary, ...rest } = data.properties

const call = {
  ...rest,
  from: Type.Optional(from),
  to: Type.Optional(to),
  summary: Type.Optional(summary),
}

const about = {
  scope: 'calls:read',
  subject: 'call',
  example,
  personal: ['from', 'to', 'summary'],
  timelineOf: ({ contact_id }: { contact_id: string | null }) => contact_id,
} as const

export const CallCompleted = event('call.completed', {
  ...about,
  summary: 'A call ended, whether a person or the AI handled it',
  data: Type.Object({
    ...call,
    started_at: Timestamp,
    ended_at: Timestamp,
    duration_seconds: Type.Integer({
      minimum: 0,
      description: 'The duration of the conversation. 0 if the call was not answered.',
    }),
  }),
  example: {
    ...example,
    started_at: '2026-11-20T20:08:55.310Z',
    ended_at: '2026-11-20T20:12:40.090Z',
    duration_seconds: 219,
  },
  entry: ({ direction, handled_by, disposition }) => {
    const what = `${direction === 'INBOUND' ? 'Incoming' : 'Outgoing'} call`
    const outcome = disposition === null ? '' : `: ${disposition.replaceAll('_', ' ')}`
    return { type: 'call', title: `${what}${handled_by === 'ai' ? ', handled by the AI' : ''}${outcome}` }
  },
})

const inside = {
  id: rest.id,
  contact_id: rest.contact_id,
  direction: rest.direction,
  handled_by: rest.handled_by,
}
const insideExample = {
  id: example.id,
  contact_id: example.contact_id,
  direction: example.direction,
  handled_by: example.handled_by,
}

/** Changes after `call.completed`, such as a summary. */
export const CallUpdated = event('call.updated', {
  ...about,
  summary: 'Details of a completed call changed, such as its summary',
  data: Type.Object({
    ...call,
    fields: Type.Array(Type.String(), {
      description: 'The names of the fields that changed, including `transcript` and `recording`.',
    }),
  }),
  example: { ...example, fields: ['summary', 'disposition'] },
  entry: () => ({ type: 'call', title: 'Call updated' }),
})

export const CallBlocked = event('call.blocked', {
  scope: 'calls:read',
  subject: 'call',
  timelineOf: about.timelineOf,
  summary: 'A call was not placed because a compliance gate forbids it',
  data: Type.Object({
    ...inside,
    reason: Type.String({ description: 'The first of the reasons.' }),
    reasons: Type.Array(Type.String()),
  }),
  example: { ...insideExample, direction: 'OUTBOUND', reason: 'opted_out', reasons: ['opted_out'] },
  entry: ({ handled_by }) => ({
    type: 'call',
    title: `Outgoing call blocked${handled_by === 'ai' ? ', of the AI' : ''}`,
  }),
})

export const CallCancelled = event('call.cancelled', {
  scope: 'calls:read',
  subject: 'call',
  timelineOf: about.timelineOf,
  summary: 'A waiting call was cancelled before it was placed',
  data: Type.Object(inside),
  example: { ...insideExample, direction: 'OUTBOUND' },
  entry: () => ({ type: 'call', title: 'Outgoing call cancelled' }),
})

/** Not shown on timelines: the call itself is, with its disposition. */
export const CallClassified = event('call.classified', {
  scope: null,
  subject: 'call',
  timelineOf: () => null,
  summary: 'Gable acted on what a person said in a call',
  data: Type.Object({
    id: rest.id,
    contact_id: rest.contact_id,
    contact_ids: Type.Array(Type.String(), { description: 'Everyone who has the number.' }),
    action: Type.Enum(['opt_out', 'wrong_number', 'review']),
  }),
  example: { id: example.id, contact_id: example.contact_id, contact_ids: [], action: 'opt_out' },
})

/** Not shown on timelines: later events of the call are. */
export const CallCreated = event('call.created', {
  scope: null,
  subject: 'call',
  timelineOf: () => null,
  summary: 'A call was placed or received',
  data: Type.Object(inside),
  example: insideExample,
})
