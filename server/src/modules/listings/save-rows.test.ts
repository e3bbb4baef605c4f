import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { idOf } from '#test/support/fixtures.ts'
import { addressKey } from './address-key.ts'
import { saveRows } from './save-rows.ts'

let app: TestApp
let workspace: TestWorkspace
let client: Client
let list_agent_id: string

beforeAll(async () => {
  app = await testApp()
  workspace = await app.workspace()
  client = await workspace.credential()
  list_agent_id = (await workspace.member()).id
})
afterAll(() => app[Symbol.asyncDispose]())

const send = async (rows: object[]) => (await client.post('/listings/batch', { listings: rows })).body
const count = async () => (await client.get('/listings?limit=200')).body['data'].length

test('each row has a result, valid rows are saved, and repeating the request changes nothing', async () => {
  const contact = idOf(await client.post('/contacts'))
  await client.delete(`/contacts/${contact}`)
  const at = { street_number: '48', street_name: 'Alder Court', postal_code: '60201' }
  const rows = [
    { mls_number: 'A1', list_agent_id, list_price: 400_000 },
    { mls_number: 'A2', list_agent_id, bedrooms: 'three', stray: 1 },
    { list_agent_id, bedrooms: 3 },
    { ...at, list_agent_id, original_list_price: 510_000, list_price: 500_000, status: 'active' },
    { ...at, street_name: 'ALDER CT.', postal_code: '60201-4410', list_agent_id },
    { mls_number: 'A3', list_agent_id: 'no-one' },
    { mls_number: 'A4', list_agent_id, seller_contact_id: contact },
    { mls_number: 'A5', list_agent_id, status: 'active', list_price: 1, public_remarks: 'No kids.' },
    { mls_number: 'A6', list_agent_id: null, list_office_id: null },
    { mls_number: 'A1', list_agent_id, bedrooms: 2 },
  ]
  const first = await send(rows)
  expect(first).toMatchObject({ created: 2, updated: 0, unchanged: 0, failed: 8 })
  const fault = (code: string, ...paths: string[]) => ({
    result: 'failed',
    id: null,
    error: { code, details: paths.map((path) => ({ path })) },
  })
  expect(first['results']).toMatchObject([
    { result: 'created', error: null },
    fault('validation_failed', 'stray', 'bedrooms'),
    fault('validation_failed', 'mls_number'),
    { result: 'created', error: null },
    fault('validation_failed', 'street_name'),
    fault('not_found', 'list_agent_id'),
    fault('contact_erased'),
    fault('fair_housing_review'),
    fault('validation_failed', 'list_agent_id'),
    fault('validation_failed', 'mls_number'),
  ])
  expect(first['results'][7].error.flags).toMatchObject([{ category: 'familial_status', text: 'No kids' }])
  expect(first['results'][9].error.details[0].message).toBe('is that of row 0 too')
  expect(await send(rows)).toMatchObject({ created: 0, updated: 0, unchanged: 2, failed: 8 })
  const known = first['results'][3].id
  const adopted = await send([
    { ...at, street_name: 'Alder ct', mls_number: 'A7', unit_number: null, bedrooms: 4 },
  ])
  expect(adopted['results']).toMatchObject([{ result: 'updated', id: known }])
  expect((await client.get(`/listings/${known}`)).body).toMatchObject({
    mls_number: 'A7',
    bedrooms: 4,
    original_list_price: 510_000,
    unit_number: null,
  })
  const fixed = await send([{ mls_number: 'A7', original_list_price: 1 }])
  expect(fixed['results']).toMatchObject([{ error: { details: [{ path: 'original_list_price' }] } }])
  // Sold again under a new MLS number.
  expect(await send([{ ...at, mls_number: 'A8', list_agent_id }])).toMatchObject({ created: 1 })
})

test('the texts of a row are read as those of a body, whether it comes from the API or a file', async () => {
  const { id } = await workspace.member()
  const row = {
    mls_number: ' T1\u00a0',
    list_agent_id: id,
    public_remarks: 'Bright.\r\nQuiet.\f\u2028New\ufeff.',
  }
  const [saved] = await saveRows(workspace.ctx, [row])
  const { body } = await client.get(`/listings/${saved?.id}`)
  expect(body).toMatchObject({ mls_number: 'T1', public_remarks: 'Bright.\nQuiet.\n\nNew.' })
  expect(await send([row])).toMatchObject({ unchanged: 1 })
})

