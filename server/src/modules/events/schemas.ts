import { Type } from 'typebox'
import type { EventType } from '#kernel/events/event.ts'
import type { JournalRow } from '#kernel/events/journal.ts'
import { payloadOf } from '#kernel/events/payload.ts'
import { Timestamp } from '#kernel/schemas.ts'

export const EventTypeShape = Type.Object(
  {
    id: Type.String({ description: 'The same as `name`.' }),
    name: Type.String(),
    summary: Type.String(),
    scope: Type.String({ description: 'The scope that a webhook needs to receive the event.' }),
    subject: Type.String({ description: 'The type of the record with the id `data.id`.' }),
    data: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'JSON Schema of the members that the event adds to `data`.',
      },
    ),
    example: Type.Object({}, { additionalProperties: true, description: 'An example of these members.' }),
  },
  {
    title: 'EventType',
    examples: [
      {
        id: 'contact.stage_changed',
        name: 'contact.stage_changed',
        summary: 'A contact moved to a different stage',
        scope: 'contacts:read',
        subject: 'contact',
        data: { type: 'object' },
        example: { id: 'cmi8h2k5p0001zq8r4t6w9x3y', from: 'LEAD', to: 'ACTIVE_CLIENT' },
      },
    ],
  },
)

export const presentEventType = ({ name, summary, subject, data, example }: EventType, scope: string) => ({
  id: name,
  name,
  summary,
  scope,
  subject,
  data: JSON.parse(JSON.stringify(data)) as object,
  example,
})

export const JournalEvent = Type.Object(
  {
    id: Type.String({ description: 'The same as `data.event_id`.' }),
    event: Type.String({ description: 'The name of the event. More events may be added.' }),
    tenantId: Type.String(),
    occurredAt: Timestamp,
    data: Type.Object(
      { event_id: Type.String(), occurred_at: Timestamp, id: Type.String() },
      { additionalProperties: true },
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  {
    title: 'JournalEvent',
    description: 'An event as webhooks deliver it, with an id.',
    examples: [
      {
        id: 'cmi8h9r2t0003k1v5b8n2c6x0',
        event: 'contact.stage_changed',
        tenantId: 'cmi8h0x9z0001a2s4d6f8g0h1',
        occurredAt: '2026-11-20T20:12:40.120Z',
        data: {
          event_id: 'cmi8h9r2t0003k1v5b8n2c6x0',
          occurred_at: '2026-11-20T20:12:40.120Z',
          id: 'cmi8h2k5p0001zq8r4t6w9x3y',
          from: 'LEAD',
          to: 'ACTIVE_CLIENT',
        },
        created_at: '2026-11-20T20:12:40.120Z',
        updated_at: '2026-11-20T20:12:40.120Z',
      },
    ],
  },
)

export const presentJournalEvent = (workspaceId: string, row: JournalRow) => ({
  id: row.id,
  ...payloadOf(workspaceId, row),
  created_at: row.occurred_at,
  updated_at: row.occurred_at,
})
