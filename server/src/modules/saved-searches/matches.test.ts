import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { asOwner } from '#test/support/database.ts'
import { type Criteria, type Searched, matches } from './criteria.ts'
import { newsOf } from './news.ts'

const orNothing = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 1 })
const cities = ['Evanston', 'evanston ', 'Skokie', 'São Paulo', 'Sao paulo', 'Oak Park']
const codes = ['60201', '60201-1234', '60202', 'K1A 0B1', 'k1a0b1', '6020']
const types = ['residential', 'land', 'farm'] as const
const prices = fc.constantFrom(0, 99.99, 100, 100.01, 250)

const criteria = fc
  .record({
    cities: orNothing(fc.subarray(cities)),
    postal_codes: orNothing(fc.subarray(codes)),
    property_types: orNothing(fc.subarray([...types])),
    price_min: orNothing(prices),
    price_max: orNothing(prices),
    bedrooms_min: orNothing(fc.nat(3)),
    bathrooms_min: orNothing(fc.constantFrom(0, 0.5, 1, 2.5)),
  })
  .map((value) => JSON.parse(JSON.stringify(value)) as Criteria)

const listing: fc.Arbitrary<Searched> = fc.record({
  status: fc.constantFrom('active', 'active', 'active', 'coming_soon', 'pending', 'closed'),
  deleted_at: fc.constantFrom(null, null, null, '2026-03-01T00:00:00.000Z'),
  city: fc.option(fc.constantFrom(...cities, '')),
  postal_code: fc.option(fc.constantFrom(...codes)),
  property_type: fc.option(fc.constantFrom(...types)),
  list_price: fc.option(prices),
  bedrooms: fc.option(fc.nat(4)),
  bathrooms_total: fc.option(fc.constantFrom(0, 0.5, 1, 2, 2.5, 3)),
})

/** The same logic in SQL, for all pairs at once. A condition that is null does not hold. */
const oracle = `
  select coalesce(
    l.status = 'active' and l.deleted_at is null
    and (c.property_types is null or json_array_length(c.property_types) = 0
      or l.property_type in (select json_array_elements_text(c.property_types)))
    and (c.price_min is null or l.list_price >= c.price_min) and (c.price_max is null or l.list_price <= c.price_max)
    and (c.bedrooms_min is null or l.bedrooms >= c.bedrooms_min)
    and (c.bathrooms_min is null or l.bathrooms_total >= c.bathrooms_min)
    and (
      coalesce(json_array_length(c.cities), 0) + coalesce(json_array_length(c.postal_codes), 0) = 0
      or exists (select from json_array_elements_text(c.cities) as one
        where trim(l.city) <> '' and trim(translate(lower(one), 'ã', 'a')) = trim(translate(lower(l.city), 'ã', 'a')))
      or exists (select from json_array_elements_text(c.postal_codes) as one
        where replace(upper(l.postal_code), ' ', '') ~ ('^' || replace(upper(one), ' ', '') || '(-.*)?$'))
    ), false) as found
  from json_array_elements($1::json) with ordinality as pair (it, place),
    json_to_record(it -> 'criteria') as c (cities json, postal_codes json, property_types json, price_min numeric,
      price_max numeric, bedrooms_min int, bathrooms_min numeric),
    json_to_record(it -> 'listing') as l (status text, deleted_at text, city text, postal_code text, property_type text,
      list_price numeric, bedrooms int, bathrooms_total numeric)
  order by place`

test('matching agrees with the same logic in SQL', async () => {
  await using app = await testApp()
  const pairs = fc.sample(fc.record({ criteria, listing }), 5000)
  const rows = await asOwner<{ found: boolean }>(app.databaseUrl, oracle, [JSON.stringify(pairs)])
  const expected = rows.map(({ found }) => found)
  expect(expected.filter(Boolean).length).toBeGreaterThan(100)
  const wrong = pairs.filter((pair, place) => matches(pair.criteria, pair.listing) !== expected[place])
  expect(wrong).toEqual([])
})

test('each criterion narrows the matches, and another city widens them', () => {
  fc.assert(
    fc.property(criteria, listing, fc.constantFrom(...cities), (asked, one, city) => {
      if (matches(asked, one))
        for (const name of ['price_min', 'price_max', 'bedrooms_min', 'bathrooms_min'])
          expect(matches({ ...asked, [name]: undefined }, one)).toBe(true)
      const places = asked.cities ?? []
      if (places.length > 0 && matches(asked, one))
        expect(matches({ ...asked, cities: [...places, city] }, one)).toBe(true)
    }),
  )
})

const at = (hour: number) => `2026-03-02T${String(hour).padStart(2, '0')}:00:00.000Z`
const span = { since: at(8), until: at(18) }
const home = {
  listed_at: at(1),
  relisted_at: null,
  price_history: [{ list_price: 500, at: at(1) }],
  list_price: 500,
}
const priced = (...history: (readonly [hour: number, price: number])[]) => ({
  price_history: history.map(([hour, list_price]) => ({ list_price, at: at(hour) })),
  list_price: history.at(-1)?.[1] ?? null,
})

test.for([
  ['nothing happened', {}, undefined],
  ['it was listed', { listed_at: at(9) }, { kind: 'new' }],
  ['it was listed at the end', { listed_at: at(18) }, { kind: 'new' }],
  ['it was listed at the beginning', { listed_at: at(8) }, undefined],
  ['it was listed afterwards', { listed_at: at(19) }, undefined],
  [
    'it was listed, and became cheaper',
    { listed_at: at(9), ...priced([9, 500], [10, 400]) },
    { kind: 'new' },
  ],
  ['it came back', { relisted_at: at(9) }, { kind: 'back' }],
  ['it came back before', { relisted_at: at(7) }, undefined],
  ['it became cheaper', priced([1, 500], [9, 450]), { kind: 'reduced', from: 500 }],
  ['it became cheaper twice', priced([1, 500], [9, 450], [10, 440]), { kind: 'reduced', from: 500 }],
  ['it became cheaper before', priced([1, 500], [7, 450]), undefined],
  ['it became cheaper afterwards', priced([1, 500], [19, 450]), undefined],
  ['it became more expensive', priced([1, 500], [9, 550]), undefined],
  ['it became cheaper than never', priced([1, 500], [9, 600], [10, 550]), undefined],
  ['it became cheaper, and dearer afterwards', priced([1, 500], [9, 450], [19, 600]), undefined],
  ['its earlier prices are forgotten', priced([9, 500], [10, 450]), { kind: 'reduced', from: 500 }],
] as const)('news of a listing: %s', ([, changes, expected]) => {
  expect(newsOf({ ...home, ...changes } as typeof home, span)).toEqual(expected)
})
