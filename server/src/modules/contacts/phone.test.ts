import { expect, test } from 'vitest'
import { type E164, areaCodeOf, phoneParts, stateOfAreaCode, toDialable, toE164 } from './phone.ts'

test.each([
  ['312-555-0123', '+13125550123'],
  ['(312) 555-0123 x5', '+13125550123'],
  ['1 312 555 0123', '+13125550123'],
  ['+13125550123', '+13125550123'],
  ['+44 20 7946 0958', '+442079460958'],
  ['800 555 1212', '+18005551212'],
  // From a spreadsheet
  ['3125550123.0', '+13125550123'],
  ['13125550123.00', '+13125550123'],
  // In service since 2025, so not every list knows it.
  ['+12235550123', '+12235550123'],
])('%s is %s', (text, number) => {
  expect(toE164(text)).toBe(number)
})

test.each([
  '12345',
  '911',
  'call my wife',
  'call my wife: 312-555-0123',
  '312-555-0123 (wife)',
  'n/a',
  'ext. 45',
  'cell',
  '312 555 0123 / 312 555 0199',
  'call 3125550123',
  '+1 555 555 5555',
  '+19995551234',
  '++++++',
  '3125550123456789',
  // A US number with too many digits is no number of another country.
  '312-555-01234',
  '312.555.0123.4',
  '3125550123 2',
  '919-555-0123 12',
  '435-555-0123 45',
  '     ',
])('%s is not a phone number', (text) => {
  expect(toE164(text)).toBe(undefined)
})

test.each([
  ['312-555-0161 (cell)', '+13125550161', null],
  ['tel:+1-312-555-0123', '+13125550123', null],
  ['+1 312 555 0123;ext=45', '+13125550123', '45'],
  ['(312) 555-0123 ext. 45', '+13125550123', '45'],
  ['Cell: 312.555.0123', '+13125550123', null],
  ['m: 312-555-0123', '+13125550123', null],
  ['(312) 555-0123 [Work]', '+13125550123', null],
  ['312-555-0123 home phone', '+13125550123', null],
  ['Tel. (312) 555-0123.', '+13125550123', null],
  ['Celular 312 555 0123', '+13125550123', null],
  ['312-555-0123 c', '+13125550123', null],
  ['312-555-0123 x45 (office)', '+13125550123', '45'],
  ['312-555-0123 Extension: 0045', '+13125550123', '0045'],
  ['312-555-0123 #45', '+13125550123', '45'],
  ['3125550123,,45', '+13125550123', '45'],
  ['312-555-0123p45', '+13125550123', '45'],
  ['312-555-0123 poste 45', '+13125550123', '45'],
  ['tel:312-555-0123;phone-context=+1', '+13125550123', null],
  ['tel:3125550123;phone-context=example.com', '+13125550123', null],
  ['sms:+13125550123', '+13125550123', null],
  ['callto://+13125550123', '+13125550123', null],
  ['https://wa.me/13125550123', '+13125550123', null],
  ['（３１２）５５５－０１２３', '+13125550123', null],
  ['\u202a+1 312 555 0123\u202c', '+13125550123', null],
  ['\ufeff312\u2011555\u20110123\u200b', '+13125550123', null],
  ['+1\u00a0312\u00a0555\u00a00123', '+13125550123', null],
  ['312·555·0123', '+13125550123', null],
  ["'+13125550123", '+13125550123', null],
  ['"312-555-0123"', '+13125550123', null],
  ['<312-555-0123>', '+13125550123', null],
  ['3️⃣1️⃣2️⃣-555-0123', '+13125550123', null],
  ['++1 312 555 0123', '+13125550123', null],
  ['mobile # 312-555-0123', '+13125550123', null],
  ['📞 312-555-0123', '+13125550123', null],
  ['Mobile No.: (312) 555-0123', '+13125550123', null],
  ['tel:%2B13125550123', '+13125550123', null],
  ['(+1) 312-555-0123', '+13125550123', null],
  ['٣١٢٥٥٥٠١٢٣', '+13125550123', null],
  ['312-555-0123 ext.', '+13125550123', null],
  ['{312} 555 0123 ex 45', '+13125550123', '45'],
  ['0044 20 7946 0958', '+442079460958', null],
  ['+44 (0)20 7946 0958', '+442079460958', null],
  ['1 (800) 411-0123', '+18004110123', null],
])('%s is read as %s, extension %s', (text, phone_e164, phone_extension) => {
  expect(phoneParts(text)).toEqual({ phone_e164, phone_extension })
})

test.each([
  ['+5215541637145', '+52 55 4163 7145'],
  ['5215541637201', '+52 55 4163 7201'],
  ['+52 1 81 8123 4567', '52 81 8123 4567'],
  ['+553187654321', '+55 31 98765-4321'],
  ['551187654321', '+55 (11) 98765-4321'],
  ['5491123456789', '+54 11 15-2345-6789'],
  ['+5493514567890', '+54 351 15-456-7890'],
])('%s, as WhatsApp writes it, is the number %s', (whatsApp, national) => {
  expect(toE164(whatsApp)).toMatch(/^\+\d+$/)
  expect(toE164(whatsApp)).toBe(toE164(national))
})

// In an area with a place, no exchange is a service: 211, 311, …, 911.
test.each([
  '+12129110123',
  '(312) 411-0123',
  '1-415-611-0123',
  '305.811.0123 ext. 4',
  'tel:+1-206-711-0123',
  '+14162110123',
  '+18763110123',
  '+12235110123',
  '７０２－９１１－０１２３',
])('%s has the format of a phone number, but is none', (text) => {
  expect(toE164(text)).toBe(undefined)
  expect(toDialable(text)).toMatch(/^\+1\d{10}$/)
  expect(phoneParts(text)).toEqual({ phone_e164: null, phone_extension: null })
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
