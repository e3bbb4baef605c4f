import type { ListingDraft } from '../../modules/listings/public.ts'
import type { Random } from '../random.ts'
import type { Household } from './household.ts'

type Kind = Pick<ListingDraft, 'property_type' | 'property_sub_type'> & { remarks: readonly string[] }

const homes: readonly Kind[] = [
  {
    property_type: 'residential',
    property_sub_type: 'Single family residence',
    remarks: [
      'Sunlit rooms, oak floors throughout, and a kitchen that was renewed in 2021. The garage has space for two cars.',
      'Brick bungalow with a finished basement and a deep garden. New roof in 2019, new windows in 2022.',
      'Four levels, a home office, and a roof deck with a view of the skyline. Two blocks from the train.',
      'Center-entry colonial with a fireplace, a mudroom, and a screened porch. The furnace and the water heater are from 2023.',
    ],
  },
  {
    property_type: 'residential',
    property_sub_type: 'Condominium',
    remarks: [
      'Corner unit with a private balcony and in-unit laundry. Storage and one parking space are included.',
      'Top floor with twelve-foot ceilings and south light. The building has an elevator and a bike room.',
      'Vintage one-level home with a dining room, original millwork, and a new electric panel.',
    ],
  },
  {
    property_type: 'residential',
    property_sub_type: 'Townhouse',
    remarks: [
      'End unit with an attached garage and a patio. The bedrooms are on the upper floor, each with a closet of its own.',
      'Three levels with a den on the first. New carpet, and a deck off the kitchen that was rebuilt in 2022.',
    ],
  },
]

const others: readonly Kind[] = [
  {
    property_type: 'residential_income',
    property_sub_type: 'Duplex',
    remarks: [
      'Classic two-flat with separate meters. Both kitchens were updated; the boiler is from 2020.',
      'Brick two-flat, both units leased month to month. A garage for two cars, and laundry in the basement.',
    ],
  },
  {
    property_type: 'residential_lease',
    property_sub_type: 'Apartment',
    remarks: [
      'Second floor, freshly painted, with laundry in the building. Heat is included; a parking space is extra.',
      'Garden level with its own entrance and a dishwasher. Available at the first of the month.',
    ],
  },
  {
    property_type: 'land',
    property_sub_type: 'Unimproved land',
    remarks: ['A level corner lot with water, sewer, and gas at the street. A survey of 2022 is available.'],
  },
]

/** A seller's home as a listing. */
export const propertyOf = (household: Household, random: Random) =>
  listed(random.pick(homes), household, household.price ?? 400_000, random)

/** Kinds of property on the market, and how often there is one among twelve. */
export const kindsOnMarket = [
  ...homes.map((kind) => [kind, 3] as const),
  ...others.map((kind) => [kind, 1] as const),
]

/** A property of this kind, for a household outside the cast. */
export function propertyOfKind(kind: Kind, household: Household, random: Random) {
  return listed(kind, household, priceOf(kind, random), random)
}

function priceOf({ property_type, property_sub_type }: Kind, random: Random): number {
  if (property_type === 'residential_lease') return random.integer(30, 84) * 50
  if (property_type === 'land') return random.integer(16, 70) * 5000
  const [from, to] = property_sub_type === 'Condominium' ? [38, 130] : [58, 260]
  return random.integer(from, to) * 5000 - random.pick([0, 100, 1000])
}

function listed(
  { remarks, ...kind }: Kind,
  { slots, city, zip }: Household,
  list_price: number,
  random: Random,
) {
  const [number = '', ...name] = slots.street.split(' ')
  const home = {
    bedrooms: Number(slots.beds),
    bathrooms_total: random.pick([1, 1.5, 2, 2.5, 3]),
    living_area: random.integer(9, 34) * 100,
    year_built: random.integer(1895, 2019),
    garage_spaces: random.integer(0, 2),
  }
  return {
    mls_number: `1${random.integer(2_000_000, 2_999_999)}${random.integer(0, 9)}`,
    source_system: 'MRED',
    ...kind,
    list_price,
    street_number: number,
    street_name: name.join(' '),
    city,
    state: 'IL',
    postal_code: zip,
    ...(kind.property_type === 'land' ? { lot_size_acres: random.pick([0.11, 0.16, 0.24, 0.5]) } : home),
    public_remarks: random.pick(remarks),
  } satisfies Omit<ListingDraft, 'list_agent_id'>
}
