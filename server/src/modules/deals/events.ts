import { Type } from 'typebox'
import { event } from '#kernel/events/event.ts'
import { masked } from '#kernel/masking/masked.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'

const Stage = Type.Object({ id: Type.String(), name: Type.String() })
const contactId = 'cmi8h2k5p0001zq8r4t6w9x3y'
const dealId = 'cmi8h8p6f0008k9c3z7j5d1w2'

export const DealStageChanged = event('deal.stage_changed', {
  scope: 'deals:read',
  summary: 'A deal moved to a different stage',
  subject: 'deal',
  data: Type.Object({
    id: Type.String(),
    contact_id: nullable(
      Type.String({ description: 'The first contact of the deal. Null if there is none.' }),
    ),
    owner_id: nullable(Type.String({ description: 'The member who owns the deal.' })),
    pipeline_id: Type.String({ description: 'The pipeline of the current stage.' }),
    from_stage: Stage,
    to_stage: Stage,
    status: Type.Enum(['open', 'won', 'lost', 'cancelled'], {
      description: 'The status of the deal after the move.',
    }),
    name: Type.Optional(masked('text', Type.String({ description: 'The name of the deal.' }))),
  }),
  example: {
    id: dealId,
    contact_id: contactId,
    owner_id: 'cmi8h2k5p0000y7w2d5g8j1m4',
    pipeline_id: 'cmi8g0a1b0001c2d3e4f5g6h7',
    from_stage: { id: 'cmi8g0a1b0002h8j9k1l2m3n4', name: 'Offer' },
    to_stage: { id: 'cmi8g0a1b0003p5q6r7s8t9u1', name: 'Under contract' },
    status: 'open',
    name: 'Reyes, 12 Elm Street',
  },
  personal: ['name'],
  timelineOf: (data) => data.contact_id,
  entry: ({ from_stage, to_stage }) => ({
    type: 'deal',
    title: `Deal moved from ${from_stage.name} to ${to_stage.name}`,
    changes: [{ field: 'stage_id', from: from_stage.id, to: to_stage.id }],
  }),
})

export const DocumentSigned = event('document.signed', {
  scope: 'deals:read',
  summary: 'A document was signed',
  subject: 'document',
  data: Type.Object({
    id: Type.String(),
    deal_id: nullable(Type.String({ description: 'Null if the document belongs to no deal.' })),
    contact_id: nullable(
      Type.String({ description: 'The contact who signed. Null if the signer is not a contact.' }),
    ),
    signed_at: Timestamp,
    title: Type.Optional(masked('text', Type.String())),
  }),
  example: {
    id: 'cmi8h9q7g0009v5x2y8b3n6m1',
    deal_id: dealId,
    contact_id: contactId,
    signed_at: '2026-11-20T20:12:40.090Z',
    title: 'Offer to purchase, 12 Elm Street',
  },
  personal: ['title'],
  timelineOf: (data) => data.contact_id,
  entry: () => ({ type: 'document', title: 'Document signed' }),
})
