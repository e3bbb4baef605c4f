import { expect, test } from 'vitest'
import { scanContent } from '../scan-content.ts'

const given = ['14 Alder Court, list price 485000, 3 bedrooms', 'Open house 2026-11-28T13:00']
test.each([
  ['It is $485,000.', []],
  ['It is $495,000.', ['price']],
  ['It has four bedrooms at 16 Alder Ct.', ['size', 'address']],
  ['On Saturday at 1 pm.', []],
  ['On Sunday at 2 pm.', ['date', 'time']],
  ['See https://elsewhere.example/x', ['link']],
  // Disguised figures count, too.
  ['It is ＄４００,000', ['price']],
  ['It is 4OO,OOO dollars', ['price']],
  ['٤٠٠ dollars', ['price']],
  ['It is $\u200b400,000', ['price']],
  ['It is ＄４８５,000, or $48５k, with 3 bed\u200brooms', []],
  ['Rate: 6½%', ['rate']],
  ['Rate: 6 ½%', ['rate']],
  ['A rate of 2.9', ['rate']],
  ['The APR is 6, today, with rates from 5.5', ['rate', 'rate']],
  ['It has 2½ baths and is 100 ft² more', ['size', 'size']],
  ['See evil。com/pay', ['link']],
  ['See evil[.]com', ['link']],
  ['See evil dot com', ['link']],
  ['On Ѕunday', ['date']],
])('unsupported figures in %j: %j', (text, categories) => {
  expect(scanContent(text, { facts: given }).map((found) => found.category)).toEqual(categories)
  expect(scanContent(text)).toEqual([])
})

test.each([
  ['Saturday at 1 pm works. Is it 3 bedrooms at 14 Alder Court that you mean?', []],
  ['With a budget of $400,000 I can show you two homes.', []],
  ['Your $400,000 budget fits.', []],
  ['Con un presupuesto de $400,000 hay dos casas.', []],
  ['Yes, the price is $400,000.', ['price']],
  ['It is within your budget: the price is $400,000.', ['price']],
  ['Yes, with 2% down.', ['rate']],
  ['Yes, pay at https://elsewhere.example/pay.', ['link']],
])('unsupported figures in %j, after figures from the contact: %j', (text, categories) => {
  const said = [
    'Is it $400,000 with 2% down? I pay at https://elsewhere.example/pay on Saturday at 1 pm.',
    'The 3 bedrooms at 14 Alder Court.',
  ]
  expect(scanContent(text, { facts: [], said }).map((found) => found.category)).toEqual(categories)
})

const heard = [
  'Is it 1,640 square feet, built in 2002? My house is at 14 Alder Court. I am free Saturday at 2 pm. I need 3 bedrooms.',
]
test.each([
  ['Yes, it has 1,640 square feet, and was built in 2002.', ['size', 'date']],
  ['It is a 3-bedroom home.', ['size']],
  ['You need 3 bedrooms, so I look for those.', []],
  ['The open house is Saturday at 2 pm.', ['date', 'time']],
  ['Dana has confirmed Saturday at 2 pm.', ['date', 'time']],
  ['Your Saturday is open, then?', []],
  ['You said Saturday at 2 pm, so I ask Dana.', []],
  ['Saturday at 2 pm works for us.', []],
  ['Usted dijo el sábado a las 2.', []],
  ['I will ask Dana about Saturday at 2 pm.', []],
])('unsupported figures in %j, after questions and wishes of the contact: %j', (text, categories) => {
  expect(scanContent(text, { facts: [], said: heard }).map((found) => found.category)).toEqual(categories)
})

const areas = [
  'Living area: 1,640 sq ft. Lot: 8,200 sq ft. Rent $1,600, 12-month lease, open house Sunday, June 2.',
]
test.each([
  ['The living area is 8,200 square feet.', ['size']],
  ['It is a home of 8,200 square feet.', ['size']],
  ['The lot is 1,640 square feet.', ['size']],
  ['It has 1,640 square feet on a lot of 8,200 square feet, for a one-year lease.', []],
  ['La renta es de mil seiscientos dólares.', []],
  ['La renta es de mil setecientos dólares.', ['price']],
  ['Es el domingo 2 de junio en casa.', []],
  ['Es el domingo 3 de junio en 30 Coral Way.', ['date', 'address']],
  ['They ask over half a million.', ['price']],
  ['It has 1.9OO s-q f-t, and was built in 2Ol2.', ['size', 'date']],
  ['It has l,950 sq ft for $l,7OO.', ['size', 'price']],
])('unsupported figures in %j, given facts about areas and rent: %j', (text, categories) => {
  expect(scanContent(text, { facts: areas }).map((found) => found.category)).toEqual(categories)
})

