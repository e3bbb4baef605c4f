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
  'می‌نا',
  'क्षितिज',
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
  'call ٥٥٥٠١٢٣',
  'call 5\u200d5\u200d5\u200d0123',
  'call 5\u034f5\u034f5\u034f0',
  'prize.\u200ccom',
  'p\u200drize\u202e.c\u0308om',
  'bit\u2044ly',
  'bit\u2215ly',
  'Ada\vReply YES',
  'Ada\u0085Reply YES',
  'Ada\nYour account is locked',
  'Ada\u2028Reply YES',
  'x'.repeat(41),
])('%j is not said as a name', (name) => expect(nameInText(name)).toBeNull())

test('a missing name stays missing', () => expect(nameInText(null)).toBeNull())
