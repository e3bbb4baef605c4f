import { type Static, Type } from 'typebox'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import { type DeliveryRow, type DeliverySummary, deliveryStatuses } from './queries.ts'
import { maxAttempts } from './schedule.ts'

const since = Type.String({ format: 'date-time', description: 'Only of events that occurred then or later.' })

export const DeliveryFilters = Type.Object({
  status: Type.Optional(Type.Enum(deliveryStatuses)),
  event: Type.Optional(Type.String({ maxLength: 80, description: 'Name of an event.' })),
  since: Type.Optional(since),
})

export const Recovery = Type.Object(
  { since },
  { title: 'Recovery', additionalProperties: false, examples: [{ since: '2026-11-20T08:00:00.000Z' }] },
)

export const RecoveryStarted = Type.Object(
  {
    webhook_id: Type.String(),
    since: Timestamp,
    deliveries: Type.Integer({
      description: 'How many had failed, and are now sent again one after the other.',
    }),
  },
  { title: 'RecoveryStarted' },
)

export const TestDraft = Type.Object(
  {
    event_type: Type.Optional(
      Type.String({ maxLength: 80, description: 'Whose example to send; `webhook.test` by default.' }),
    ),
  },
  { title: 'WebhookTest', additionalProperties: false, examples: [{ event_type: 'contact.created' }] },
)

const Attempt = Type.Object(
  {
    started_at: Timestamp,
    duration_ms: Type.Integer(),
    status: nullable(Type.Integer({ description: 'Of the answer; null when none came.' })),
    failure: nullable(Type.String({ description: 'Why it did not count as received; null when it did.' })),
    answer: nullable(Type.String({ description: 'Its first 1,000 bytes. Gone after an erasure.' })),
  },
  { title: 'Attempt' },
)

const members = {
  id: Type.String({ description: 'The header X-Webhook-Delivery.' }),
  webhook_id: Type.String(),
  event_id: Type.String(),
  event: Type.String(),
  status: Type.Enum(deliveryStatuses, {
    description: `\`pending\`: not received yet, and to be sent. \`failed\`: given up, after ${maxAttempts} attempts as a rule.`,
  }),
  attempt_count: Type.Integer({
    description: 'Attempts of the present round; a redelivery begins a new one.',
  }),
  next_attempt_at: nullable(Type.String({ description: 'Not before; null when there is to be none.' })),
  created_at: Timestamp,
  updated_at: Timestamp,
}

const example = {
  id: 'cmi8h9r2t0003a41c09be2d77',
  webhook_id: 'cmi8hb7w40004m2n6c8v0b3x5',
  event_id: 'cmi8h9r2t0003k1v5b8n2c6x0',
  event: 'contact.created',
  status: 'pending',
  attempt_count: 1,
  next_attempt_at: '2026-11-20T20:13:41.240Z',
  created_at: '2026-11-20T20:12:40.120Z',
  updated_at: '2026-11-20T20:12:41.240Z',
}

export const Delivery = Type.Object(members, { title: 'Delivery', examples: [example] })

export const DeliveryWithAttempts = Type.Object(
  {
    ...members,
    attempts: Type.Array(Attempt, { description: 'Of all rounds, oldest first, the last 25 of them.' }),
    payload: nullable(
      Type.String({
        description: 'The body that is sent, as text. null for a credential that may not see the event.',
      }),
    ),
  },
  {
    title: 'DeliveryWithAttempts',
    examples: [
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
    ],
  },
)

export const presentDelivery = (row: DeliverySummary): Static<typeof Delivery> => ({
  id: row.id,
  webhook_id: row.webhook_id,
  event_id: row.event_id,
  event: row.event,
  status: row.status,
  attempt_count: row.attempt,
  next_attempt_at: row.status === 'pending' ? (row.claimed_until ?? row.due_at) : null,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** With what was sent and what came back, as far as the reader may see the event. */
export const presentWithAttempts = (
  row: DeliveryRow & { body: string | null },
  scopes: ReadonlySet<string>,
): Static<typeof DeliveryWithAttempts> => {
  const maySee = scopes.has(row.scope)
  return {
    ...presentDelivery(row),
    attempts: row.attempts.map(({ answer, ...attempt }) => ({
      ...attempt,
      answer: maySee ? (answer ?? null) : null,
    })),
    payload: maySee ? row.body : null,
  }
}
