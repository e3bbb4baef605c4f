import { Type } from 'typebox'
import { ChangeSchema, type Change, auditEvent, event, updateEvent } from '#kernel/events/event.ts'
import { masked } from '#kernel/masking/masked.ts'
import { reference } from '#kernel/records/fields.ts'
import { nullable } from '#kernel/schemas.ts'
import { dealRecord } from './deal.ts'

const Stage = Type.Object({ id: Type.String(), name: Type.String() })
const contactId = 'cmi8h2k5p0001zq8r4t6w9x3y'
const dealId = 'cmi8h8p6f0008k9c3z7j5d1w2'

const contacts = {
  contact_id: nullable(reference('contact', 'The first contact of the deal. Null if there is none.')),
  contact_ids: Type.Array(reference('contact', 'A contact.'), { description: 'All contacts of the deal.' }),
}
const exampleContacts = { contact_id: contactId, contact_ids: [contactId] }

const shown = dealRecord.part([
  'owner_id',
  'type',
  'status',
  'pipeline_id',
  'stage_id',
  'currency',
  'list_price',
  'price',
  'close_price',
  'expected_close_date',
  'close_date',
  'name',
])
const { name, ...state } = shown.data.properties
const members = { id: Type.String(), ...contacts, ...state, name: Type.Optional(name) }
const example = { id: dealId, ...exampleContacts, ...shown.example }

const timelineOf = ({ contact_ids }: { contact_ids: readonly string[] }) => contact_ids

const about = {
  scope: 'deals:read',
  subject: 'deal',
  timelineOf,
}

export const DealCreated = event('deal.created', {
  ...about,
  summary: 'A deal was added',
  data: Type.Object(members),
  example,
  personal: ['name'],
  entry: () => ({ type: 'deal', title: 'Deal created' }),
})

export const DealUpdated = event('deal.updated', {
  ...about,
  summary: 'Details of a deal changed',
  data: Type.Object({
    ...members,
    changes: Type.Optional(
      masked(
        'text',
        Type.Array(ChangeSchema, {
          description: 'Long texts are shortened.',
        }),
      ),
    ),
  }),
  example: { ...example, changes: [{ field: 'price', from: 450_000, to: 455_000 }] },
  personal: ['name', 'changes'],
  entry: ({ changes }) => ({
    type: 'deal',
    title: 'Deal updated',
    ...(changes === undefined ? {} : { changes: changes as Change[] }),
  }),
})

export const DealStageChanged = event('deal.stage_changed', {
  ...about,
  summary: 'A deal moved to a different stage',
  data: Type.Object({
    id: Type.String(),
    ...contacts,
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
    ...exampleContacts,
    owner_id: 'cmi8h2k5p0000y7w2d5g8j1m4',
    pipeline_id: 'cmi8g0a1b0001c2d3e4f5g6h7',
    from_stage: { id: 'cmi8g0a1b0002h8j9k1l2m3n4', name: 'Offer' },
    to_stage: { id: 'cmi8g0a1b0003p5q6r7s8t9u1', name: 'Under contract' },
    status: 'open',
    name: 'Reyes, 12 Elm Street',
  },
  personal: ['name'],
  entry: ({ from_stage, to_stage }) => ({
    type: 'deal',
    title: `Deal moved from ${from_stage.name} to ${to_stage.name}`,
    changes: [{ field: 'stage_id', from: from_stage.id, to: to_stage.id }],
  }),
})

const inside = (verb: string, noun: string, summary: string) =>
  auditEvent(`${noun}.${verb}`, noun, summary, Type.Object({ id: Type.String() }), { id: dealId })

/** A change of position within a stage. It appears on no timeline and in no audit log. */
export const DealReordered = event('deal.reordered', {
  scope: null,
  summary: 'A deal moved to another position in its stage',
  subject: 'deal',
  data: Type.Object({ id: Type.String(), order_key: Type.String() }),
  example: { id: dealId, order_key: 'a0' },
  audit: false,
})

const { contact_ids } = contacts
const insideOfContacts = (verb: string, summary: string) =>
  auditEvent(`deal.${verb}`, 'deal', summary, Type.Object({ id: Type.String(), contact_ids }), {
    id: dealId,
    contact_ids: exampleContacts.contact_ids,
  })

export const DealDeleted = insideOfContacts('deleted', 'A deal was deleted')
export const DealRestored = insideOfContacts('restored', 'A deleted deal was restored')
export const PipelineCreated = inside('created', 'pipeline', 'A pipeline was created')
export const PipelineUpdated = updateEvent('pipeline', 'A pipeline was changed', dealId, {
  field: 'is_default',
  from: true,
  to: false,
})
