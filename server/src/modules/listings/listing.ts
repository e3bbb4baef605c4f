import { type Static, Type } from 'typebox'
import type { Issue } from '#kernel/errors.ts'
import { maskText } from '#kernel/masking/mask-text.ts'
import { masked } from '#kernel/masking/masked.ts'
import { Currency, Money, smallestAmount, toCents } from '#kernel/money.ts'
import {
  type PatchOf,
  type RowOf,
  createOnly,
  createdBy,
  defaulted,
  deletedAt,
  freeText,
  internal,
  optional,
  readOnly,
  reference,
} from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { LocalDate, Timestamp, nullable } from '#kernel/schemas.ts'
import { searchText, searchVersion, stateCodeOf } from '../contacts/public.ts'
import { addressKey } from './address-key.ts'
import {
  FairHousing,
  OpenHouses,
  Photos,
  PhotosDraft,
  PriceHistory,
  WebAddress,
  inOrder,
  numbered,
  openHouseIssues,
} from './listing-parts.ts'

/** RESO StandardStatus, except Delete. */
export const listingStatuses = [
  'active',
  'active_under_contract',
  'canceled',
  'closed',
  'coming_soon',
  'expired',
  'hold',
  'incomplete',
  'pending',
  'withdrawn',
] as const

/** RESO PropertyType. */
const propertyTypes = [
  'residential',
  'residential_lease',
  'residential_income',
  'land',
  'farm',
  'manufactured_in_park',
  'commercial_sale',
  'commercial_lease',
  'business_opportunity',
] as const

export const PropertyType = Type.Enum(propertyTypes, { title: 'PropertyType' })

const said = (maxLength: number, description?: string) => ({
  ...freeText(maxLength, description),
  minLength: 1,
})
const count = (maximum: number) => Type.Integer({ minimum: 0, maximum })
const measure = (maximum: number, description?: string) =>
  Type.Number({ minimum: 0, maximum, ...(description === undefined ? {} : { description }) })
const time = () => internal(nullable(Timestamp), null)

export const maxRemarks = 5000

export const listingFields = {
  mls_number: optional(
    Type.String({
      maxLength: 40,
      pattern: '^[A-Za-z0-9][A-Za-z0-9 ._/-]*$',
      description: 'The MLS number. It is unique in the workspace.',
    }),
  ),
  source_system: optional(said(80, 'Where the listing comes from, such as the name of the MLS.')),
  status: defaulted(
    Type.Enum(listingStatuses, {
      title: 'ListingStatus',
      description: 'The RESO StandardStatus, in snake case.',
    }),
    'incomplete',
  ),
  property_type: optional(PropertyType),
  property_sub_type: optional(said(80, 'The RESO PropertySubType, such as `Condominium`.')),
  list_price: optional(Money('The list price.')),
  original_list_price: createOnly(
    optional(
      Money(
        'The list price when the listing first became active. It cannot change after that. For a listing with a history, you can set it when you create the listing.',
      ),
    ),
  ),
  close_price: optional(Money('The price paid.')),
  currency: defaulted(
    { ...Currency, description: 'The currency of the prices. The currency of the workspace by default.' },
    'USD',
  ),
  price_history: readOnly(PriceHistory, []),
  street_number: optional(said(25)),
  street_name: optional(said(120, 'The street name with its direction and suffix, such as `N Alder Court`.')),
  unit_number: optional(said(25)),
  city: optional(said(80)),
  state: optional(
    said(80, 'Names of US states and Canadian provinces become their codes: `Illinois` becomes `IL`.'),
    {
      normalize: (state) => (state === null ? null : (stateCodeOf(state) ?? state)),
    },
  ),
  postal_code: optional(masked('postal_code', said(20))),
  latitude: optional(Type.Number({ minimum: -90, maximum: 90 })),
  longitude: optional(Type.Number({ minimum: -180, maximum: 180 })),
  bedrooms: optional(count(1000)),
  bathrooms_total: optional(measure(1000, 'A half bath counts as 0.5.')),
  living_area: optional(measure(1e9, 'The living area in square feet.')),
  lot_size_acres: optional(measure(1e9)),
  year_built: optional(Type.Integer({ minimum: 1000, maximum: 2200 })),
  garage_spaces: optional(measure(1000)),
  public_remarks: optional(
    freeText(maxRemarks, 'The public description. `fair_housing` lists flagged words.'),
  ),
  list_agent_id: optional(
    reference('member', 'The listing agent. Either this or `list_office_id` is required.'),
  ),
  list_office_id: optional(reference('office', 'The listing office.')),
  listed_on: optional(LocalDate),
  closed_on: optional(LocalDate),
  expires_on: optional(LocalDate),
  photos: defaulted(PhotosDraft, [], { shown: Photos, normalize: numbered }),
  virtual_tour_url: optional(WebAddress),
  open_houses: defaulted(OpenHouses, [], { normalize: inOrder }),
  seller_contact_id: optional(reference('contact', 'The contact who sells or rents out the property.')),
  fair_housing: readOnly(FairHousing, { status: 'clear', flags: [], rule_set: '', acknowledged: null }),
  created_by: createdBy(),
  listed_at: time(),
  relisted_at: time(),
  news_at: time(),
  deleted_at: deletedAt(),
}

