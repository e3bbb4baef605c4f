import { type TObject, Type } from 'typebox'
import { Timestamp } from '../schemas.ts'
import type { EventType } from './event.ts'
import type { JournalRow } from './journal.ts'

type EventRow = Pick<JournalRow, 'id' | 'name' | 'subject_id' | 'data' | 'occurred_at'>

/** An event's payload for webhooks and lists. */
export const payloadOf = (workspaceId: string, row: EventRow) => ({
  event: row.name,
  tenantId: workspaceId,
  occurredAt: row.occurred_at,
  data: { event_id: row.id, occurred_at: row.occurred_at, id: row.subject_id, ...row.data },
})

/**
 * The payload as text, which is signed and delivered. It is serialized once, so that every attempt sends the same
 * bytes.
 */
export const payloadText = (workspaceId: string, row: EventRow): string =>
  JSON.stringify(payloadOf(workspaceId, row))

/** The schema of an event's payload, with the declaration's example. */
export function payloadSchema(type: EventType): TObject {
  const example = payloadOf('cmi8h0s4a0000b3n7m1k5v9z2', {
    id: 'cmi8h9r2t0003k1v5b8n2c6x0',
    name: type.name,
    subject_id: String((type.example as { id?: unknown }).id),
    data: type.example as EventRow['data'],
    occurred_at: '2026-11-20T20:12:40.120Z',
  })
  return Type.Object(
    {
      event: Type.Literal(type.name),
      tenantId: Type.String({ description: 'The workspace.' }),
      occurredAt: Timestamp,
      data: Type.Object(
        {
          event_id: Type.String({
            description: 'The same in every delivery of the event. Use it to detect duplicates.',
          }),
          occurred_at: Timestamp,
          ...type.data.properties,
        },
        type.personal.length === 0
          ? {}
          : { description: `After an erasure without ${listed(type.personal)}.` },
      ),
    },
    { title: `${pascalCase(type.name)}Payload`, examples: [example] },
  )
}

const listed = (names: readonly string[]) =>
  new Intl.ListFormat('en').format(names.map((name) => `\`${name}\``))

/** `order.line_added` → `OrderLineAdded`. */
export const pascalCase = (name: string) =>
  name.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())
