import type { ListingDraft } from '../../modules/listings/public.ts'
import type { Random } from '../random.ts'
import type { Household } from './household.ts'

const remarks = [
  'Sunlit rooms, oak floors throughout, and a kitchen that was renewed in 2021. The garage has space for two cars.',
  'Brick bungalow with a finished basement and a deep garden. New roof in 2019, new windows in 2022.',
  'Corner unit with a private balcony and in-unit laundry. Storage and one parking space are included.',
  'Classic two-flat with separate meters. Both kitchens were updated; the boiler is from 2020.',
  'Four levels, a home office, and a roof deck with a view of the skyline. Two blocks from the train.',
]

/** The property of a seller, as it is listed. */
export function propertyOf({ slots, city, zip, price }: Household, random: Random) {
  const [number = '', ...name] = slots.street.split(' ')
  const list_price = price ?? 400_000
  return {
    mls_number: `1${random.integer(2_000_000, 2_999_999)}${random.integer(0, 9)}`,
    source_system: 'MRED',
    property_type: 'residential' as const,
    property_sub_type: random.pick(['Single family residence', 'Condominium', 'Townhouse']),
    list_price,
    street_number: number,
    street_name: name.join(' '),
    city,
    state: 'IL',
    postal_code: zip,
    bedrooms: Number(slots.beds),
    bathrooms_total: random.pick([1, 1.5, 2, 2.5, 3]),
    living_area: random.integer(9, 34) * 100,
    year_built: random.integer(1895, 2019),
    garage_spaces: random.integer(0, 2),
    public_remarks: random.pick(remarks),
  } satisfies Omit<ListingDraft, 'list_agent_id'>
}