const rental = [
  'Rental: 77 W Huron St, Unit 4B. 2.5 baths, 1/3 acre, 3-car garage. Open house Sat 1-3 PM.',
  'Today is Tuesday, March 3, 2026. Contact: I need 3+ bedrooms, and could come at quarter past ten.',
]
test.each([
  ['It is Unit 4B at 77 West Huron Street, with a half bath, on a third of an acre.', []],
  ['It is Unit 2B at 77 Huron Avenue.', ['address', 'address']],
  ['At least three bedrooms, and 10:15 on Saturday between one and three.', []],
  ['A quarter to ten, until five, a las diez y media', ['time', 'time', 'time']],
  ['A ten-minute walk, half a mile away, on the 19th floor', ['size', 'size', 'size']],
  ['It takes ten minutes to fill in, in a day or two.', []],
  ['I can show it tomorrow.', ['date']],
  ['Por la mañana, con 3 coches en la cochera', []],
])('unsupported figures in %j, given facts about a rental: %j', (text, categories) => {
  expect(scanContent(text, { facts: rental }).map((found) => found.category)).toEqual(categories)
})

const sale = ['Sold March 3, 2026, lot 1.5 acres, rent $1,650, 704 Sycamore Lane, 2200 Broadway']
test.each([
  ['It sold in March 2026, and sits on an acre and a half.', []],
  ['Se vendió en marzo de 2026.', []],
  ['They bought it in March 2009, or en abril de 2010.', ['date', 'date']],
  ['Could you move in March 2027?', []],
  ['Rent is one-thousand-six-fifty a month at seven-oh-four Sycamore Ln.', []],
  ['Rent is one-thousand-seven-fifty a month at seven-oh-five Sycamore Ln.', ['price', 'address']],
  ['Son m1l ochocient0s al mes, or two thouzand dollers.', ['price', 'price']],
  ['It is at 2200 Broadway, in the 78704 zip code.', ['address']],
  ['It is number 3305 on Willow Bend Drive, or 2020 Broadway.', ['address', 'address']],
  ['Un acre y medio, no una milla y media.', ['size']],
  ['Come at 6 : 4 5 p m, o a las s i e t e de la noche.', ['time', 'time']],
  ['hxxps://tours-x . com/now, casasdelvalle punto com', ['link', 'link']],
  ['Built in nineteen seventy-eight, or in the eighties, or los años noventa.', ['date', 'date', 'date']],
  ['It closed on 03/2026, or on 05/2019.', ['date']],
  ['Rent is sixteen fifty a month, not eighteen-fifty a month.', ['price']],
  ['El código postal es 78704.', ['address']],
  ['It has f0ur bedr00ms on a lote de acre y medio.', ['size']],
])('unsupported figures in %j, given facts about a sale: %j', (text, categories) => {
  expect(scanContent(text, { facts: sale }).map((found) => found.category)).toEqual(categories)
})

const office = [
  'Call us at (312) 555-0188. MLS 11234567. Escrow account 004417. Lot 12 of block 7, 3 bedrooms, $1,250,000.',
]
test.each([
  ['Call 312 555 0188, 3125550188, or three one two, five five five, zero one eight eight.', []],
  ['Call 3125550199.', ['phone']],
  ['Call 312 5550199 or (312)5550199.', ['phone', 'phone']],
  ['Call three one two, five five five, oh one nine nine.', ['phone']],
  ['Call three-one-two 5 5 5 0 1 9 9.', ['phone']],
  ['Llame al tres uno dos cinco cinco cinco cero uno nueve nueve.', ['phone']],
  ['Wire it to account 000123456789, routing number 021000021.', ['account', 'account']],
  ['Wire it to account number 1234 5678 9012.', ['account']],
  ['La cuenta es 12-3456-7890-12.', ['account']],
  ['Account four four one eight, please; account four four one seven is ours.', ['account']],
  ['The IBAN is GB29 NWBK 6016 1331 9268 19.', ['account']],
  ['Pay to card 4111 1111 1111 1111.', ['account']],
  ['Escrow account 004417, MLS 11234567.', []],
  ['It lists for 1250000, or 1,250,000 dollars.', []],
  ['We have 3, 4, and 5 bedrooms, or 2, 3, 4 baths.', ['size', 'size']],
  ['Lots 1, 2, 3, 4, 5, and 6 are sold.', []],
  ['On 3 4 2026 I am away.', []],
])('unsupported numbers in %j: %j', (text, categories) => {
  expect(scanContent(text, { facts: office }).map((found) => found.category)).toEqual(categories)
})
