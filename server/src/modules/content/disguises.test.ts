import { describe, expect, test } from 'vitest'
import { scanContent } from './scan-content.ts'

describe('disguised text', () => {
  test.each([
    'NO KIDS',
    'N\u00f3 k\u00efds',
    'no k1ds',
    'n\u043e kid\u0455',
    'ｎｏ ｋｉｄｓ',
    'no\u0301 ki\u0301ds',
    'n o  k i d s',
    'N.o. k-i-d-s',
    'no\u200b k\u00adids',
    'no kiiiids',
    'no kidz',
    'no k*ds',
    'no chilldren',
    'no_kids',
    // Letters of other alphabets and shapes
    '\u039dO KIDS',
    '\u039d\u039f \u039aID\u0405',
    'no \u1d0b\u026a\u1d05s',
    'no \u{1f17a}\u{1f178}\u{1f173}\u{1f182}',
    'no \u{1f1f0}\u{1f1ee}\u{1f1e9}\u{1f1f8}',
    '\u0578\u0585 kids',
    'no c\u0570ildren',
    '\u{1d6b4}\u{1d6b6} kids',
    // Line breaks, blanks, and zero-width characters
    'No\nkids, please',
    'No\r\nKids allowed',
    'no\u3164kids',
    'no\uffa0kids',
    'no\u200bkids',
    'n\u200bo\u200bk\u200bi\u200bd\u200bs',
    'no ki ds',
    'no chil dren',
    'nokids',
    '#NoKids',
  ])('%j is found', (text) => {
    const [found] = scanContent(text)
    expect(found).toMatchObject({ code: 'content_fair_housing', category: 'familial_status' })
    expect(text.slice(found?.start, found?.end)).toBe(found?.text)
  })

  test.each([
    ['age', 'perfect for a young\ncouple'],
    ['race_or_national_origin', 'English\nspeakers only'],
    ['price_opinion', 'We think that prices will\ngo up'],
    ['steering', 'a safe \u039dEIGHBORHOOD'],
    ['steering', 'very safe\u3164neighborhood'],
    ['steering', 'very safe\nNeighborhood'],
    ['steering', 'a safe\u200barea'],
    ['steering', 'a sa\u200bfe area'],
    ['source_of_income', 'no vou chers'],
  ] as const)('%s: %j', (category, text) => {
    expect(scanContent(text).map((found) => found.category)).toContain(category)
  })
})

test('list items and separate lines are scanned separately', () => {
  for (const text of [
    'Pets: no\n\nChildren are welcome',
    'Features:\n- No carpet, no\n- kids room\n* no\n* children’s play area',
    'Garage: no\nKids room upstairs',
    'Smoking is not allowed\nChildren are welcome',
    '1. Pets: no\n2. Kids: welcome',
  ])
    expect([text, scanContent(text)]).toEqual([text, []])
})
