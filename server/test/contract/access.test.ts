import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '#kernel/http/endpoint.ts'
import { endpoints, openApi, personEndpoints } from '../../src/api.ts'
import { allScopes, revokeApiKey } from '../../src/modules/access/public.ts'
import { newSecret } from '../../src/modules/access/secret.ts'
import { recentAuthMs } from '../../src/modules/people/sessions.ts'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import { type Client, type Response, createClient } from '../support/client.ts'
import { fingerprint, fingerprintBefore } from '../support/database.ts'
import { withHeaders } from '../support/session-client.ts'
import { share } from './forms.ts'
import { ask, inGroups, makeRecords, pathToNew, pathWithin } from './requests.ts'

/** The scopes that the API contract says are implied by others. */
const implied: Record<string, string> = {
  'contacts:write': 'contacts:read',
  'contacts:read:pii': 'contacts:read',
  'leads:write': 'leads:read',
  'messages:send': 'messages:read',
  'deals:write': 'deals:read',
  'appointments:write': 'appointments:read',
  'automations:manage': 'automations:read',
  'calls:write': 'calls:read',
  'automations:write': 'automations:read',
  'compliance:write': 'compliance:read',
  'listings:write': 'listings:read',
}

const opens = (held: string, wanted: string) =>
  wanted === 'any' || held === wanted || implied[held] === wanted

const opensEndpoint = (held: string, { scope, sufficientScope }: Endpoint) =>
  opens(held, scope) || held === sufficientScope

const guarded = endpoints.filter(({ scope }) => scope !== 'public')
const open = endpoints.filter(({ scope }) => scope === 'public')
const scoped = guarded.filter(({ scope }) => scope !== 'any')
const dayMs = 24 * 60 * 60 * 1000

let app: TestApp
let workspace: TestWorkspace
let agent: Client
let made: ReadonlyMap<string, string[]>
let byScope: ReadonlyMap<string, Client>
let noCredentials: [string, Record<string, string>][]

beforeAll(async () => {
  app = await testApp()
  workspace = await app.workspace()
  const expired = await workspace.credential()
  app.clock.advance(90 * dayMs)
  const revoked = await workspace.credential()
  await revokeApiKey(workspace.ctx, revoked.keyId ?? '')
  agent = await workspace.credential()
  made = await makeRecords(agent)
  byScope = await oneKeyEach()
  noCredentials = rejectedHeaders(agent.key ?? '', expired.key ?? '', revoked.key ?? '')
})

afterAll(() => app[Symbol.asyncDispose]())

async function oneKeyEach(): Promise<Map<string, Client>> {
  const clients = allScopes.map(async (scope): Promise<[string, Client]> => [
    scope,
    await workspace.credential(scope),
  ])
  return new Map(await Promise.all(clients))
}

const rejectedHeaders = (
  valid: string,
  expired: string,
  revoked: string,
): [string, Record<string, string>][] => [
  ['none', {}],
  ['an empty header', { authorization: '' }],
  ['the scheme alone', { authorization: 'token' }],
  ['the key alone', { authorization: valid }],
  ['another scheme', { authorization: `Bearer ${valid}` }],
  ['basic', { authorization: `Basic ${btoa(`${valid}:`)}` }],
  ['two keys', { authorization: `token ${valid} ${valid}` }],
  ['a wrong checksum', { authorization: `token ${valid.slice(0, -1)}${valid.endsWith('0') ? '1' : '0'}` }],
  ['a key cut short', { authorization: `token ${valid.slice(0, -1)}` }],
  ['a key in lower case', { authorization: `token ${valid.toLowerCase()}` }],
  ['10 kB', { authorization: `token gbl_key_${'a'.repeat(10_000)}` }],
  ['letters beyond ASCII', { authorization: `token gbl_key_${'é'.repeat(49)}` }],
  ['SQL', { authorization: "token ' or 1=1 --" }],
  ['a well-formed key that does not exist', { authorization: `token ${newSecret('gbl_key_')}` }],
  ['an expired key', { authorization: `token ${expired}` }],
  ['a revoked key', { authorization: `token ${revoked}` }],
]

function expectRejection(
  { status, headers, body }: Response,
  code: string,
  expected: number,
  what: string,
): void {
  expect([status, body['error'].code], what).toEqual([expected, code])
  expect(headers.get('x-request-id'), what).toBe(body['error'].request_id)
  const rate = ['limit', 'remaining', 'reset'].map((name) =>
    Number(headers.get(`x-ratelimit-${name}`) ?? Number.NaN),
  )
  expect(rate.every(Number.isInteger), what).toBe(true)
}

const forSomeone = [...guarded, ...personEndpoints]

