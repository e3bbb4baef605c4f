import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../src/api.ts'
import { type TestApp, testApp } from '../support/app.ts'
import type { Client, Response } from '../support/client.ts'

interface Ids {
  id: string
}

/** How each list gets a row, and how one of its rows goes, where it can. A new list wants a line here. */
const lists: Record<string, { insert(agent: Client, id: string): Promise<string>; erase?(agent: Client, row: string): Promise<unknown> }> = {
  '/contacts': {
    insert: async (agent) => (await agent.post('/contacts', { first_name: 'Ada', stage: 'LEAD', source: 'Web' })).body['id'],
    erase: (agent, row) => agent.delete(`/contacts/${row}`),
  },
  '/contacts/{id}/notes': {
    insert: async (agent, id) => (await agent.post(`/contacts/${id}/notes`, { body: 'A note' })).body['id'],
  },
  '/contacts/{id}/events': {
    insert: async (agent, id) => (await agent.post(`/contacts/${id}/notes`, { body: 'A note' })).body['id'],
  },
}

let app: TestApp

beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

/** An empty list of a new workspace, or one with so few rows that a test can name them. */
async function emptyList(path: string) {
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const { insert, erase } = lists[path] ?? {}
  if (insert === undefined) throw new Error(`No row is made for ${path}.`)
  const contact = path.includes('{') ? (await agent.post('/contacts')).body['id'] : ''
  const address = path.replace('{id}', contact)
  const rows = (await agent.get(address)).body['data'].map(({ id }: Ids) => id) as string[]
  return {
    workspace,
    agent,
    address,
    /** Ids that are in the list, newest first. */
    rows,
    async add(count: number) {
      for (let i = 0; i < count; i++) {
        app.clock.advance(1000)
        rows.unshift(await insert(agent, contact))
      }
    },
    erase: erase === undefined ? undefined : (row: string) => erase(agent, row),
    page: (query: string) => agent.get(`${address}?${query}`),
  }
}

const idsOf = ({ body }: Response) => body['data'].map(({ id }: Ids) => id) as string[]

/** Walks to the end; `between` is called after each page. */
async function walk(page: (query: string) => Promise<Response>, limit: number, between = async () => {}): Promise<string[][]> {
  const pages: string[][] = []
  for (let query = `limit=${limit}`; pages.length < 100; ) {
    const answer = await page(query)
    expect(answer.status).toBe(200)
    expect(answer.headers.has('x-cursor-reset')).toBe(false)
    expect(answer.body['has_more']).toBe(answer.body['next_cursor'] !== null)
    pages.push(idsOf(answer))
    if (answer.body['next_cursor'] === null) return pages
    query = `limit=${limit}&cursor=${answer.body['next_cursor']}`
    await between()
  }
  throw new Error('The walk does not end.')
}

const listEndpoints = endpoints.filter(({ list }) => list)

describe.each(listEndpoints)('GET $path', ({ path }) => {
  test('shows every row once, newest first, in pages of any size', async () => {
    const list = await emptyList(path)
    await list.add(7)
    for (const limit of [1, 2, 3, 7, 8, 200]) {
      const pages = await walk(list.page, limit)
      expect(pages.flat()).toEqual(list.rows)
      expect(pages).toHaveLength(Math.ceil(list.rows.length / limit))
    }
    expect((await list.agent.get(list.address)).body).toMatchObject({ has_more: false, next_cursor: null })
    expect((await list.page(`limit=${list.rows.length}`)).body).toMatchObject({ has_more: false, next_cursor: null })
    expect((await list.page(`limit=${list.rows.length - 1}`)).body).toMatchObject({ has_more: true, next_cursor: expect.any(String) })
  })

  test('neither repeats nor skips a row while others come and go', async () => {
    const list = await emptyList(path)
    await list.add(12)
    const before = [...list.rows]
    const gone = new Set<string>()
    const oldest = before.toReversed()
    const pages = await walk(list.page, 3, async () => {
      await list.add(2)
      for (const row of list.erase === undefined ? [] : [oldest.shift(), before.find((id) => !gone.has(id))]) {
        if (row !== undefined) gone.add(row)
        if (row !== undefined) await list.erase?.(row)
      }
    })
    const seen = pages.flat()
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.filter((id) => !gone.has(id))).toEqual(before.filter((id) => !gone.has(id)))
  })

  test.each([1, 2, 199, 200])('takes a limit of %i', async (limit) => {
    const list = await emptyList(path)
    expect((await list.page(`limit=${limit}`)).status).toBe(200)
  })

  test.each(['0', '-1', '201', '1.5', 'ten', '', '1e1', '0x10', '+5', '%205', '9'.repeat(20), 'Infinity', 'null', '1&limit=2'])('refuses a limit of %s', async (limit) => {
    const list = await emptyList(path)
    const refused = await list.page(`limit=${limit}`)
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'validation_failed', details: [{ path: 'limit' }] } } })
  })

  test('starts anew, with X-Cursor-Reset, on a cursor that it did not give for this walk', async () => {
    const list = await emptyList(path)
    await list.add(4)
    const cursor = (await list.page('limit=2')).body['next_cursor'] as string
    const foreign = await foreignCursors(path)
    const spoilt = [
      'x', '0', '-1', 'null', '%00', '%F0%9F%98%80', '..%2F..', "'%20or%201=1", list.rows[1] ?? '', cursor.slice(0, -2), cursor.slice(2),
      cursor + cursor, [...cursor].toReversed().join(''), cursor.toUpperCase(), btoa(list.rows[1] ?? ''), 'A'.repeat(47), 'A'.repeat(8000),
    ]
    const start = (await list.page('limit=2')).body
    app.clock.advance(60_000)
    for (const one of [...spoilt, ...foreign]) {
      const answer = await list.page(`limit=2&cursor=${one}`)
      expect([one, answer.status, answer.headers.get('x-cursor-reset')]).toEqual([one, 200, 'true'])
      expect(answer.body, one).toEqual(start)
    }
  })

  test('goes on with the same cursor in pages of another size, under a mask, and for another key', async () => {
    const list = await emptyList(path)
    await list.add(5)
    const cursor = (await list.page('limit=2')).body['next_cursor']
    const colleague = await list.workspace.credential()
    const rest = list.rows.slice(2)
    for (const answer of [await list.page(`cursor=${cursor}`), await list.page(`fields=id&cursor=${cursor}`), await colleague.get(`${list.address}?cursor=${cursor}`)]) {
      expect(idsOf(answer)).toEqual(rest)
      expect(answer.headers.has('x-cursor-reset')).toBe(false)
    }
  })
})

