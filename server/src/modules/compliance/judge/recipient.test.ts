import { expect, test } from 'vitest'
import type { E164 } from '../../contacts/public.ts'
import { recipientOf } from '../public.ts'
import { statesOf, zonesOf } from './zones.ts'

const nothing = { street: null, city: null, state: null, postal_code: null, country: null }
const chicago = { ...nothing, city: 'Chicago', state: 'IL', postal_code: '60614' }
const [newYork, losAngeles, memphis] = ['+12125550123', '+12135550123', '+19015550123']

test.each([
  ['an address by its ZIP code', chicago, null, losAngeles, ['America/Chicago']],
  ['a ZIP+4 code', { ...nothing, postal_code: '60614-1234' }, null, newYork, ['America/Chicago']],
  ['the United States by name', { ...chicago, country: 'US' }, null, newYork, ['America/Chicago']],
  ['a time zone before the address', chicago, 'Europe/Berlin', newYork, ['Europe/Berlin']],
  ['a time zone without an address', null, 'Pacific/Honolulu', newYork, ['Pacific/Honolulu']],
  ['nothing but the number', null, null, losAngeles, ['America/Los_Angeles']],
  ['a city alone', { ...nothing, city: 'Chicago' }, null, losAngeles, ['America/Los_Angeles']],
  ['a state of the number', { ...nothing, state: 'TN' }, null, memphis, ['America/Chicago']],
  [
    'a state of two zones',
    { ...nothing, state: 'TN' },
    null,
    newYork,
    ['America/Chicago', 'America/New_York'],
  ],
  ['digits that are no ZIP code', { ...nothing, postal_code: '6061' }, null, newYork, ['America/New_York']],
  ['a place abroad', { ...chicago, country: 'DE', state: 'IL' }, null, newYork, ['America/New_York']],
  ['a text for a state', { ...nothing, state: 'North Shore' }, null, newYork, ['America/New_York']],
] as const)('the judge finds the time zones for %s', (_, address, timezone, phone, zones) => {
  const zonesTaken = zonesOf(recipientOf({ address, timezone }, phone as E164))
  expect(zonesTaken.toSorted()).toEqual(zones)
})

test.each([
  ['+12129110123', 'invalid'],
  ['+12124110123', 'invalid'],
  ['+14165110123', 'invalid'],
  ['+17872110123', 'invalid'],
  ['+18764110123', 'invalid'],
  ['+18004110123', 'US'],
  ['+12129120123', 'US'],
  ['+14165120123', 'CA'],
])('the country of %s is %s', (phone, country) => {
  expect(recipientOf({ address: null, timezone: null }, phone as E164).country).toBe(country)
})

test('the states of a US address and of the number apply; other text is ignored', () => {
  const statesAt = (state: string, country: string | null = null) =>
    statesOf(recipientOf({ address: { ...nothing, state, country }, timezone: null }, newYork as E164))
  expect(statesAt('FL')).toEqual(['FL', 'NY'])
  expect(statesAt('FL', 'US')).toEqual(['FL', 'NY'])
  expect(statesAt('North Shore')).toEqual(['NY'])
  expect(statesAt('FL', 'MX')).toEqual(['NY'])
})

test.each([
  [newYork, 'US'],
  ['+14165550123', 'CA'],
  ['+18765550123', 'other'],
  ['+442079460958', 'other'],
  ['+19995550123', 'invalid'],
  [null, null],
])('the country of the number %s is %s', (phone, country) => {
  const { country: judged } = recipientOf({ address: chicago, timezone: null }, phone as E164 | null)
  expect(judged).toBe(country)
})

test('the zones of the number also apply to an address from a lead, unless a time zone is set', () => {
  const zonesFrom = (address_source: 'contact' | 'lead', timezone: string | null = null) =>
    zonesOf(recipientOf({ address: chicago, address_source, timezone }, losAngeles as E164)).toSorted()
  expect(zonesFrom('lead')).toEqual(['America/Chicago', 'America/Los_Angeles'])
  expect(zonesFrom('contact')).toEqual(['America/Chicago'])
  expect(zonesFrom('lead', 'America/Denver')).toEqual(['America/Denver'])
})
