import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasVersion } from '#kernel/http/etag.ts'
import { endpoints } from '../../src/api.ts'
import { type TestApp, testApp } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { commonForm, ofEachForm } from './forms.ts'
import { bodyFor, makeRecords, pathToNew } from './requests.ts'

let app: TestApp
/** The client that reads lists, in a workspace with a record of each kind. */
let reader: Client

beforeAll(async () => {
  app = await testApp()
  reader = await app.credential()
  await makeRecords(reader)
})
afterAll(() => app[Symbol.asyncDispose]())

/**
 * The route narrows what any handler returns: the body of a list row by row, that of a record as a whole, after an ETag
 * was made of it. It knows neither the handler nor the record's schema.
 */
const masking = ofEachForm(
  endpoints.filter(({ fields }) => fields),
  (endpoint) => ({
    ...commonForm(endpoint),
    method: endpoint.method,
    list: endpoint.list !== undefined,
    versioned: hasVersion(endpoint),
  }),
)

const foreignNames = [
  'nothing',
  'ID',
  'id.x',
  'workspace_id',
  'search_details',
  '__proto__',
  'constructor',
  'toString',
  '*',
  'é',
]

/**
 * Subsets that each have about half of the names. For any two names, some subset has only one of them. Every name is in
 * one subset at least, and missing from another.
 */
const halves = (names: readonly string[]): string[][] =>
  [...Array(Math.ceil(Math.log2(names.length + 1))).keys()].flatMap((bit) => {
    const isIn = (at: number) => ((at + 1) & (1 << bit)) > 0
    return [names.filter((_, at) => isIn(at)), names.filter((_, at) => !isIn(at))]
  })

type Row = Record<string, unknown>

describe.each(masking)('$method $path', (endpoint) => {
  let agent: Client
  let read: Promise<string> | undefined

  beforeAll(async () => {
    agent = endpoint.list === undefined ? await app.credential() : reader
    if (agent !== reader) await makeRecords(agent, [endpoint])
  })

  /** The records in the response. Each change is to a new record. */
  async function recordsOf(query = ''): Promise<Row[]> {
    if (endpoint.method !== 'GET') read = undefined
    read ??= pathToNew(endpoint, agent)
    const path = await read
    const { status, body } = await agent.request(endpoint.method, path + query, { body: bodyFor(endpoint) })
    expect(Object.keys(endpoint.responses)).toContain(String(status))
    return endpoint.list ? body['data'] : [body]
  }

  const namesOf = (records: Row[]) =>
    [...new Set(records.flatMap((record) => Object.keys(record)))].toSorted()

  test('returns the members listed in `fields` and always the id', async () => {
    app.clock.advance(60_000)
    const all = namesOf(await recordsOf())
    expect(all).toContain('id')
    // Changes respond with the record that a GET shows.
    const parts = endpoint.method === 'GET' ? halves(all) : halves(all).slice(0, 2)
    for (const names of [...parts, all])
      expect(namesOf(await recordsOf(`?fields=${names.join(',')}`))).toEqual(
        [...new Set(['id', ...names])].toSorted(),
      )
    expect(namesOf(await recordsOf(`?fields=%20created_at%20,,created_at`))).toEqual(['created_at', 'id'])
  })

  test('ignores names that the record does not have', async () => {
    const fields = encodeURIComponent(foreignNames.join(','))
    expect(namesOf(await recordsOf(`?fields=${fields}`))).toEqual(['id'])
  })

  test('never returns more with a mask than without one', async () => {
    app.clock.advance(60_000)
    const [record = {}] = await recordsOf()
    const [masked = {}] = await recordsOf(
      `?fields=${Object.keys(record).join(',')},workspace_id,search_names`,
    )
    expect(Object.keys(masked)).toEqual(Object.keys(record))
    expect(namesOf(await recordsOf('?fields='))).toEqual(namesOf(await recordsOf()))
  })

  test('rejects a mask that is too long, is given twice, or has NUL', async () => {
    app.clock.advance(60_000)
    const path = await pathToNew(endpoint, agent)
    for (const fields of ['x'.repeat(1001), 'id&fields=id', '%00']) {
      const rejected = await agent.request(endpoint.method, `${path}?fields=${fields}`, {
        body: bodyFor(endpoint),
      })
      expect(rejected).toMatchObject({ status: 400, body: { error: { details: [{ path: 'fields' }] } } })
    }
  })
})

test('phone and email stay masked under a field mask without contacts:read:pii', async () => {
  const clerk = await app.credential('contacts:write')
  const contact = { phone: '+13125550123', email: 'ada@reyes.example' }
  const shown = { phone: '+1******0123', email: 'a***@reyes.example' }
  const { id } = (await clerk.post('/contacts?fields=phone,email', contact)).body
  const one = `/contacts/${id}?fields=phone,email`
  expect((await clerk.get(one)).body).toEqual({ id, ...shown })
  expect((await clerk.patch(one, { stage: 'SPHERE' })).body).toEqual({ id, ...shown })
  expect((await clerk.get('/contacts?fields=phone,email')).body['data']).toEqual([{ id, ...shown }])
})
