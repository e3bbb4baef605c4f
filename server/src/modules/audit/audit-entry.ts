import { type Static, Type } from 'typebox'
import type { EventTypes } from '#kernel/events/event.ts'
import type { JournalRow } from '#kernel/events/journal.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'

export const AuditEntry = Type.Object(
  {
    id: Type.String(),
    type: Type.String({ description: 'What happened, such as `api_key.created`. More types may be added.' }),
    summary: Type.String({ description: 'The entry as a sentence.' }),
    actor: Type.Object(
      {
        type: Type.String({
          description:
            '`member`: a signed-in person; `api_key` and `oauth_app`: a credential; `operator`: the command line of the server; `system`: a job.',
        }),
        id: nullable(Type.String()),
        name: Type.String({ description: 'The name at that time.' }),
      },
      { description: 'Who did it.' },
    ),
    subject: Type.Object(
      { type: Type.String(), id: Type.String() },
      { description: 'The record that changed.' },
    ),
    data: Type.Object(
      {},
      { additionalProperties: true, description: 'Details that depend on `type`. Never includes a secret.' },
    ),
    occurred_at: Timestamp,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  {
    title: 'AuditEntry',
    examples: [
      {
        id: 'cmi8h9r2t0003k1v5b8n2c6x0',
        type: 'api_key.created',
        summary: 'An API key was created',
        actor: { type: 'member', id: 'cmi8h2k5p0000y7w2d5g8j1m4', name: 'Dana Reyes' },
        subject: { type: 'api_key', id: 'cmi8hb7w40008m2n6c8v0b3x5' },
        data: { id: 'cmi8hb7w40008m2n6c8v0b3x5', name: 'Website form', scopes: ['leads:write'] },
        occurred_at: '2026-11-20T20:12:40.120Z',
        created_at: '2026-11-20T20:12:40.120Z',
        updated_at: '2026-11-20T20:12:40.120Z',
      },
    ],
  },
)
export type AuditEntry = Static<typeof AuditEntry> & { data: JournalRow['data'] }

export const presentAuditEntry = (eventTypes: EventTypes, row: JournalRow): AuditEntry => ({
  id: row.id,
  type: row.name,
  summary: eventTypes.get(row.name)?.entry(row.data).title ?? row.name,
  actor: row.actor,
  subject: { type: row.subject_type, id: row.subject_id },
  data: row.data,
  occurred_at: row.occurred_at,
  created_at: row.occurred_at,
  updated_at: row.occurred_at,
})
