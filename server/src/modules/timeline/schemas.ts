import { type Static, Type } from 'typebox'
import { ChangeSchema } from '#kernel/events/event.ts'
import type { EventTypes } from '#kernel/events/event.ts'
import type { JournalRow } from '#kernel/events/journal.ts'
import { masked } from '#kernel/masking/masked.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'

export const NoteDraft = Type.Object(
  { body: masked('text', Type.String({ minLength: 1, maxLength: 20_000 })) },
  { title: 'NoteDraft', additionalProperties: false, examples: [{ body: 'Prefers mornings.' }] },
)

export const entryTypes = [
  'note',
  'message',
  'call',
  'stage_change',
  'tag_added',
  'lead',
  'assignment',
  'appointment',
  'task',
  'deal',
  'automation',
  'document',
  'consent',
  'system',
] as const

export const TimelineEvent = Type.Object(
  {
    id: Type.String(),
    contact_id: Type.String(),
    type: Type.String({
      title: 'TimelineEntryType',
      enum: entryTypes,
      description: 'More types may be added.',
    }),
    title: Type.String(),
    body: masked('text', nullable(Type.String())),
    actor: Type.Object({ type: Type.String(), id: nullable(Type.String()), name: Type.String() }),
    subject: Type.Object({
      type: Type.String(),
      id: nullable(
        Type.String({
          description: 'Null if the record belongs to a colleague whose records you do not see.',
        }),
      ),
    }),
    changes: Type.Array(ChangeSchema, {
      description:
        'Phone numbers and email addresses are masked, and long texts are shortened. `from` and `to` are null if you cannot read the record.',
    }),
    occurred_at: Timestamp,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  {
    title: 'Event',
    examples: [
      {
        id: 'cmi8h9r2t0003k1v5b8n2c6x0',
        contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y',
        type: 'note',
        title: 'Note',
        body: 'Prefers mornings.',
        actor: { type: 'api_key', id: 'cmi8h1a0b0002q4e7r9t3y5u8', name: 'crm-sync' },
        subject: { type: 'contact', id: 'cmi8h2k5p0001zq8r4t6w9x3y' },
        changes: [],
        occurred_at: '2026-11-20T20:12:40.120Z',
        created_at: '2026-11-20T20:12:40.120Z',
        updated_at: '2026-11-20T20:12:40.120Z',
      },
    ],
  },
)

interface Reader {
  eventTypes: EventTypes
  scopes: ReadonlySet<string>
}

/** Converts a journal row to an entry of a contact's timeline, as its event type defines. `isUnseen`: the caller does not see its subject. */
export function presentEvent(
  row: JournalRow,
  contactId: string,
  { eventTypes, scopes }: Reader,
  isUnseen = false,
): Static<typeof TimelineEvent> {
  const { type, title, body, changes } = eventTypes.get(row.name)?.entry(row.data) ?? {
    type: 'system',
    title: row.name,
  }
  // Anyone who can read timelines sees which fields changed. The values require the scope that reads the record.
  const scope = eventTypes.get(row.name)?.scope ?? null
  const maySee = !isUnseen && (scope === null || scopes.has(scope))
  return {
    id: row.id,
    contact_id: contactId,
    type,
    title,
    body: body ?? null,
    actor: row.actor,
    subject: { type: row.subject_type, id: isUnseen ? null : row.subject_id },
    changes: maySee ? (changes ?? []) : (changes ?? []).map(({ field }) => ({ field, from: null, to: null })),
    occurred_at: row.occurred_at,
    created_at: row.occurred_at,
    updated_at: row.occurred_at,
  }
}
