import { type Static, Type } from 'typebox'
import { custom, equals, filters, oneOf } from '#kernel/http/filters.ts'
import { extendRecord } from '#kernel/records/extend.ts'
import { type RowOf, internal, readOnly, text } from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import { maxAttempts } from './dispatcher/schedule.ts'

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const

const fields = {
  webhook_id: readOnly(Type.String(), 'cmi8hb7w40004m2n6c8v0b3x5'),
  event_id: readOnly(Type.String(), 'cmi8h9r2t0003k1v5b8n2c6x0'),
  event: readOnly(Type.String(), 'contact.created'),
  status: readOnly(
    Type.Enum(deliveryStatuses, {
      description: `\`pending\`: Gable will send or retry the delivery. \`failed\`: all ${maxAttempts} attempts failed, the webhook is disabled, or the delivery was dropped after a restore.`,
    }),
    'pending',
  ),
  /** The scope of the event. */
  scope: internal(Type.String(), ''),
  /** The number of attempts in the current round. */
  attempt: internal(Type.Integer(), 0),
  due_at: internal(Timestamp, ''),
  claimed_until: internal(nullable(Timestamp), null),
}

export const deliveryRecord = defineRecord('Delivery', { fields, example: {}, patchExample: {} })

/** A delivery without its attempt log, except for the last attempt. */
export type DeliverySummary = RowOf<typeof fields> & { last_attempt: Static<typeof LastAttemptRow> | null }

/** One attempt in the log of a delivery. */
export const AttemptRow = Type.Object({
  started_at: Type.String(),
  duration_ms: Type.Integer(),
  status: Type.Union([Type.Integer(), Type.Null()]),
  failure: Type.Union([Type.String(), Type.Null()]),
  /** Absent once the event's contact was erased. */
  answer: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})

/** The last attempt, without the response. */
export const LastAttemptRow = Type.Omit(AttemptRow, ['answer'])

export interface DeliveryRow extends DeliverySummary {
  attempts: Static<typeof AttemptRow>[]
}

const since = Type.String({
  format: 'date-time',
  description: 'Return only events that occurred at or after this time.',
})

export const deliveryFilters = filters({
  status: oneOf(Type.Enum(deliveryStatuses)),
  event: equals(text(80, 'Return only deliveries of this event.')),
  since: custom(since),
})
export type DeliveryFilters = Static<typeof deliveryFilters.query>

export const Recovery = Type.Object(
  { since },
  { title: 'Recovery', additionalProperties: false, examples: [{ since: '2026-11-20T08:00:00.000Z' }] },
)

export const RecoveryStarted = Type.Object(
  {
    webhook_id: Type.String(),
    since: Timestamp,
    deliveries: Type.Integer({ description: 'The number of deliveries that Gable resends.' }),
  },
  { title: 'RecoveryStarted' },
)

export const TestDraft = Type.Object(
  { event_type: Type.Optional(text(80, 'The event to send an example of. The default is `webhook.test`.')) },
  { title: 'WebhookTest', additionalProperties: false, examples: [{ event_type: 'contact.created' }] },
)

const attemptMembers = {
  started_at: Timestamp,
  duration_ms: Type.Integer(),
  status: nullable(Type.Integer({ description: 'The HTTP status; null if there was no response.' })),
  failure: nullable(Type.String({ description: 'Why the attempt failed; null if it succeeded.' })),
}

const Attempt = Type.Object(
  {
    ...attemptMembers,
    answer: nullable(
      Type.String({ description: 'The first 1,000 bytes of the response. Removed by an erasure.' }),
    ),
  },
  { title: 'Attempt' },
)

const computed = {
  attempt_count: Type.Integer({
    description: 'Attempts in the current round. Resending a delivery that is over starts a new round.',
  }),
  last_attempt: nullable(
    Type.Object(attemptMembers, { description: 'The last attempt; null if there was none.' }),
  ),
  next_attempt_at: nullable(
    Type.String({ description: 'The earliest time of the next attempt; null if there is none.' }),
  ),
}
const example = {
  id: 'cmi8h9r2t0003a41c09be2d77',
  attempt_count: 1,
  last_attempt: {
    started_at: '2026-11-20T20:12:40.160Z',
    duration_ms: 1080,
    status: 503,
    failure: 'status 503',
  },
  next_attempt_at: '2026-11-20T20:13:41.240Z',
  created_at: '2026-11-20T20:12:40.120Z',
  updated_at: '2026-11-20T20:12:41.240Z',
}

export const Delivery = extendRecord('Delivery', deliveryRecord, computed, example)

export const DeliveryWithAttempts = extendRecord(
  'DeliveryWithAttempts',
  deliveryRecord,
  {
    ...computed,
    attempts: Type.Array(Attempt, { description: 'The last 25 attempts of all rounds, oldest first.' }),
    payload: nullable(
      Type.String({
        description: 'The body that is sent, as text; null if the credential lacks the scope of the event.',
      }),
    ),
  },
  {
    ...example,
    attempts: [
      {
        started_at: '2026-11-20T20:12:40.160Z',
        duration_ms: 1080,
        status: 503,
        failure: 'status 503',
        answer: 'Back in a minute.',
      },
    ],
    payload: '{"event":"contact.created"}',
  },
)

export const presentDelivery = (row: DeliverySummary): Static<typeof Delivery> => ({
  id: row.id,
  webhook_id: row.webhook_id,
  event_id: row.event_id,
  event: row.event,
  status: row.status,
  attempt_count: row.attempt,
  last_attempt: row.last_attempt,
  next_attempt_at: row.status === 'pending' ? (row.claimed_until ?? row.due_at) : null,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** Presents a delivery with its attempts. Includes the payload and responses only if the scopes include that of the event. */
export const presentWithAttempts = (
  row: DeliveryRow & { body: string | null },
  scopes: ReadonlySet<string>,
): Static<typeof DeliveryWithAttempts> => {
  const isVisible = scopes.has(row.scope)
  return {
    ...presentDelivery(row),
    attempts: row.attempts.map(({ answer, ...attempt }) => ({
      ...attempt,
      answer: isVisible ? (answer ?? null) : null,
    })),
    payload: isVisible ? row.body : null,
  }
}
