import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maskDeep } from './mask-deep.ts'
import { maskEmail } from './mask-email.ts'
import { maskPhone } from './mask-phone.ts'
import { maskText } from './mask-text.ts'

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
])('the phone number %s is shown as %s', (phone, masked) => {
  expect(maskPhone(phone)).toBe(masked)
  expect(maskPhone(masked ?? '')).toBe(masked)
})

test.each([
  ['jane@example.com', 'j***@example.com'],
  ['j@example.com', 'j***@example.com'],
  ['"odd@name"@example.com', '"***@example.com'],
])('the email address %s is shown as %s', (email, masked) => expect(maskEmail(email)).toBe(masked))

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

const callingCodes = ['', '+1', '+7', '+44', '+353', '+972']
const writings: Record<string, (number: string) => string> = {
  'as it is': (number) => number,
  'in groups of three': (number) => number.replaceAll(/\d{3}(?=\d)/g, '$& '),
  'with hyphens': (number) => number.replaceAll(/\d\d(?=\d)/g, '$&-'),
  'with the first three in parentheses': (number) => number.replace(/^\d{3}/, '($&) '),
}

test.each(callingCodes)(
  'after the calling code "%s", shows the last four digits, or none if there are fewer than seven',
  (code) => {
    for (let length = 0; length <= 20; length++) {
      const number = '49382716054938271605'.slice(0, length)
      for (const [how, write] of Object.entries(writings)) {
        const written = code + write(number)
        const masked = maskPhone(written)
        expect(masked, `${written} ${how}`).toBe(`${code}******${length < 7 ? '' : number.slice(-4)}`)
        if (length >= 7) expect(maskText(`Call ${written} now`), how).toBe(`Call ${masked} now`)
      }
    }
  },
)

test.each([
  ['Call +1 312 555 0199 or ada@reyes.example.', 'Call +1******0199 or a***@reyes.example.'],
  ['(312) 555-0123, after 5 pm', '******0123, after 5 pm'],
  ['https://example.com/?to=ada%40reyes.example&x=1', 'https://example.com/?to=a***%40reyes.example&x=1'],
  ['https://example.com/?tel=%2B13125550123#a', 'https://example.com/?tel=+1******0123#a'],
  ['tel=312%2D555%2d0123', 'tel=******0123'],
  ['tel=%33%31%32%35%35%35%30%31%32%33', 'tel=******0123'],
  ['tel=%2533125550123', 'tel=******0123'],
  ['q=1+312+555+0123', 'q=******0123'],
  ['mailto:ada&#64;reyes.example', 'mailto:a***&#64;reyes.example'],
  ['ada&#x40;reyes&#46;example', 'a***&#x40;reyes&#46;example'],
  ['ada&amp;#64;reyes.example', 'a***&amp;#64;reyes.example'],
  ['ada&commat;reyes.example', 'a***&commat;reyes.example'],
  ['&#51;&#49;&#50;5550123', '******0123'],
  ...Array.from('‐‑‒–—−-·•~,:/._*|∙', (one) => [`312${one}555${one}0123`, '******0123']),
  ['312, 555, 0123', '******0123'],
  ['3\u200B1\u200B2\u200B5550123', '******0123'],
  ['312\u2060555\u00AD0123', '******0123'],
  ['ada\u200B@reyes.example', 'a***\u200B@reyes.example'],
  ['３１２５５５０１２３', '******0123'],
  ['ada＠reyes.example', 'a***＠reyes.example'],
  ['ａｄａ＠ｒｅｙｅｓ．ｅｘａｍｐｌｅ', 'ａ***＠ｒｅｙｅｓ．ｅｘａｍｐｌｅ'],
  ['٣١٢٥٥٥٠١٢٣', '******0123'],
  ['①②③④⑤⑥⑦', '******4567'],
  ['3️⃣1️⃣2️⃣5️⃣5️⃣5️⃣0️⃣', '******5550\uFE0F\u20E3'],
  ['zoë@reyes.example', 'z***@reyes.example'],
  ['a@b@c.de', 'a@b***@c.de'],
])('in free text %s becomes %s', (text, masked) => {
  expect(maskText(text)).toBe(masked)
  expect(maskText(masked ?? '')).toBe(masked)
})

test.each([
  '3 beds, 2 baths, 1,250,000',
  'Prefers mornings',
  'Zoë 😀 #1',
  'Open 10:00 - 14:00',
  '2026-03-02T14:59:00-06:00',
  '2026-03-02 14:59:00.123+0600',
  'From 2026-03-02 to 03/15/2026',
  '100% sure & 5% down',
  '+353******5678',
  'a@',
  '@home @work',
])('%s is not changed', (text) => expect(maskText(text)).toBe(text))

test('contact details are masked anywhere in a value, including keys and numbers', () => {
  expect(
    maskDeep({ '3125550123': [3125550123, -3125550123, 1250000, null, { a: 'ada@reyes.example' }] }),
  ).toEqual({
    '******0123': ['******0123', '-******0123', 1250000, null, { a: 'a***@reyes.example' }],
  })
})

test.each([
  'a',
  'a.',
  'a@',
  'a@b.',
  '1',
  '1 (',
  '+',
  '12345 x',
  'a@1.',
  '%',
  '%40',
  '&#',
  '&amp;',
  '1:11,',
  '*',
  '１',
  '\u200B',
])('masks 100 kB of %j within 1.5 s of CPU time', (part) => {
  const text = part.repeat(100_000 / part.length)
  const start = process.cpuUsage()
  maskText(text)
  const { user, system } = process.cpuUsage(start)
  expect((user + system) / 1000).toBeLessThan(1500)
})

test('a phone number in text shows only its last four digits, however it is encoded', () => {
  const hidden = fc.constantFrom('', '\u200B', '\u2060', '\u00AD')
  const between = fc.constantFrom('', ' ', '-', '–', '.', ', ', ':', '~', '*', '%20', '&#45;')
  const digit = (one: string) =>
    fc.constantFrom(
      one,
      `%3${one}`,
      `&#${48 + Number(one)};`,
      String.fromCharCode(0xff10 + Number(one)),
      String.fromCharCode(0x660 + Number(one)),
    )
  const number = fc.tuple(...Array.from('3125550123', (one) => fc.tuple(digit(one), hidden, between)))
  fc.assert(
    fc.property(number, (parts) => {
      const written = parts
        .map(([one, mark, gap], i) => one + mark + (i === parts.length - 1 ? '' : gap))
        .join('')
      expect(maskText(`Call ${written} now`)).toMatch(/^Call \*{6}0123\D? now$/)
    }),
  )
})

test.each([
  'cmm9b2ao0gru2057715f4gtps',
  'c123456789012345678901234',
  'See /contacts/cmm9b2ao0gru2057715f4gtps.',
])('an ID is no phone number, whatever digits it has: %s', (text) => {
  expect(maskText(text)).toBe(text)
})

test.each(['xcmm9b2ao0gru2057715f4gtps', 'cmm9b2ao0gru2057715f4gtpsx', 'cmm9b2ao0gru 2057715 f4gtps'])(
  'what only looks like an ID is masked: %s',
  (text) => {
    expect(maskText(text)).not.toContain('2057715')
  },
)
