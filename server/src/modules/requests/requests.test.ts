import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { personIn } from '#test/support/browser.ts'
import type { Client } from '#test/support/client.ts'
import { eventually } from '#test/support/eventually.ts'
import { sessionClient } from '#test/support/session-client.ts'
import { deleteOldLog } from './jobs.ts'

let app: TestApp
let place: TestWorkspace
let agent: Client

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
  const [read] = await logged(`method=GET&path=${id}`)
  expect(read).toMatchObject({ status: 200, path: `/v1/contacts/${id}`, error_code: null })
  expect(await whole(read?.['id'])).toMatchObject({ request_body: null, response_body: null })
  const [wrong] = await logged('method=GET&status=404&error_code=not_found')
  expect(wrong).toMatchObject({ path: '/v1/contacts/{id}' })
  const [write] = await logged(`request_id=${headers.get('x-request-id')}`)
  const created = (await whole(write?.['id'])) as { response_body: Record<string, unknown> }
  expect(created.response_body).toMatchObject({ id, first_name: '…', email: '…', stage: 'LEAD' })
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
