import { Type } from 'typebox'
import { masked } from '#kernel/masking/masked.ts'
import { text } from '#kernel/records/fields.ts'
import { nullable } from '#kernel/schemas.ts'
import { stateCodeOf } from './states.ts'

/** The parts of an address and their maximum lengths in characters. */
export const maxLengths = { street: 200, city: 80, state: 80, postal_code: 20, country: 80 }
export type AddressPart = keyof typeof maxLengths

/** Where a contact lives. Unknown parts are null; at least one part is known. */
export type ContactAddress = Record<AddressPart, string | null>

const parts = Object.keys(maxLengths) as AddressPart[]

export const mapParts = <T>(make: (part: AddressPart) => T) =>
  Object.fromEntries(parts.map((part) => [part, make(part)])) as Record<AddressPart, T>

const descriptions: Readonly<Partial<Record<AddressPart, string>>> = {
  street: 'Number, street, and unit.',
  state: 'Names of US states and Canadian provinces become their codes: `Illinois` becomes `IL`.',
  postal_code: 'A ZIP code in the United States.',
  country: 'Two letters, such as `US`. `null` counts as the United States.',
}

const schemaOf = (part: AddressPart) =>
  masked(part === 'postal_code' ? part : 'text', nullable(text(maxLengths[part], descriptions[part])))

/** An address in a request body. Parts may be omitted. */
export const AddressDraft = Type.Unsafe<ContactAddress>(
  Type.Object(
    mapParts((part) => Type.Optional(schemaOf(part))),
    {
      additionalProperties: false,
      description:
        'Replaces the whole address. Parts that you omit become null, so that an address never mixes two places. An address without any part becomes null.',
    },
  ),
)

export const ShownAddress = Type.Unsafe<ContactAddress>(
  Type.Object(mapParts(schemaOf), {
    description:
      'The home address of the contact, with all its parts; at least one is not null. It determines the hours and the rules for messages and calls. A lead fills in a missing address from its `context`.',
  }),
)

/**
 * Normalizes an address for storage: trims it, and replaces the names of known states and countries with their codes.
 * Null if the address is blank.
 */
export function toAddress(given: Partial<ContactAddress> | null): ContactAddress | null {
  const address = mapParts((part) => given?.[part]?.trim() || null)
  if (parts.every((part) => address[part] === null)) return null
  const country = address.country && countryOf(address.country)
  const hasCodes = country === null || country === 'US' || country === 'CA'
  const code = hasCodes && address.state !== null ? stateCodeOf(address.state) : undefined
  return { ...address, state: code ?? address.state, country }
}

const countries: Readonly<Record<string, string>> = {
  usa: 'US',
  unitedstates: 'US',
  unitedstatesofamerica: 'US',
  canada: 'CA',
}

function countryOf(name: string): string {
  if (/^[A-Za-z]{2}$/.test(name)) return name.toUpperCase()
  const bare = name.toLowerCase().replaceAll(/[^a-z]/g, '')
  return Object.hasOwn(countries, bare) ? (countries[bare] ?? name) : name
}
