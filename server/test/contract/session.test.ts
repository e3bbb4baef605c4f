import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { allScopes, createAuthenticator, scopesOf } from '../../src/modules/access/public.ts'
import { apiSessions } from '../../src/modules/people/api-sessions.ts'
import { setMemberActive } from '../../src/modules/workspaces/public.ts'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import { type Person, personIn } from '../support/browser.ts'
import { asOwner } from '../support/database.ts'
import { sessionClient, sessionHeaders, withHeaders } from '../support/session-client.ts'

let app: TestApp
let workspace: TestWorkspace
let person: Person
let headers: Record<string, string>
let contactId: string

beforeAll(async () => {
  app = await testApp()
  workspace = await app.workspace()
  person = await personIn(workspace)
  contactId = (await (await workspace.credential()).post('/contacts', { first_name: 'Ada' })).body['id']
})

afterAll(() => app[Symbol.asyncDispose]())

const without = (name: string) => Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name))

describe('an API session', () => {
  beforeAll(async () => {
    headers = await sessionHeaders(app, person, workspace.id)
  })

  test('acts as the member', async () => {
    const client = withHeaders(app, headers)
    const { body } = await client.post('/contacts', { first_name: 'Ada', phone: '+13125550123' })
    const { body: events } = await client.get(`/contacts/${body['id']}/events`)
    expect(events['data'][0].actor).toEqual({ type: 'member', id: person.member.id, name: 'A person' })
    expect((await client.get(`/contacts/${body['id']}`)).body['phone']).toBe('+13125550123')
  })

  test('returns 401 if a header is missing or wrong', async () => {
    const other = await sessionHeaders(app, person, workspace.id)
    const wrong: [string, Record<string, string>][] = [
      ...Object.keys(headers).map((name): [string, Record<string, string>] => [`no ${name}`, without(name)]),
      ['another token', { ...headers, 'x-csrf-token': other['x-csrf-token'] ?? '' }],
      ['a shorter token', { ...headers, 'x-csrf-token': 'a' }],
      ['a cookie of no session', { ...headers, cookie: `${headers['cookie']?.slice(0, -8)}00000000` }],
      ['the same site', { ...headers, 'sec-fetch-site': 'same-site' }],
      ['another site', { ...headers, 'sec-fetch-site': 'cross-site' }],
      ['no site', { ...headers, 'sec-fetch-site': 'none' }],
      ['no workspace', { ...headers, 'gable-workspace': '' }],
    ]
    const none = await app.anonymous.get('/contacts')
    for (const [what, sent] of wrong) {
      const { status, body } = await app.anonymous.request('GET', '/contacts', { headers: sent })
      expect([status, body['error'].message], what).toEqual([401, none.body['error'].message])
    }
  })

  test('is ignored if there is an Authorization header', async () => {
    const sent = { ...headers, authorization: 'token gbl_key_x' }
    expect((await app.anonymous.request('GET', '/contacts', { headers: sent })).status).toBe(401)
    const key = await workspace.credential('contacts:read')
    const { body } = await withHeaders(app, { ...headers, ...(await key.headers('GET', '/ping')) }).get(
      '/ping',
    )
    expect(body['credential'].type).toBe('api_key')
  })

  test('returns 404 in an unknown workspace and in one where the person is not a member', async () => {
    const elsewhere = await app.workspace()
    for (const id of [elsewhere.id, newId(app.clock.now()), 'x']) {
      const { status } = await app.anonymous.request('GET', `/contacts/${contactId}`, {
        headers: { ...headers, 'gable-workspace': id },
      })
      expect(status, id).toBe(404)
    }
  })

  test('stops working when the member is deactivated or the session is deleted', async () => {
    const leaver = await personIn(workspace)
    const client = await sessionClient(app, leaver, workspace.id)
    expect((await client.get(`/contacts/${contactId}`)).status).toBe(200)
    await setMemberActive(workspace.ctx, leaver.member.id, false)
    expect((await client.get(`/contacts/${contactId}`)).status).toBe(404)
    await setMemberActive(workspace.ctx, leaver.member.id, true)
    expect((await client.get(`/contacts/${contactId}`)).status).toBe(200)
    await asOwner(
      app.databaseUrl,
      'delete from sessions where person_id in (select id from people where email = $1)',
      [leaver.email],
    )
    expect((await client.get(`/contacts/${contactId}`)).status).toBe(401)
  })

  test('counts as recently signed in for ten minutes', async () => {
    const { runtime, clock } = app
    const authenticator = createAuthenticator(runtime, {
      anonymousLimit: 100,
      credentials: [],
      sessions: apiSessions,
    })
    const request = {
      method: 'GET',
      headers: await sessionHeaders(app, person, workspace.id),
      address: '127.0.0.1',
    }
    const recent = async () =>
      (await authenticator.authenticate(request, 'contacts:read')).principal?.recentlyAuthenticated
    expect(await recent()).toBe(true)
    clock.advance(10 * 60_000)
    expect(await recent()).toBe(true)
    clock.advance(1)
    expect(await recent()).toBe(false)
  })

  test('gets no CORS headers', async () => {
    const response = await app.anonymous.request('GET', '/contacts', {
      headers: { ...headers, origin: 'https://evil.example' },
    })
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  test('replays a repeated POST of the same member across sessions', async () => {
    const again = { ...headers, 'idempotency-key': 'the-same' }
    const [first, second] = [
      await app.anonymous.post('/contacts', { first_name: 'Ada' }, again),
      await app.anonymous.post(
        '/contacts',
        { first_name: 'Ada' },
        {
          ...(await sessionHeaders(app, person, workspace.id)),
          'idempotency-key': 'the-same',
        },
      ),
    ]
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
  })
})

test('each person gets 600 requests per minute in each workspace across all sessions', async () => {
  app.clock.advance(60_000)
  const other = await app.workspace()
  const both = await personIn(workspace)
  await personIn(other, 'owner', both.email)
  const clients = await Promise.all([1, 2, 3].map(() => sessionClient(app, both, workspace.id)))
  const statuses: (number | undefined)[] = []
  for (let round = 0; round < 6; round++) {
    const some = Array.from({ length: 101 }, async (_, i) => (await clients[i % 3]?.get('/ping'))?.status)
    statuses.push(...(await Promise.all(some)))
  }
  expect(Object.fromEntries([...Map.groupBy(statuses, String)].map(([s, all]) => [s, all.length]))).toEqual({
    200: 600,
    429: 6,
  })
  const elsewhere = await (await sessionClient(app, both, other.id)).get('/ping')
  expect([elsewhere.status, elsewhere.headers.get('x-ratelimit-remaining')]).toEqual([200, '599'])
})

test('requests that name an invalid workspace do not count against GET /me', async () => {
  app.clock.advance(60_000)
  const sent = await sessionHeaders(app, await personIn(workspace), workspace.id)
  const me = async () => (await withHeaders(app, sent).get('/me')).headers.get('x-ratelimit-remaining')
  expect(await me()).toBe('599')
  for (const named of ['null', 'undefined', '0'])
    await withHeaders(app, { ...sent, 'gable-workspace': named }).get(`/contacts/${contactId}`)
  expect(await me()).toBe('598')
})

describe('/me', () => {
  test('GET returns person, workspaces, and CSRF token only to a same-origin request with the cookie', async () => {
    const other = await app.workspace('Another brokerage')
    const agent = await personIn(other, 'agent', person.email)
    const { cookie = '', 'x-csrf-token': token } = await sessionHeaders(app, person, workspace.id)
    const { body } = await app.anonymous.get('/me', { cookie, 'sec-fetch-site': 'same-origin' })
    expect(body).toMatchObject({ email: person.email, csrf_token: token })
    expect(body['workspaces']).toEqual([
      {
        id: workspace.id,
        name: 'A brokerage',
        member_id: person.member.id,
        role: 'owner',
        team_lead: false,
        scopes: allScopes,
      },
      {
        id: other.id,
        name: 'Another brokerage',
        member_id: agent.member.id,
        role: 'agent',
        team_lead: false,
        scopes: [...scopesOf('agent')],
      },
    ])
    for (const site of ['cross-site', 'same-site', 'none'])
      expect((await app.anonymous.get('/me', { cookie, 'sec-fetch-site': site })).status, site).toBe(401)
    expect((await app.anonymous.get('/me', { cookie })).status).toBe(401)
    expect((await (await workspace.credential()).get('/me')).status).toBe(401)
  })

  test('PATCH changes the name and requires the CSRF token', async () => {
    const { cookie = '', 'x-csrf-token': token = '' } = await sessionHeaders(app, person, workspace.id)
    const sent = { cookie, 'sec-fetch-site': 'same-origin' }
    const change = (body: unknown, more = {}) =>
      app.anonymous.request('PATCH', '/me', { body, headers: { ...sent, ...more } })
    expect((await change({ name: 'Bo' })).status).toBe(401)
    expect(await change({ name: 'Bo' }, { 'x-csrf-token': token })).toMatchObject({
      status: 200,
      body: { name: 'Bo' },
    })
    for (const body of [
      { name: '' },
      { name: null },
      { name: 'a'.repeat(121) },
      { email: 'a@b.example' },
      [],
      1,
    ])
      expect((await change(body, { 'x-csrf-token': token })).status, JSON.stringify(body)).toBe(400)
    expect(await change({}, { 'x-csrf-token': token })).toMatchObject({ status: 200, body: { name: 'Bo' } })
  })
})
