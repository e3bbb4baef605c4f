import { expect, test } from 'vitest'
import { type E164, areaCodeOf, stateOfAreaCode, toE164 } from './phone.ts'

test.each([
  ['312-555-0123', '+13125550123'],
  ['(312) 555-0123 x5', '+13125550123'],
  ['1 312 555 0123', '+13125550123'],
  ['+13125550123', '+13125550123'],
  ['+44 20 7946 0958', '+442079460958'],
  ['800 555 1212', '+18005551212'],
  // In service since 2025, so not every list knows it.
  ['+12235550123', '+12235550123'],
])('%s is %s', (text, number) => {
  expect(toE164(text)).toBe(number)
})

test.each([
  '12345',
  '911',
  'call 3125550123',
  '+1 555 555 5555',
  '+19995551234',
  '++++++',
  '3125550123456789',
  '     ',
])('%s is not a phone number', (text) => {
  expect(toE164(text)).toBe(undefined)
})

test('a US area code gives its state, and other area codes give none', () => {
  const areaOf = (number: string) => areaCodeOf(number as E164)
  expect(areaOf('+13125550123')).toBe('312')
  expect(stateOfAreaCode('312')).toBe('IL')
  expect(areaOf('+18005551212')).toBe(undefined)
  expect(areaOf('+14165550123')).toBe(undefined)
  expect(areaOf('+442079460958')).toBe(undefined)
  expect(stateOfAreaCode('constructor')).toBe(undefined)
})
