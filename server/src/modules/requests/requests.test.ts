import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { personIn } from '#test/support/browser.ts'
import type { Client } from '#test/support/client.ts'
import { eventually } from '#test/support/eventually.ts'
import { sessionClient } from '#test/support/session-client.ts'
import { seededRandom } from '../../seed/random.ts'
import { addTo, newBatch } from './batch.ts'
import { deleteOldLog } from './jobs.ts'
import { insertBatch } from './queries.ts'

let app: TestApp
let place: TestWorkspace
let agent: Client

const hourMs = 3_600_000
const logRow = {
  method: 'GET',
  path: '/v1/ping',
  status: 200,
  ms: 1,
  credential_type: 'api_key',
  credential_id: 'key',
  ip: '127.0.0.1',
}

beforeAll(async () => {
  app = await testApp({ logsRequests: true })
  place = await app.workspace()
  agent = await place.credential()
})
afterAll(() => app[Symbol.asyncDispose]())

const logged = (query: string, reader: Client = agent) =>
  eventually(async () => {
    const { body } = await reader.get(`/requests?${query}`)
    return body['data'].length > 0 && (body['data'] as Record<string, unknown>[])
  })
const whole = async (id: unknown) => (await agent.get(`/requests/${id}`)).body

test('the request ID of an error leads to its request, without what it said about people', async () => {
  const { body } = await agent.post('/contacts', { first_name: 'Ada', email: 'no address', stage: 'Reyes' })
  const { request_id, code } = body['error']
  const [row] = await logged(`request_id=${request_id}`)
  expect(row).toMatchObject({
    request_id,
    method: 'POST',
    path: '/v1/contacts',
    status: 400,
    error_code: code,
    credential: { type: 'api_key', id: agent.keyId },
    ip: '127.0.0.1',
  })
  const found = await whole(request_id)
  expect(found).toMatchObject({
    request_body: { first_name: '…', email: '…', stage: '…' },
    response_body: { error: { code } },
  })
  expect(JSON.stringify(found)).not.toMatch(/Ada|no address|Reyes/)
})

test('a write keeps the structure of both bodies, a read none, and the path no text of a person', async () => {
  const { body, headers } = await agent.post('/contacts', { first_name: 'Ada', email: 'ada@reyes.example' })
  const id = body['id']
  await agent.get(`/contacts/${id}?fields=first_name`)
  await agent.get('/contacts/ada@reyes.example')
  const encoded = await agent.get(`/contacts/%63${String(id).slice(1)}?fields=first_name`)
  const [read] = await logged(`method=GET&path=${id}`)
  expect(read).toMatchObject({ status: 200, path: `/v1/contacts/${id}`, error_code: null })
  expect(await whole(read?.['id'])).toMatchObject({ request_body: null, response_body: null })
  const [same] = await logged(`request_id=${encoded.headers.get('x-request-id')}`)
  expect(same).toMatchObject({ status: 200, path: `/v1/contacts/${id}` })
  const [wrong] = await logged('method=GET&status=404&error_code=not_found')
  expect(wrong).toMatchObject({ path: '/v1/contacts/{id}' })
  const [write] = await logged(`request_id=${headers.get('x-request-id')}`)
  const created = (await whole(write?.['id'])) as { response_body: Record<string, unknown> }
  expect(created.response_body).toMatchObject({ id, first_name: '…', email: '…', stage: 'LEAD' })
})

