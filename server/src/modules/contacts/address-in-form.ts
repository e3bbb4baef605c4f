import { type ContactAddress, type AddressPart, mapParts, maxLengths, toAddress } from './address.ts'

/**
 * Field names that lead forms and portals use for each part, without case and punctuation. The first one with a value
 * wins.
 */
const names: Readonly<Record<AddressPart, readonly string[]>> = {
  street: ['street', 'streetaddress', 'address', 'address1', 'addressline1'],
  city: ['city'],
  state: ['state', 'province'],
  postal_code: ['zip', 'postalcode', 'zipcode', 'postcode'],
  country: ['country', 'countrycode'],
}

const bare = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/**
 * Finds the address in form data such as a lead's `context`, either in top-level members or in an `address` object.
 * Ignores texts that exceed the maximum length of their part. Null if only a country is known.
 */
export function addressInForm(form: Readonly<Record<string, unknown>>): ContactAddress | null {
  const nested = form['address']
  const members = typeof nested === 'object' && nested !== null ? { ...nested, ...form } : form
  const values = new Map(Object.entries(members).map(([name, value]) => [bare(name), value]))
  const { country, ...place } = mapParts(
    (part) => names[part].map((name) => textOf(values.get(name), part)).find((text) => text !== null) ?? null,
  )
  return toAddress(place) && toAddress({ ...place, country })
}

function textOf(value: unknown, part: AddressPart): string | null {
  // A ZIP code that was parsed as a number has lost its leading zeros.
  if (typeof value === 'number') return String(value).padStart(part === 'postal_code' ? 5 : 0, '0')
  if (typeof value !== 'string') return null
  const text = value.trim()
  return text === '' || Array.from(text).length > maxLengths[part] ? null : text
}
