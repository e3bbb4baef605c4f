import { Type } from 'typebox'
import { auditEvent, event, updateEvent } from '#kernel/events/event.ts'
import { masked } from '#kernel/masking/masked.ts'
import { Money } from '#kernel/money.ts'
import { nullable } from '#kernel/schemas.ts'
import { Flags } from './listing-parts.ts'
import { listings } from './listing.ts'

const { data, example } = listings.part(['id', 'mls_number', 'status', 'list_agent_id', 'seller_contact_id'])
const { status: Status, ...about } = data.properties
const { status: _, ...aboutExample } = example

const shared = {
  scope: 'listings:read',
  subject: 'listing',
  timelineOf: ({ seller_contact_id }: { seller_contact_id: string | null }) => seller_contact_id,
} as const

const words = (status: string) => status.replaceAll('_', ' ')

export const ListingStatusChanged = event('listing.status_changed', {
  ...shared,
  summary: 'The status of a listing changed',
  data: Type.Object({ ...about, from: Status, to: Status }),
  example: { ...aboutExample, from: 'active', to: 'pending' },
  entry: ({ from, to }) => ({
    type: 'deal',
    title: `Listing moved from ${words(from)} to ${words(to)}`,
    changes: [{ field: 'status', from, to }],
  }),
})

const Price = nullable(Money('The list price.'))

export const ListingPriceChanged = event('listing.price_changed', {
  ...shared,
  summary: 'The list price of a listing changed',
  data: Type.Object({ ...about, from: Price, to: Price, currency: Type.String() }),
  example: { ...aboutExample, from: 489_000, to: 479_000, currency: 'USD' },
  entry: ({ from, to }) => ({
    type: 'deal',
    title: 'List price changed',
    changes: [{ field: 'list_price', from, to }],
  }),
})

const Id = Type.Object({ id: Type.String() })
const { id } = example

export const ListingCreated = auditEvent(
  'listing.created',
  'listing',
  'A listing was created',
  Type.Object({ ...about, status: Status }),
  example,
)

export const ListingUpdated = updateEvent('listing', 'A listing was changed', id, {
  field: 'bedrooms',
  from: 3,
  to: 4,
})

export const ListingDeleted = auditEvent('listing.deleted', 'listing', 'A listing was deleted', Id, { id })

export const ListingRestored = auditEvent('listing.restored', 'listing', 'A listing was restored', Id, { id })

export const FairHousingAcknowledged = auditEvent(
  'listing.fair_housing_acknowledged',
  'listing',
  'A person acknowledged the fair housing flags in the remarks of a listing',
  Type.Object({
    id: Type.String(),
    by: Type.Object({ type: Type.String(), id: Type.String() }),
    reason: masked('text', Type.String()),
    rule_set: Type.String(),
    flags: Flags,
  }),
  {
    id,
    by: { type: 'member', id: 'cmi8h2k5p0000y7w2d5g8j1m4' },
    reason: 'The remark names the elementary school by its own slogan.',
    rule_set: '2026-11-01',
    flags: [{ code: 'content_fair_housing', category: 'steering', text: 'best schools', start: 34, end: 46 }],
  },
)