test.each(forSomeone)(
  '$method $path returns 401 without a valid credential, and changes nothing',
  async (endpoint) => {
    const before = await fingerprintBefore(app.databaseUrl)
    const [none, ...others] = noCredentials
    // One hook checks the credentials for all endpoints, so each gets only one of the invalid ones.
    const some = share(others, forSomeone.indexOf(endpoint), others.length)
    const tried = [none, ...some].filter((one) => one !== undefined)
    await inGroups(app.clock, tried, async ([what, headers]) => {
      const response = await ask(app.anonymous, endpoint, pathWithin(endpoint, made), headers)
      expectRejection(response, 'unauthorized', 401, what)
      expect(response.headers.get('www-authenticate'), what).toMatch(/^Token realm="/)
    })
    expect(await fingerprint(app.databaseUrl)).toEqual(before)
  },
)

test('a 401 for a key in another form says what to write', async () => {
  const key = agent.key ?? ''
  for (const authorization of [
    key,
    `Bearer ${key}`,
    `Key ${key}`,
    ...[`${key}:`, `api:${key}`].map((pair) => `Basic ${btoa(pair)}`),
  ]) {
    const { status, body } = await app.anonymous.get('/ping', { authorization })
    expect([status, body['error'].message], authorization).toEqual([
      401,
      'This is not a credential of this service. Send it as Authorization: token gbl_key_….',
    ])
  }
})

const others = new Map<string, Promise<Client>>()

/** A client that has every scope except those that open the endpoint. */
function clientWithout(endpoint: Endpoint): Promise<Client> {
  const scopes = allScopes.filter((held) => !opensEndpoint(held, endpoint))
  const client = others.get(scopes.join()) ?? workspace.credential(...scopes)
  others.set(scopes.join(), client)
  return client
}

test.each(scoped)('$method $path returns 403 with all other scopes, and names $scope', async (endpoint) => {
  const client = await clientWithout(endpoint)
  const before = await fingerprintBefore(app.databaseUrl)
  const response = await ask(client, endpoint, pathWithin(endpoint, made))
  expectRejection(response, 'insufficient_scope', 403, endpoint.path)
  expect(response.body['error'].message).toContain(endpoint.scope)
  expect(response.body['error'].details).toEqual([{ path: 'scope', message: endpoint.scope }])
  expect(await fingerprint(app.databaseUrl)).toEqual(before)
})

const byKey = guarded.filter(({ recentSignIn }) => recentSignIn !== true)

test.each(byKey)('$method $path accepts $scope and each scope that implies it', async (endpoint) => {
  const right = [...byScope].filter(([held]) => opensEndpoint(held, endpoint))
  await inGroups(app.clock, right, async ([held, client]) => {
    const { status } = await askWithMore(endpoint, held, client)
    expect(Object.keys(endpoint.responses), held).toContain(String(status))
  })
})

/** Sends the request. If the endpoint may require further scopes, repeats it with each scope that the error names. */
async function askWithMore(endpoint: Endpoint, held: string, first: Client): Promise<Response> {
  const path = await pathToNew(endpoint, agent)
  const scopes = [held]
  let response = await ask(first, endpoint, path)
  while (response.status === 403 && endpoint.errors?.[403] !== undefined) {
    const missing = response.body['error'].details[0].message as string
    if (missing === endpoint.scope || scopes.includes(missing)) break
    scopes.push(missing)
    response = await ask(await workspace.credential(...scopes), endpoint, path)
  }
  return response
}

test.each(guarded.filter(({ recentSignIn }) => recentSignIn))(
  '$method $path requires a sign-in within ten minutes and returns 403 for API keys',
  async (endpoint) => {
    const path = pathWithin(endpoint, made)
    const stale = withHeaders(app, await agent.headers(endpoint.method, path))
    const key = createClient(app.base, { key: agent.key })
    const before = await fingerprintBefore(app.databaseUrl)
    app.clock.advance(recentAuthMs + 1)
    for (const [who, client] of Object.entries({ key, stale }))
      expectRejection(await ask(client, endpoint, path), 'recent_sign_in_required', 403, who)
    expect(await fingerprint(app.databaseUrl)).toEqual(before)
    const { status } = await ask(agent, endpoint, await pathToNew(endpoint, agent))
    expect(Object.keys(endpoint.responses)).toContain(String(status))
  },
)

test.each(open)('$method $path accepts every request, with any credential or none', async (endpoint) => {
  for (const [what, headers] of [
    ...noCredentials,
    ['a valid key', { authorization: `token ${agent.key}` }] as const,
  ]) {
    expect((await ask(app.anonymous, endpoint, pathWithin(endpoint, made), headers)).status, what).toBe(200)
  }
})

test('the scopes match the API contract', () => {
  expect(allScopes.toSorted()).toEqual([
    'appointments:read',
    'appointments:write',
    'automations:manage',
    'automations:read',
    'automations:write',
    'calls:read',
    'calls:write',
    'compliance:read',
    'compliance:write',
    'contacts:read',
    'contacts:read:pii',
    'contacts:write',
    'deals:read',
    'deals:write',
    'events:read',
    'leads:read',
    'leads:write',
    'listings:read',
    'listings:write',
    'messages:read',
    'messages:send',
    'messages:send_only',
    'settings:manage',
    'webhooks:manage',
  ])
  for (const { scope, method, path } of scoped) expect(allScopes, `${method} ${path}`).toContain(scope)
})

test('every operation that requires a recent sign-in documents the error', () => {
  const documented = Object.entries(openApi()['paths'] as Record<string, Record<string, Operation>>).flatMap(
    ([path, operations]) =>
      Object.entries(operations).flatMap(([method, { responses }]) =>
        JSON.stringify(responses?.['403'] ?? '').includes('`recent_sign_in_required`')
          ? [`${method.toUpperCase()} ${path}`]
          : [],
      ),
  )
  const required = endpoints.filter(({ recentSignIn }) => recentSignIn === true)
  expect(documented.toSorted()).toEqual(required.map(({ method, path }) => `${method} ${path}`).toSorted())
})

interface Operation {
  responses?: Record<string, unknown>
}
