import { Type } from 'typebox'
import { ChangeSchema, type Change, event } from '#kernel/events/event.ts'
import { masked } from '#kernel/masking/masked.ts'
import { type Stage, contacts, stages } from './contact.ts'

const id = Type.String()
const exampleId = 'cmi8h2k5p0001zq8r4t6w9x3y'

const contact = contacts.part(
  [
    'first_name',
    'last_name',
    'email',
    'phone',
    'phone_e164',
    'phone_extension',
    'address',
    'timezone',
    'source',
    'tags',
    'external_ids',
  ],
  {
    description: 'The contact when it was created.',
  },
)

export const ContactCreated = event('contact.created', {
  scope: 'contacts:read',
  summary: 'A contact was added',
  subject: 'contact',
  data: Type.Object({
    id,
    stage: Type.Enum(stages),
    owner_id: Type.Union([Type.String(), Type.Null()], { description: 'The member who owns the contact.' }),
    contact: Type.Optional(contact.data),
  }),
  example: {
    id: exampleId,
    stage: 'LEAD',
    owner_id: null,
    contact: contact.example,
  },
  personal: ['contact'],
  timelineOf: (data) => data.id,
  entry: () => ({ type: 'system', title: 'Contact created' }),
})

export const ContactDuplicateFound = event('contact.duplicate_found', {
  scope: 'contacts:read',
  summary: 'Another contact was given a number or address of this contact',
  subject: 'contact',
  data: Type.Object({ id }),
  example: { id: exampleId },
  timelineOf: (data) => data.id,
  entry: () => ({
    type: 'system',
    title: 'Someone added another contact with a number or address of this contact',
  }),
})

export const ContactUpdated = event('contact.updated', {
  scope: 'contacts:read',
  summary: 'Contact details changed',
  subject: 'contact',
  data: Type.Object({
    id,
    changes: Type.Optional(
      masked(
        'text',
        Type.Array(ChangeSchema, {
          description: 'Long texts are shortened.',
        }),
      ),
    ),
  }),
  example: { id: exampleId, changes: [{ field: 'phone', from: null, to: '+1******0123' }] },
  personal: ['changes'],
  timelineOf: (data) => data.id,
  entry: ({ changes }) => ({
    type: 'system',
    title: 'Contact updated',
    ...(changes === undefined ? {} : { changes: changes as Change[] }),
  }),
})

export const ContactStageChanged = event('contact.stage_changed', {
  scope: 'contacts:read',
  summary: 'A contact moved to a different stage',
  subject: 'contact',
  data: Type.Object({ id, from: Type.Enum(stages), to: Type.Enum(stages) }),
  example: { id: exampleId, from: 'LEAD', to: 'ACTIVE_CLIENT' },
  personal: [],
  timelineOf: (data) => data.id,
  entry: ({ from, to }: { from: Stage; to: Stage }) => ({
    type: 'stage_change',
    title: `Moved from ${from} to ${to}`,
    changes: [{ field: 'stage', from, to }],
  }),
})

export const ContactTagAdded = event('contact.tag_added', {
  scope: 'contacts:read',
  summary: 'A tag was added to a contact',
  subject: 'contact',
  data: Type.Object({ id, tag: Type.Optional(masked('text', Type.String())) }),
  example: { id: exampleId, tag: 'buyer' },
  personal: ['tag'],
  timelineOf: (data) => data.id,
  entry: ({ tag }) => ({ type: 'tag_added', title: tag === undefined ? 'Tag added' : `Tag added: ${tag}` }),
})

/**
 * Modules that store a contact's personal data subscribe to this event and scrub the data in the same transaction. The
 * contact row still has its data at that point.
 */
export const ContactWasErased = event('contact.erased', {
  scope: null,
  summary: "A contact's personal data was erased",
  subject: 'contact',
  data: Type.Object({ id }),
  example: { id: exampleId },
  audit: true,
  timelineOf: (data) => data.id,
  entry: () => ({ type: 'system', title: 'Contact erased' }),
})