test('a batch may be empty but not have 101 rows', async () => {
  expect(await send([])).toMatchObject({ created: 0, failed: 0, results: [] })
  const rows = Array.from({ length: 101 }, (_, i) => ({ mls_number: `N${i}` }))
  expect((await client.post('/listings/batch', { listings: rows })).status).toBe(400)
})

test('sixteen concurrent batches create each listing once', async () => {
  const before = await count()
  const row = { street_name: 'Race Street', postal_code: '60202', list_agent_id }
  const all = await Promise.all(
    Array.from({ length: 16 }, (_, i) =>
      send(
        i % 2 === 0
          ? [
              { ...row, mls_number: 'R1' },
              { ...row, unit_number: '1' },
            ]
          : [row],
      ),
    ),
  )
  expect(all.map(({ failed }) => failed)).toEqual(all.map(() => 0))
  expect(await count()).toBe(before + 2)
})

describe('addresses', () => {
  const at = (
    ...[street_number, street_name, unit_number, postal_code]: readonly [
      string,
      string,
      string | null,
      string,
    ]
  ) => addressKey({ street_number, street_name, unit_number, postal_code })
  test.each([
    ['48', 'Alder Court', 'Apt. 3B', '60201'],
    ['48', 'ALDER CT', '#3b', '60201-4410'],
    ['48', 'Álder  ct.', 'Unit 3 B', '602014410'],
  ] as const)('%s %s %s %s has the same key', (number, street, unit, zip) => {
    expect(at(number, street, unit, zip)).toBe('48 alder ct|3b|60201')
  })
  test('a different number, street, unit, or ZIP gives another key, and no street or ZIP gives none', () => {
    const keys = [
      at('48', 'Alder Court', null, '60201'),
      at('4', '8 Alder Court', null, '60201'),
      at('49', 'Alder Court', null, '60201'),
      at('48', 'Alder Street', null, '60201'),
      at('48', 'Alder Court', 'Apt', '60201'),
      at('48', 'Alder Court', null, '60202'),
    ]
    expect(new Set(keys).size).toBe(6)
    expect([at('48', ' ', null, '60201'), at('48', 'Alder Court', null, '')]).toEqual([null, null])
  })
})

test('a second row for the same listing fails, even if the first row failed', async () => {
  const own = { list_agent_id: (await workspace.member()).id, list_price: 100, public_remarks: 'Bright.' }
  const rows = [
    { ...own, mls_number: 'Q1', status: 'active', public_remarks: 'No kids.' },
    { ...own, mls_number: 'Q1', status: 'pending' },
  ]
  const results = async () => (await saveRows(workspace.ctx, rows)).map(({ result }) => result)
  expect(await results()).toEqual(['failed', 'failed'])
  expect(await results()).toEqual(['failed', 'failed'])
})

test('saving arbitrary rows twice changes nothing the second time', async () => {
  const row = fc.record(
    {
      mls_number: fc.constantFrom('P1', 'P2', 'P3', null),
      street_number: fc.constantFrom('1', '2'),
      street_name: fc.constantFrom('Elm St', 'Elm Street', 'Oak Ave'),
      postal_code: fc.constantFrom('60601', '60601-1234'),
      list_price: fc.constantFrom(100, 200.5, null),
      status: fc.constantFrom('active', 'pending', 'incomplete'),
      public_remarks: fc.constantFrom('Bright.', 'No kids.', null),
      photos: fc.constantFrom([], [{ url: 'https://p.example/1' }]),
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), async (rows) => {
      const { id } = await workspace.member()
      const own = rows.map((one) => ({ ...one, list_agent_id: id }))
      app.clock.advance(1000)
      const first = await saveRows(workspace.ctx, own)
      const dry = await saveRows(workspace.ctx, own, { dryRun: true })
      const second = await saveRows(workspace.ctx, own)
      const written = (result: string) => (result === 'failed' ? result : 'unchanged')
      expect(second.map(({ result }) => result)).toEqual(first.map(({ result }) => written(result)))
      expect(second.map(({ id: one }) => one)).toEqual(first.map(({ id: one }) => one))
      expect(dry).toEqual(second)
    }),
    { numRuns: 30 },
  )
})
