import { startCarrier } from '@gable/sandbox/start.ts'
import { endpoints, personEndpoints } from '@gable/server/src/api.ts'
import type { Endpoint } from '@gable/server/src/kernel/http/endpoint.ts'
import { operationIds } from '@gable/server/src/kernel/openapi/operation-ids.ts'
import { bodyFor, pathToNew } from '@gable/server/test/contract/requests.ts'
import { type TestApp, type TestWorkspace, testApp } from '@gable/server/test/support/app.ts'
import { type Person, personIn } from '@gable/server/test/support/browser.ts'
import type { Client } from '@gable/server/test/support/client.ts'
import { assertAnnounced } from '@gable/server/test/support/contract.ts'
import { sessionHeaders } from '@gable/server/test/support/session-client.ts'
import { Gable } from 'gable'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const opened = new AsyncDisposableStack()
let app: TestApp
let workspace: TestWorkspace
let agent: Client
let owner: Person

beforeAll(async () => {
  const carrier = opened.use(await startCarrier({ host: '127.0.0.1', port: 0, now: () => app.clock.now() }))
  app = opened.use(await testApp({ simulatedCarrierUrl: carrier.origin }))
  workspace = await app.workspace()
  agent = await workspace.credential()
  owner = await personIn(workspace)
})
afterAll(() => opened.disposeAsync())

const operations = [...operationIds([...endpoints, ...personEndpoints])]
const whole = operations.map(([endpoint, id]) => ({ endpoint, id }))

type Method = (...args: unknown[]) => PromiseLike<unknown>

/** The method of this name: `webhooks.deliveries.redeliver`. */
const methodOf = (gable: Gable, id: string): Method =>
  id.split('.').reduce<unknown>((part, word) => (part as Record<string, unknown>)[word], gable) as Method

/** The names of all methods. */
const namesIn = (part: object, before = ''): string[] =>
  Object.entries(part).flatMap(([name, one]) =>
    typeof one === 'function' ? [before + name] : namesIn(one as object, `${before}${name}.`),
  )

interface Exchange {
  method: string
  path: string
  status: number
  body: unknown
}

/** A `fetch` that adds these headers, and checks and records each response. */
function recorded(headersOf: (method: string, path: string) => Promise<Record<string, string>>) {
  const exchanges: Exchange[] = []
  const send: typeof fetch = async (input, init = {}) => {
    const url = String(input)
    const { method = 'GET' } = init
    const path = url.slice(app.base.length)
    const headers = new Headers(init.headers)
    const added = await headersOf(method, path)
    if ('cookie' in added) headers.delete('authorization')
    for (const [name, value] of Object.entries(added)) headers.set(name, value)
    const response = await fetch(url, { ...init, headers })
    const body: unknown = await response.clone().json()
    assertAnnounced(method, url, response.status, response.headers, body)
    exchanges.push({ method, path, status: response.status, body })
    return response
  }
  return { exchanges, fetch: send }
}

/** Calls the method of an endpoint with ids of its path, and with the example as its body. */
async function call(gable: Gable, id: string, endpoint: Endpoint, path: string) {
  const template = endpoint.path.split('/')
  const ids = path.split('/').filter((_, at) => template[at]?.startsWith('{'))
  const body = bodyFor(endpoint)
  return await methodOf(gable, id)(...ids, ...(body === undefined ? [] : [body]))
}

test('the client has a method for every operation, and no other', () => {
  const gable = new Gable({ apiKey: 'gbl_key_1', baseUrl: 'https://gable.example' })
  expect(namesIn(gable).toSorted()).toEqual(operations.map(([, id]) => id).toSorted())
})

describe('each operation works through the client:', () => {
  test.each(whole.filter(({ endpoint }) => endpoint.scope !== 'person'))('$id', async ({ id, endpoint }) => {
    app.clock.advance(60_000)
    // In a workspace of its own: what the examples of other endpoints made there may be in the way.
    const client = await app.credential()
    const path = await pathToNew(endpoint, client)
    const { fetch: send, exchanges } = recorded((method, at) => client.headers(method, at))
    const gable = new Gable({ apiKey: client.key ?? '', baseUrl: app.url, fetch: send })
    const result = await call(gable, id, endpoint, path)
    expect(exchanges).toHaveLength(1)
    const [{ method, path: sent, status, body } = {} as Exchange] = exchanges
    expect([method, sent]).toEqual([endpoint.method, path])
    expect(Object.keys(endpoint.responses)).toContain(String(status))
    expect(result).toEqual(isPage(body) ? expect.objectContaining(pageOf(body)) : body)
  })

  test.each(whole.filter(({ endpoint }) => endpoint.scope === 'person'))(
    '$id, in a session',
    async ({ id, endpoint }) => {
      const { cookie = '' } = await sessionHeaders(app, owner, workspace.id)
      const { fetch: send, exchanges } = recorded(async () => ({ cookie, 'sec-fetch-site': 'same-origin' }))
      const gable = new Gable({ session: { workspaceId: workspace.id }, baseUrl: app.url, fetch: send })
      expect(await call(gable, id, endpoint, endpoint.path)).toEqual(exchanges.at(-1)?.body)
      // The same session acts in its workspace.
      expect((await gable.contacts.create({ first_name: 'Ada' })).first_name).toBe('Ada')
    },
  )
})

const isPage = (body: unknown) => 'next_cursor' in (body as object)

const pageOf = (body: unknown) => {
  const { data, next_cursor: nextCursor } = body as { data: unknown[]; next_cursor: string | null }
  return { data, nextCursor }
}

test('an error of the server has its code, its details, and its request ID', async () => {
  const gable = new Gable({ apiKey: agent.key ?? '', baseUrl: app.url })
  await expect(gable.contacts.list({ limit: 500 })).rejects.toMatchObject({
    code: 'validation_failed',
    status: 400,
    details: [{ path: 'limit', message: 'must be <= 200' }],
    requestId: expect.stringMatching(/^req_/),
  })
  const contact = await gable.contacts.create({ first_name: 'Ada' })
  app.clock.advance(1000)
  await gable.contacts.update(contact.id, { stage: 'SPHERE' }, { ifMatch: contact.updated_at })
  const stale = gable.contacts.update(contact.id, { stage: 'LEAD' }, { ifMatch: contact.updated_at })
  await expect(stale).rejects.toMatchObject({ code: 'precondition_failed', status: 412 })
})

test('a message that the gates block is an error with all reasons', async () => {
  const gable = new Gable({ apiKey: agent.key ?? '', baseUrl: app.url })
  const sending = gable.messages.create({ channel: 'sms', to: '+13125550188', body: 'Hello' })
  const error = await Promise.resolve(sending).catch((cause: unknown) => cause)
  expect(error).toMatchObject({ code: 'compliance_blocked', status: 422 })
  expect((error as { reasons: string[] }).reasons).toContain('consent_missing')
})

test('a list is iterated over all its pages, newest first', async () => {
  const own = await app.workspace()
  const { key = '' } = await own.credential()
  const gable = new Gable({ apiKey: key, baseUrl: app.url })
  const made: string[] = []
  for (const first_name of ['Ada', 'Grace', 'Lin', 'Sam', 'Ida'])
    made.unshift((await gable.contacts.create({ first_name })).id)
  const listed: string[] = []
  for await (const contact of gable.contacts.list({ limit: 2, fields: ['first_name'] }))
    listed.push(contact.id)
  expect(listed).toEqual(made)
})
