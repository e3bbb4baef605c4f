import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { maxCounted, maxIds } from '#kernel/http/paging.ts'
import { newId } from '#kernel/ids.ts'
import { asOwner } from '#test/support/database.ts'
import { endpoints } from '../../src/api.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { emptyList, idsOf, readPages } from './lists.ts'
import { parametersOf } from './requests.ts'

let app: TestApp
beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

const lists = endpoints.filter(({ list }) => list !== undefined)
const takes = (name: string) => (endpoint: (typeof lists)[number]) =>
  parametersOf(endpoint).some(([each]) => each === name)

describe.each(lists)('GET $path', (endpoint) => {
  const { path } = endpoint
  let list: Awaited<ReturnType<typeof emptyList>>

  beforeAll(async () => {
    app.clock.advance(60_000)
    list = await emptyList(app, path)
    await list.add(Math.max(1, 4 - list.rows.length))
  })

  test('returns the records that ids names, in the order of the list, page by page', async () => {
    const [first = '', second = ''] = list.rows
    const last = list.rows.at(-1) ?? ''
    const unknown = newId(app.clock.now())
    const wanted = new Set([first, second, last])
    const ids = [last, unknown, first, second, first].join(',')
    const pages = await readPages((page) => list.page(`ids=${ids}&${page}`), 2)
    expect(pages.flat()).toEqual(list.rows.filter((id) => wanted.has(id)))
    expect(idsOf(await list.page(`ids=${unknown},x`))).toEqual([])
  })

  test('finds nothing by IDs of another workspace', async () => {
    const other = await emptyList(app, path)
    // The examples give some records of every workspace the same ID.
    const foreign = list.rows.filter((id) => !other.rows.includes(id))
    expect(idsOf(await other.page(`ids=${foreign.join(',')}`))).toEqual([])
  })

  test(`takes at most ${maxIds} IDs`, async () => {
    const ids = (count: number) => Array.from({ length: count }, () => list.rows[0]).join(',')
    expect(idsOf(await list.page(`ids=${ids(maxIds)}`))).toEqual(list.rows.slice(0, 1))
    expect(await list.page(`ids=${ids(maxIds + 1)}`)).toMatchObject({
      status: 400,
      body: { error: { code: 'validation_failed', details: [{ path: 'ids' }] } },
    })
  })

  test.runIf(takes('updated_after')(endpoint))(
    'returns the records that changed at or after a time',
    async () => {
      app.clock.advance(60_000)
      const { data } = (await list.page('limit=200')).body
      const times = (data as { updated_at: string }[]).map(({ updated_at }) => updated_at).toSorted()
      for (const time of [times[0], times.at(-1)]) {
        const changed = (data as { id: string; updated_at: string }[]).filter(
          ({ updated_at }) => updated_at >= (time ?? ''),
        )
        const found = await readPages((page) => list.page(`updated_after=${time}&${page}`), 3)
        expect(found.flat()).toEqual(changed.map(({ id }) => id))
      }
      const later = new Date(Date.parse(times.at(-1) ?? '') + 1).toISOString()
      expect(idsOf(await list.page(`updated_after=${later}`))).toEqual([])
    },
  )

  const ofSeveral = parametersOf(endpoint).filter(([, { items }]) => items?.enum !== undefined)
  test.each(ofSeveral)('returns for several values of %s what each of them returns', async (name, schema) => {
    app.clock.advance(60_000)
    const values = orNotFound(schema.items?.enum).map(String)
    const found: string[] = []
    for (const value of values) {
      const some = idsOf(await list.page(`limit=200&${name}=${value}`))
      if (endpoint.path !== '/contacts') expect(some.filter((id) => found.includes(id))).toEqual([])
      found.push(...some)
    }
    const all = idsOf(await list.page(`limit=200&${name}=${values.join(',')}`))
    if (name !== 'has') expect(all.toSorted()).toEqual(found.toSorted())
    expect(all).toEqual(list.rows.filter((id) => all.includes(id)))
  })

  const count = endpoints.find(({ counts }) => counts?.path === path)
  test.runIf(count !== undefined)('counts what it returns', async () => {
    app.clock.advance(60_000)
    const { rows } = list
    const queries = ['', `ids=${rows[0]},${rows[1]},x`, ...filterQueries()]
    for (const query of queries) {
      const found = idsOf(await list.page(`limit=200&${query}`)).length
      const counted = await list.agent.get(`${path}/count?${query}`)
      expect([query, counted.status, counted.body]).toEqual([query, 200, { count: found, exact: true }])
    }
    const other = await app.credential()
    const elsewhere = idsOf(await other.get(path)).length
    expect((await other.get(`${path}/count`)).body['count']).toBe(elsewhere)
  })

  const filterQueries = () =>
    parametersOf(endpoint).flatMap(([name, { type, items, enum: values = items?.enum }]) => {
      if (values !== undefined) return [`${name}=${String(values[0])}`]
      return type === 'boolean' ? [`${name}=true`] : []
    })
})

test('a count is exact up to 10,000', async () => {
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const add = (from: number, to: number) =>
    asOwner(
      app.databaseUrl,
      `insert into contacts (workspace_id, id, stage, tags, search_tags, read_by, ai_auto_response, search_names,
         search_details, created_at, updated_at)
       select $1, 'c' || lpad(n::text, 24, '0'), 'LEAD', '{vip}', '{vip}', 1, 'active', '', '', now(), now()
       from generate_series($2::integer, $3::integer) as n`,
      [workspace.id, from, to],
    )
  await add(1, maxCounted)
  for (const query of ['', '?stage=LEAD', '?tag=VIP'])
    expect((await agent.get(`/contacts/count${query}`)).body).toEqual({ count: maxCounted, exact: true })
  await add(maxCounted + 1, maxCounted + 1)
  for (const query of ['', '?stage=LEAD', '?tag=VIP'])
    expect((await agent.get(`/contacts/count${query}`)).body).toEqual({ count: maxCounted, exact: false })
})

test('a member counts and selects the records in reach only', async () => {
  const workspace = await app.workspace()
  const system = await workspace.credential()
  const { id: memberId } = await workspace.member()
  const member = await workspace.keyFor(memberId)
  const make = async (draft: object) => (await system.post('/contacts', draft)).body['id'] as string
  const [own, foreign] = [await make({ owner_id: memberId, tags: ['a'] }), await make({ tags: ['a'] })]
  for (const query of ['', '&tag=a', '&q=&tags_all=a', '&updated_after=2020-01-01T00:00:00Z'])
    expect(idsOf(await member.get(`/contacts?ids=${own},${foreign}${query}`))).toEqual([own])
  for (const query of ['', '?tag=a', '?updated_after=2020-01-01T00:00:00Z'])
    expect((await member.get(`/contacts/count${query}`)).body).toEqual({ count: 1, exact: true })
})
