import { expect, test } from 'vitest'
import { dateIn, numberIn } from './cells.ts'
import { headerMatcher } from './headers.ts'

test.for<[text: string, number: number | undefined]>([
  ['489000', 489_000],
  ['$1,250,000 ', 1_250_000],
  ['$ 1,250,000.50', 1_250_000.5],
  ['2.5', 2.5],
  ['2,5', 2.5],
  ['1,250', 1250],
  ['1 250 000', 1_250_000],
  ['1\u202F250\u00A0000', 1_250_000],
  ['1.250.000,50', 1_250_000.5],
  ["1'250'000", 1_250_000],
  ['USD 450,000', 450_000],
  ['450,000 USD', 450_000],
  ['US$450,000', 450_000],
  ['$475K', 475_000],
  ['1.2M', 1_200_000],
  ['$1.25 million', 1_250_000],
  ['1,840 sq ft', 1840],
  ['1840 SqFt', 1840],
  ['1,840 sq. ft.', 1840],
  ['1840sf +/-', 1840],
  ['0.25 acres', 0.25],
  ['.25 ac', 0.25],
  ['3 beds', 3],
  ['2½', 2.5],
  ['2 1/2 baths', 2.5],
  ['2-car', undefined],
  ['2 cars', 2],
  ['-5', -5],
  ['(500)', -500],
  ['４８９０００', 489_000],
  ['2.0', 2],
  ['cheap', undefined],
  ['1.25E+06', undefined],
  ['3-4', undefined],
  ['1,25,000', undefined],
  ['1.2.3', undefined],
  ['#VALUE!', undefined],
  ['', undefined],
])('the number in %j is %j', ([text, number]) => {
  expect(numberIn(text)).toBe(number)
})

test.for<[text: string, date: string | undefined]>([
  ['2026-11-05', '2026-11-05'],
  ['11/5/2026', '2026-11-05'],
  ['11/5/26', '2026-11-05'],
  ['1/2/98', '1998-01-02'],
  ['11-05-2026', '2026-11-05'],
  ['46346', '2026-11-20'],
  ['46346.75', '2026-11-20'],
  ['20261105', '2026-11-05'],
  ['2026/11/5', '2026-11-05'],
  ['5.11.2026', '2026-11-05'],
  ['5-Nov-26', '2026-11-05'],
  ['5 Nov 2026', '2026-11-05'],
  ['Nov 5, 2026', '2026-11-05'],
  ['November 5th, 2026', '2026-11-05'],
  ['Thursday, November 5, 2026', '2026-11-05'],
  ['2026-11-05T00:00:00.000Z', '2026-11-05'],
  ['2026-11-05 23:30:00-06:00', '2026-11-05'],
  ['11/5/2026 12:00:00 AM', '2026-11-05'],
  ['11/5/26, 3:04 p.m.', '2026-11-05'],
  ['13/40/2026', undefined],
  ['20/11/2026', undefined],
  ['2/30/2026', undefined],
  ['99999', undefined],
  ['120', undefined],
  ['soon', undefined],
  ['Foo 5, 2026', undefined],
])('the date in %j is %j', ([text, date]) => {
  expect(dateIn(text)).toBe(date)
})

test('headers are found by name, whatever stands between the letters', () => {
  const fieldOf = headerMatcher([
    ['mls_number', 'mls_number'],
    ['Lot Size (acres)', 'acres'],
    ['Lot Size', 'lot'],
    ['price', 'price'],
  ])
  const found = [
    'MLS #',
    'mls-number',
    ' MLS Number ',
    'Price ($)',
    'PRICE [USD]',
    'Lot Size (Acres)',
    'Lot Size (m²)',
    'Lot.Size',
    'Prize',
  ]
  expect(found.map(fieldOf)).toEqual([
    'mls_number',
    'mls_number',
    'mls_number',
    'price',
    'price',
    'acres',
    'lot',
    'lot',
    undefined,
  ])
})