test('whatever a request has in its path and query, the log can be read, and has no text of it', async () => {
  const reader = await (await app.workspace()).credential()
  const [, host = ''] = app.url.split('//')
  const targets = ['/v1/ping?%00=1&%00=2', '/v1/ping?%ED%A0%80=1&%ED%A0%80=2', '/v1/ping#ada@reyes.example']
  for (const target of targets) {
    // As no client of fetch sends it.
    const [hostname, port] = host.split(':')
    const sent = request({
      hostname,
      port,
      path: target,
      headers: { authorization: `token ${reader.key}` },
    }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    await once(response.resume(), 'end')
  }
  await eventually(async () => (await logged('method=GET', reader)).length === targets.length)
  const rows = await logged('method=GET', reader)
  expect(rows.map(({ path }) => path)).toEqual(targets.map(() => '/v1/ping'))
  for (const { id } of rows) {
    const { status, body } = await reader.get(`/requests/${id}`)
    expect([status, JSON.stringify(body)]).toEqual([200, expect.not.stringMatching(/ada/i)])
  }
})

test('an erasure removes the bodies that name the person', async () => {
  const { body } = await agent.post('/contacts', { first_name: 'Bea', email: 'bea@reyes.example' })
  await agent.patch(`/contacts/${body['id']}`, { stage: 'NURTURE' })
  const [row] = await logged(`method=PATCH&path=${body['id']}`)
  expect(await whole(row?.['id'])).toMatchObject({ response_body: { id: body['id'] } })
  await agent.delete(`/contacts/${body['id']}`)
  expect(await whole(row?.['id'])).toMatchObject({ status: 200, request_body: null, response_body: null })
})

test('only settings:manage sees addresses; other workspaces and reads of the log are not in it', async () => {
  const developer = await place.credential('webhooks:manage')
  await agent.get('/ping')
  const [row] = await logged('path=ping', developer)
  expect(row).toMatchObject({ path: '/v1/ping', ip: null })
  const other = await (await app.workspace()).credential()
  expect((await other.get('/requests')).body['data']).toEqual([])
  expect((await other.get(`/requests/${row?.['id']}`)).status).toBe(404)
  expect((await agent.get('/requests?path=requests')).body['data']).toEqual([])
})

test('of a signed-in person, no body is kept', async () => {
  const person = await personIn(place, 'admin')
  const client = await sessionClient(app, person, place.id)
  await client.post('/contacts', { first_name: 'Cy', email: 'cy@reyes.example' })
  const [row] = await logged(`credential=${person.member.id}&method=POST`)
  expect(row).toMatchObject({ credential: { type: 'member' }, status: 201 })
  expect(await whole(row?.['id'])).toMatchObject({ request_body: null, response_body: null })
})

test('a list has each request once, newest first, however requests and batches overlap', async () => {
  const reader = await (await app.workspace()).credential()
  const now = app.clock.now().getTime()
  const draw = seededRandom(7)
  const random = (below: number) => draw.integer(0, below - 1)
  // Three busy minutes, and hours in which nearly nothing happens.
  const begun = [
    ...Array.from({ length: 180 }, () => random(180_000)),
    ...Array.from({ length: 12 }, () => random(40 * hourMs)),
  ]
  const all = begun.map((ago) => {
    const began = now - ago
    const ended = began + (random(3) === 0 ? random(90_000) : random(900))
    const error_code = random(6) === 0 ? 'not_found' : undefined
    return { id: newId(new Date(began)), ended, error_code, method: random(2) === 0 ? 'GET' : 'POST' }
  })
  // Two servers write what ended in each second.
  const batches = Map.groupBy(all, ({ ended }) => `${Math.floor(ended / 1000)} ${random(2)}`)
  for (const some of batches.values()) {
    const rows = some.map(({ ended, ...one }) => ({
      ...logRow,
      ...one,
      created_at: new Date(ended).toISOString(),
    }))
    const batch = newBatch(orNotFound(rows[0]))
    for (const row of rows) addTo(batch, row)
    await insertBatch(app.runtime.database.unflushed(orNotFound(reader.workspace).id), batch)
  }
  const listed = async (query: Record<string, string>, limit: number) => {
    const ids: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const search = new URLSearchParams({
        ...query,
        limit: String(limit),
        ...(cursor === '' ? {} : { cursor }),
      })
      const { body } = await reader.get(`/requests?${search}`)
      ids.push(...body['data'].map(({ id }: { id: string }) => id))
      cursor = body['next_cursor'] as string | null
    }
    return ids
  }
  const expected = (matches: (one: (typeof all)[number]) => boolean) =>
    all
      .filter(matches)
      .map(({ id }) => id)
      .toSorted()
      .toReversed()
  const at = (ago: number) => new Date(now - ago).toISOString()
  // About as many as began within a minute, which is how far a list looks at first.
  for (const limit of [20, 45, 50, 55, 60, 65, 70])
    expect(await listed({}, limit)).toEqual(expected(() => true))
  expect(await listed({ error_code: 'not_found' }, 200)).toEqual(
    expected(({ error_code }) => error_code !== undefined),
  )
  expect(await listed({ method: 'POST' }, 50)).toEqual(expected(({ method }) => method === 'POST'))
  for (const [from, to] of [
    [2000, 1000],
    [hourMs, 1500],
    [41 * hourMs, hourMs],
  ] as const)
    expect(await listed({ created_from: at(from), created_to: at(to) }, 20)).toEqual(
      expected(({ ended }) => ended >= now - from && ended < now - to),
    )
  for (const { id } of all.slice(0, 8)) {
    expect(await listed({ request_id: `req_${id}` }, 10)).toEqual([id])
    expect((await reader.get(`/requests/${id}`)).body).toMatchObject({ id })
  }
})

test('a request is kept for 30 days', async () => {
  const reader = await (await app.workspace()).credential()
  await reader.get('/ping')
  await logged('path=ping', reader)
  app.clock.advance(29 * 86_400_000)
  await deleteOldLog.handle(app.runtime)
  expect((await reader.get('/requests')).body['data']).toHaveLength(1)
  app.clock.advance(2 * 86_400_000)
  await deleteOldLog.handle(app.runtime)
  expect((await reader.get('/requests?path=ping')).body['data']).toEqual([])
})
