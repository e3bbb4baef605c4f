import { Type } from 'typebox'
import { event } from '#kernel/events/event.ts'
import { masked } from '#kernel/masking/masked.ts'
import { reference } from '#kernel/records/fields.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import { documentStatuses } from './statuses.ts'

const contactId = 'cmi8h2k5p0001zq8r4t6w9x3y'
const documentId = 'cmi8h9q7g0009v5x2y8b3n6m1'

const about = {
  subject: 'document',
  timelineOf: ({ contact_ids }: { contact_ids: readonly string[] }) => contact_ids,
}

const contact_ids = Type.Array(reference('contact', 'A contact.'), {
  description: 'The contacts among the signers.',
})
const inside = { id: Type.String(), contact_ids }
const example = { id: documentId, contact_ids: [contactId] }

export const DocumentSigned = event('document.signed', {
  ...about,
  scope: 'deals:read',
  summary: 'A document was signed',
  data: Type.Object({
    id: Type.String(),
    deal_id: nullable(reference('deal', 'Null if the document has no deal.')),
    contact_id: nullable(
      reference('contact', 'The first contact among the signers. Null if none of them is a contact.'),
    ),
    contact_ids,
    signed_at: Timestamp,
    title: Type.Optional(masked('text', Type.String())),
  }),
  example: {
    ...example,
    deal_id: 'cmi8h8p6f0008k9c3z7j5d1w2',
    contact_id: contactId,
    signed_at: '2026-11-20T20:12:40.090Z',
    title: 'Offer to purchase, 12 Elm Street',
  },
  personal: ['title'],
  entry: () => ({ type: 'document', title: 'Document signed' }),
})

export const DocumentCreated = event('document.created', {
  ...about,
  scope: null,
  summary: 'A document was added',
  data: Type.Object(inside),
  example,
  entry: () => ({ type: 'document', title: 'Document added' }),
})

/** Every status change except to signed, which `document.signed` reports. */
export const DocumentStatusChanged = event('document.status_changed', {
  ...about,
  scope: null,
  summary: 'A document was sent, viewed, declined or voided, or has expired',
  data: Type.Object({ ...inside, from: Type.Enum(documentStatuses), to: Type.Enum(documentStatuses) }),
  example: { ...example, from: 'sent', to: 'viewed' },
  entry: ({ from, to }) => ({
    type: 'document',
    title: `Document ${to}`,
    changes: [{ field: 'status', from, to }],
  }),
})

export const DocumentUpdated = event('document.updated', {
  ...about,
  scope: null,
  summary: 'Details of a document changed',
  data: Type.Object({ ...inside, fields: Type.Array(Type.String()) }),
  example: { ...example, fields: ['title'] },
  entry: () => ({ type: 'document', title: 'Document updated' }),
})
