import { Type } from 'typebox'
import { ChangeSchema, type Change, event } from '#kernel/events/event.ts'
import { masked } from '#kernel/masking/masked.ts'
import { nullable } from '#kernel/schemas.ts'
import { savedSearches } from './saved-search.ts'

export const SavedSearchSent = event('saved_search.sent', {
  scope: 'contacts:read',
  summary: 'A listing alert of a saved search was sent to a contact',
  subject: 'saved_search',
  data: Type.Object({
    id: Type.String({ description: 'The saved search.' }),
    contact_id: Type.String(),
    message_id: nullable(
      Type.String({ description: 'The message with the listings. Null if it was not sent here.' }),
    ),
    listing_count: Type.Integer({ minimum: 0, description: 'The number of listings.' }),
    name: Type.Optional(masked('text', Type.String({ description: 'The name of the saved search.' }))),
  }),
  example: {
    id: 'cmi8g7y1m0001a8r3c5v9j2x6',
    contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y',
    message_id: 'cmi8hbz3l0011e6u4i8o2p7a5',
    listing_count: 4,
    name: 'Three bedrooms in Evanston',
  },
  personal: ['name'],
  timelineOf: (data) => data.contact_id,
  entry: ({ listing_count }) => ({
    type: 'system',
    title: `Listing alert sent: ${listing_count} ${listing_count === 1 ? 'listing' : 'listings'}`,
  }),
})

const { data, example } = savedSearches.part(['id', 'contact_id', 'frequency', 'active', 'name'])
const { name, ...properties } = data.properties

const about = {
  scope: null,
  subject: 'saved_search',
  data: Type.Object({ ...properties, name: Type.Optional(name) }),
  example,
  personal: ['name'],
  timelineOf: ({ contact_id }: { contact_id: string }) => contact_id,
}

const entry =
  (what: string) =>
  ({ name: shown }: { name?: string }) => ({
    type: 'system',
    title: shown === undefined ? what : `${what}: ${shown}`,
  })

export const SavedSearchCreated = event('saved_search.created', {
  ...about,
  summary: 'A saved search was created',
  entry: entry('Saved search created'),
})

export const SavedSearchDeleted = event('saved_search.deleted', {
  ...about,
  summary: 'A saved search was deleted',
  entry: entry('Saved search deleted'),
})

export const SavedSearchUpdated = event('saved_search.updated', {
  scope: null,
  subject: 'saved_search',
  summary: 'A saved search was changed, paused, or resumed',
  data: Type.Object({
    id: properties.id,
    contact_id: properties.contact_id,
    changes: Type.Optional(masked('text', Type.Array(ChangeSchema))),
  }),
  example: {
    id: example.id,
    contact_id: example.contact_id,
    changes: [
      { field: 'active', from: true, to: false },
      { field: 'paused_reason', from: null, to: 'opted_out' },
    ],
  },
  personal: ['changes'],
  timelineOf: ({ contact_id }) => contact_id,
  entry: ({ changes }) => ({
    type: 'system',
    title: 'Saved search changed',
    ...(changes === undefined ? {} : { changes: changes as Change[] }),
  }),
})
