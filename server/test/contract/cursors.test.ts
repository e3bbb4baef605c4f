import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../src/api.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { listForm, ofEachForm } from './forms.ts'
import { emptyList, idsOf } from './lists.ts'
import { inGroups } from './requests.ts'

let app: TestApp
/** A cursor of each list, all from workspaces other than a test's. */
let cursors: string[]

/**
 * The kernel reads a cursor before the list's query and writes the next one after it; paging.test.ts follows those of
 * every list.
 */
const listEndpoints = ofEachForm(
  endpoints.filter(({ list }) => list),
  listForm,
)

beforeAll(async () => {
  app = await testApp()
  cursors = await Promise.all(listEndpoints.map(({ path }) => newCursor(path)))
})
afterAll(() => app[Symbol.asyncDispose]())

describe.each(listEndpoints)('GET $path', ({ path }) => {
  test('restarts with X-Cursor-Reset if the cursor is invalid or from another list', async () => {
    const list = await emptyList(app, path)
    await list.add(4)
    const cursor = (await list.page('limit=2')).body['next_cursor'] as string
    const spoilt = [
      'x',
      '0',
      '-1',
      'null',
      '%00',
      '%F0%9F%98%80',
      '..%2F..',
      "'%20or%201=1",
      list.rows[1] ?? '',
      cursor.slice(0, -2),
      cursor.slice(2),
      cursor + cursor,
      [...cursor].toReversed().join(''),
      cursor.toUpperCase(),
      btoa(list.rows[1] ?? ''),
      'A'.repeat(47),
      'A'.repeat(8000),
    ]
    const start = (await list.page('limit=2')).body
    await inGroups(app.clock, [...spoilt, ...foreignTo(path)], async (one) => {
      const response = await list.page(`limit=2&cursor=${one}`)
      expect([one, response.status, response.headers.get('x-cursor-reset')]).toEqual([one, 200, 'true'])
      expect(response.body, one).toEqual(start)
    })
  })

  test('accepts the same cursor with another page size, a field mask, and another key', async () => {
    const list = await emptyList(app, path)
    await list.add(5)
    const cursor = (await list.page('limit=2')).body['next_cursor']
    const colleague = await list.workspace.credential()
    const rest = list.rows.slice(2)
    for (const response of [
      await list.page(`cursor=${cursor}`),
      await list.page(`fields=id&cursor=${cursor}`),
      await colleague.get(`${list.address}?cursor=${cursor}`),
    ]) {
      expect(idsOf(response)).toEqual(rest)
      expect(response.headers.has('x-cursor-reset')).toBe(false)
    }
  })
})

/** Cursors of the list itself and of the lists that follow, from other workspaces. */
function foreignTo(path: string): string[] {
  const at = listEndpoints.findIndex((endpoint) => endpoint.path === path)
  return [...cursors, ...cursors].slice(at, at + Math.min(6, cursors.length))
}

/** A cursor of the list in a new workspace. */
async function newCursor(path: string): Promise<string> {
  const list = await emptyList(app, path)
  await list.add(2)
  return (await list.page('limit=1')).body['next_cursor'] as string
}

test('a cursor from one list resets every other list in the same workspace', async () => {
  const agent = await app.credential()
  const addresses = [
    '/contacts',
    '/contacts?stage=LEAD',
    '/events',
    '/events?type=contact.created',
    '/webhooks',
  ]
  for (let i = 0; i < 2; i++) {
    const { id } = (await agent.post('/contacts', { stage: 'LEAD' })).body
    const { id: hook } = (await agent.post('/webhooks', { url: 'https://hooks.example.com' })).body
    for (let n = 0; n < 2; n++) {
      await agent.post(`/contacts/${id}/notes`, { body: 'A note' })
      await agent.post(`/webhooks/${hook}/test`)
    }
    addresses.push(`/contacts/${id}/notes`, `/contacts/${id}/events`)
    addresses.push(`/webhooks/${hook}/deliveries`, `/webhooks/${hook}/deliveries?status=pending`)
  }
  const at = (address: string) => `${address}${address.includes('?') ? '&' : '?'}limit=1`
  for (const from of addresses) {
    app.clock.advance(60_000)
    const cursor = (await agent.get(at(from))).body['next_cursor']
    expect([from, cursor]).toEqual([from, expect.any(String)])
    for (const to of addresses) {
      const { headers } = await agent.get(`${at(to)}&cursor=${cursor}`)
      expect([from, to, headers.get('x-cursor-reset')]).toEqual([from, to, from === to ? null : 'true'])
    }
  }
})

test('a cursor is bound to its filters, regardless of their order', async () => {
  const list = await emptyList(app, '/contacts')
  await list.add(3)
  const cursor = (await list.page('limit=1&stage=LEAD&source=Web')).body['next_cursor']
  const goesOn = async (query: string) =>
    !(await list.page(`limit=1&cursor=${cursor}&${query}`)).headers.has('x-cursor-reset')
  for (const other of [
    '',
    'stage=LEAD',
    'source=Web',
    'stage=HOT_LEAD&source=Web',
    'stage=LEAD&source=web',
    'stage=LEAD&source=Web&q=ada',
  ]) {
    expect([other, await goesOn(other)]).toEqual([other, false])
  }
  expect(await goesOn('stage=LEAD&source=Web')).toBe(true)
  expect(await goesOn('source=Web&stage=LEAD')).toBe(true)
})
