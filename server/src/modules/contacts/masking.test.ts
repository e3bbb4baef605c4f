import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maskEmail, maskPhone, maskText } from './masking.ts'

test.each([
  ['+13125550123', '+1******0123'],
  ['+442079460958', '+44******0958'],
  ['+35312345678', '+353******5678'],
  ['(312) 555-0123', '******0123'],
  ['555-0123', '******0123'],
  ['0123', '******'],
  ['+1', '+1******'],
  ['no digits', '******'],
  ['', '******'],
])('the phone number %s is shown as %s', (phone, masked) => expect(maskPhone(phone)).toBe(masked))

test.each([
  ['jane@example.com', 'j***@example.com'],
  ['j@example.com', 'j***@example.com'],
  ['"odd@name"@example.com', '"***@example.com'],
])('the e-mail address %s is shown as %s', (email, masked) => expect(maskEmail(email)).toBe(masked))

test('a masked number shows its calling code and at most four more digits', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\+?[0-9 ()-]{0,31}$/), (phone) => {
      const [code = '', rest = ''] = maskPhone(phone).split('******')
      expect(rest.length === 0 || rest.length === 4).toBe(true)
      expect(phone.replaceAll(/\D/g, '').startsWith(code.replace('+', ''))).toBe(true)
      expect(code.length).toBeLessThanOrEqual(4)
    }),
  )
})

test.each([
  ['Call +1 312 555 0199 or ada@reyes.example.', 'Call +1******0199 or a***@reyes.example.'],
  ['(312) 555-0123, after 5 pm', '******0123, after 5 pm'],
  ['3 beds, 2 baths, 1,250,000', '3 beds, 2 baths, 1,250,000'],
  ['Prefers mornings', 'Prefers mornings'],
  ['Zoë 😀 #1', 'Zoë 😀 #1'],
])('in free text %s becomes %s', (text, masked) => expect(maskText(text)).toBe(masked))

test.each(['a', 'a.', 'a@', 'a@b.', '1', '1 (', '+', '12345 x', 'a@1.'])(
  'a text of nothing but %j is masked in a moment, however long it is',
  (part) => {
    expect(maskText(part.repeat(250_000 / part.length))).toBeTypeOf('string')
  },
)