export type Listing = RowOf<typeof listingFields>

export const listings = defineRecord('Listing', {
  fields: listingFields,
  example: {
    status: 'active',
    property_type: 'residential',
    property_sub_type: 'Single Family Residence',
    list_price: 489_000,
    street_number: '48',
    street_name: 'Alder Court',
    city: 'Evanston',
    state: 'IL',
    postal_code: '60201',
    bedrooms: 3,
    bathrooms_total: 2.5,
    living_area: 1840,
    year_built: 1926,
    public_remarks:
      'Brick Georgian with a new roof, a fenced yard, and a two-car garage. Two blocks to the train.',
    list_agent_id: 'cmi8h2k5p0000y7w2d5g8j1m4',
  },
  patchExample: { list_price: 479_000, virtual_tour_url: 'https://tours.example/48-alder-court' },
  shownExample: {
    mls_number: 'MRD-20417',
    original_list_price: 489_000,
    price_history: [{ list_price: 489_000, at: '2026-11-20T20:11:04.817Z' }],
    fair_housing: { status: 'clear', flags: [], rule_set: '2026-11-01', acknowledged: null },
    created_by: { type: 'api_key', id: 'cmi8h1c4v0000j5k8x2b7n3d6' },
  },
  check: (listing) => [
    ...ownIssues(listing),
    ...priceIssues(listing),
    ...openHouseIssues(listing.open_houses),
  ],
})
export type ListingDraft = Static<typeof listings.Draft>
export type ListingPatch = PatchOf<typeof listingFields>

const ownIssues = ({ list_agent_id, list_office_id }: Listing): Issue[] =>
  list_agent_id === null && list_office_id === null
    ? [{ path: 'list_agent_id', message: 'is required unless list_office_id is set' }]
    : []

function priceIssues(listing: Listing): Issue[] {
  const smallest = smallestAmount(listing.currency)
  const broken = (['list_price', 'original_list_price', 'close_price'] as const).filter(
    (name) => toCents(listing[name] ?? 0) % smallest !== 0n,
  )
  const missing = listing.status === 'active' && listing.list_price === null
  return [
    ...broken.map((path) => ({ path, message: `must be a whole number in ${listing.currency}` })),
    ...(missing ? [{ path: 'list_price', message: 'is required for an active listing' }] : []),
  ]
}

/** Whether the public can see the remarks as an offer. */
export const isPublished = ({ status }: Pick<Listing, 'status'>): boolean =>
  status === 'active' || status === 'coming_soon'

/** Derived values that have columns of their own. */
export const derivedOf = (listing: Listing) => ({
  address_key: addressKey(listing),
  // Masked, because every credential can search it.
  search_text: searchText([
    ...[listing.street_number, listing.street_name, listing.unit_number, listing.city].map((part) =>
      maskText(part ?? ''),
    ),
    maskText(listing.postal_code?.replace(/^(\d{5})[ -]?\d{4}$/, '$1') ?? ''),
    listing.mls_number,
  ]),
  search_by: searchVersion,
})

type Shown = Static<typeof listings.Record>

/** The listing for an API response. */
export const presentListing = ({
  listed_at: _,
  relisted_at: __,
  news_at: ___,
  deleted_at: ____,
  ...shown
}: Listing): Shown => shown
