import { expect, test } from 'vitest'
import { windowOpening } from './send-window.ts'

const nowhere = { timezone: null, address: null, phone: null }
const workday = { from: '09:00', to: '18:00' }
const workspace = 'America/New_York'

const opening = (contact: Partial<Parameters<typeof windowOpening>[1]>, at: string, more: object = {}) =>
  windowOpening(
    { send_window: { ...workday, ...more } },
    { ...nowhere, ...contact },
    workspace,
    new Date(at),
  ).toISOString()

test.for<[string, Parameters<typeof opening>[0], string]>([
  ['a zone that was entered', { timezone: 'Pacific/Honolulu', phone: '+13125550100' }, 'T19:00'],
  ['the area code', { phone: '+13125550100' }, 'T14:00'],
  ['an area code of two zones, the later one', { phone: '+18505550100' }, 'T14:00'],
  ['nothing that says where they are', {}, 'T13:00'],
  ['a number of nowhere: all zones, the last one', { phone: '+18005550100' }, 'T19:00'],
])('the send window opens in the right time zone for a contact with %s', ([, contact, expected]) => {
  expect(opening(contact, '2026-07-15T10:00:00.000Z')).toBe(`2026-07-15${expected}:00.000Z`)
})

const address = { street: null, city: null, state: 'CA', postal_code: '94103', country: 'US' }

test('an address takes precedence over the area code, unless it came from a lead', () => {
  const contact = { phone: '+12125550100', address } as object
  expect(opening(contact, '2026-07-15T10:00:00.000Z')).toBe('2026-07-15T16:00:00.000Z')
  // At 6 pm in New York it is 3 pm in San Francisco.
  expect(opening(contact, '2026-07-15T22:30:00.000Z')).toBe('2026-07-15T22:30:00.000Z')
  expect(opening({ ...contact, address_source: 'lead' } as object, '2026-07-15T22:30:00.000Z')).toBe(
    '2026-07-16T16:00:00.000Z',
  )
})

test('the workspace zone applies on request, and if the hours of all possible zones never overlap', () => {
  const hawaiian = { timezone: 'Pacific/Honolulu' }
  expect(opening(hawaiian, '2026-07-15T10:00:00.000Z', { zone: 'workspace' })).toBe(
    '2026-07-15T13:00:00.000Z',
  )
  const nowhereKnown = { phone: '+18005550100' }
  expect(opening(nowhereKnown, '2026-07-15T10:00:00.000Z', { from: '09:00', to: '10:00' })).toBe(
    '2026-07-15T13:00:00.000Z',
  )
})

test('each zone follows its own daylight saving changes', () => {
  const florida = { phone: '+18505550100' }
  // Clocks go forward on March 8, and back on November 1.
  expect(opening(florida, '2026-03-07T23:30:00.000Z')).toBe('2026-03-08T14:00:00.000Z')
  expect(opening(florida, '2026-10-31T22:30:00.000Z')).toBe('2026-11-01T15:00:00.000Z')
  // Clocks in Arizona do not change: it is an hour behind Denver in summer, and not in winter.
  const days = { days: ['sun'] }
  const navajo = { phone: '+19285550100' }
  expect(opening(navajo, '2026-10-31T22:30:00.000Z', days)).toBe('2026-11-01T16:00:00.000Z')
  // The clock change in New York skips this hour.
  const night = { from: '02:00', to: '02:30' }
  expect(opening({ phone: '+12125550100' }, '2026-03-08T06:00:00.000Z', night)).toBe(
    '2026-03-09T06:00:00.000Z',
  )
})