/** Cursors of the same and the other lists in another workspace. */
async function foreignCursors(path: string): Promise<string[]> {
  const others = [path, ...Object.keys(lists).filter((other) => other !== path)].map(async (other) => {
    const list = await emptyList(other)
    await list.add(2)
    return (await list.page('limit=1')).body['next_cursor'] as string
  })
  return Promise.all(others)
}

test('a cursor of one list is none of another’s in the same workspace', async () => {
  const agent = await app.credential()
  const [one, other] = [(await agent.post('/contacts')).body['id'], (await agent.post('/contacts')).body['id']]
  for (const id of [one, other, one, other]) await agent.post(`/contacts/${id}/notes`, { body: 'A note' })
  const addresses = ['/contacts', '/contacts?stage=LEAD', ...[one, other].flatMap((id) => [`/contacts/${id}/notes`, `/contacts/${id}/events`])]
  for (const from of addresses) {
    const at = (address: string) => `${address}${address.includes('?') ? '&' : '?'}limit=1`
    const cursor = (await agent.get(at(from))).body['next_cursor']
    for (const to of addresses) {
      const { headers } = await agent.get(`${at(to)}&cursor=${cursor}`)
      expect([from, to, headers.get('x-cursor-reset')]).toEqual([from, to, from === to ? null : 'true'])
    }
  }
})

test('a cursor belongs to its filters, in whatever order they are named', async () => {
  const list = await emptyList('/contacts')
  await list.add(3)
  const cursor = (await list.page('limit=1&stage=LEAD&source=Web')).body['next_cursor']
  const goesOn = async (query: string) => !(await list.page(`limit=1&cursor=${cursor}&${query}`)).headers.has('x-cursor-reset')
  for (const other of ['', 'stage=LEAD', 'source=Web', 'stage=HOT_LEAD&source=Web', 'stage=LEAD&source=web', 'stage=LEAD&source=Web&q=ada']) {
    expect([other, await goesOn(other)]).toEqual([other, false])
  }
  expect(await goesOn('stage=LEAD&source=Web')).toBe(true)
  expect(await goesOn('source=Web&stage=LEAD')).toBe(true)
})

test('a filtered walk shows what fits and nothing else, each row once', async () => {
  const list = await emptyList('/contacts')
  await list.add(5)
  for (let i = 0; i < 5; i++) await list.agent.post('/contacts', { first_name: 'Bea', stage: 'SPHERE', tags: ['b'] })
  for (const query of ['source=Web', 'stage=LEAD', 'q=ada', 'q=ad', 'stage=LEAD&source=Web&q=ada']) {
    expect((await walk((page) => list.page(`${query}&${page}`), 2)).flat(), query).toEqual(list.rows)
  }
  expect((await walk((page) => list.page(`tag=b&${page}`), 2)).map((page) => page.length)).toEqual([2, 2, 1])
})
