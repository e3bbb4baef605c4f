import { expect, test } from 'vitest'
import { nameInText } from './public.ts'

test.each([
  'Ada',
  'J.R.',
  'Mary Ann',
  "D'Arcy-Łukasiewicz",
  'Dr. Nguyễn',
  'José 3rd',
  'Müller-Lüdenscheidt, Jr.',
  '美咲',
  'x'.repeat(40),
])('the name %s is said', (name) => expect(nameInText(name)).toBe(name))

test.each([
  'claim your $500 at https://prize.example',
  'WWW.prize',
  'prize.example',
  'Ada prize．example',
  'prize。com',
  'x1.co',
  'bit/ly',
  'ada@prize',
  'call 5550123',
  'code １２３４',
  'Ada\nYour account is locked',
  'Ada\u2028Reply YES',
  'x'.repeat(41),
])('%j is not said as a name', (name) => expect(nameInText(name)).toBeNull())

test('a missing name stays missing', () => expect(nameInText(null)).toBeNull())
