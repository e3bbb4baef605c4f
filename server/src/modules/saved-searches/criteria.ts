import { type Static, Type } from 'typebox'
import type { Issue } from '#kernel/errors.ts'
import { masked } from '#kernel/masking/masked.ts'
import { Money } from '#kernel/money.ts'
import { freeText, text } from '#kernel/records/fields.ts'
import { fold } from '../contacts/public.ts'
import { type Listing, PropertyType } from '../listings/public.ts'

const maxPlaces = 50

export const Criteria = Type.Object(
  {
    cities: Type.Optional(
      Type.Array(
        { ...freeText(80), minLength: 1 },
        {
          maxItems: maxPlaces,
          description:
            'The listing is in one of these cities, or in one of `postal_codes`. Ignores case and accents.',
        },
      ),
    ),
    postal_codes: Type.Optional(
      Type.Array(masked('postal_code', { ...text(20), minLength: 1 }), {
        maxItems: maxPlaces,
        description:
          'The listing is in one of these ZIP codes, or in one of `cities`. `60201` includes `60201-1234`.',
      }),
    ),
    property_types: Type.Optional(
      Type.Array(PropertyType, { maxItems: 9, description: 'The listing has one of these types.' }),
    ),
    price_min: Type.Optional(Money('The lowest list price.')),
    price_max: Type.Optional(Money('The highest list price.')),
    bedrooms_min: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
    bathrooms_min: Type.Optional(Type.Number({ minimum: 0, maximum: 1000 })),
  },
  {
    additionalProperties: false,
    description:
      'The requirements for a listing. A criterion that you omit, or an empty list, requires nothing. A listing without a value for a criterion does not match it. Prices are compared as amounts, regardless of currency.',
  },
)
export type Criteria = Static<typeof Criteria>

export const criteriaIssues = ({ price_min = 0, price_max = Infinity }: Criteria): Issue[] =>
  price_min > price_max ? [{ path: 'criteria.price_max', message: 'must not be less than price_min' }] : []

/** The fields of a listing that matching depends on. */
export type Searched = Pick<
  Listing,
  | 'status'
  | 'deleted_at'
  | 'city'
  | 'postal_code'
  | 'property_type'
  | 'list_price'
  | 'bedrooms'
  | 'bathrooms_total'
>

/** Whether a listing matches. Only active listings do, because a coming-soon listing cannot be shown yet. */
export function matches(criteria: Criteria, listing: Searched): boolean {
  const { property_types = [], price_min, price_max, bedrooms_min, bathrooms_min } = criteria
  const { status, deleted_at, property_type, list_price, bedrooms, bathrooms_total } = listing
  return (
    status === 'active' &&
    deleted_at === null &&
    isInPlace(criteria, listing) &&
    (property_types.length === 0 || (property_type !== null && property_types.includes(property_type))) &&
    reachesMin(list_price, price_min) &&
    (price_max === undefined || (list_price !== null && list_price <= price_max)) &&
    reachesMin(bedrooms, bedrooms_min) &&
    reachesMin(bathrooms_total, bathrooms_min)
  )
}

const reachesMin = (value: number | null, minimum: number | undefined): boolean =>
  minimum === undefined || (value !== null && value >= minimum)

/** Cities and ZIP codes form one list of places. One match is enough. */
function isInPlace({ cities = [], postal_codes = [] }: Criteria, listing: Searched): boolean {
  if (cities.length === 0 && postal_codes.length === 0) return true
  const city = fold(listing.city ?? '').trim()
  const code = plainCode(listing.postal_code ?? '')
  return (
    (city !== '' && cities.some((one) => fold(one).trim() === city)) ||
    (code !== '' &&
      postal_codes.some((one) => code === plainCode(one) || code.startsWith(`${plainCode(one)}-`)))
  )
}

const plainCode = (postalCode: string): string => postalCode.replaceAll(/\s/g, '').toUpperCase()
