import { createHash } from 'node:crypto'
import { Gable, GableOAuth, type Tokens } from 'gable'
import { describe, expect, test } from 'vitest'
import { failure, json, scripted } from './scripted.ts'

const baseUrl = 'https://gable.example'
const app = {
  baseUrl,
  clientId: 'app',
  clientSecret: 'gbl_cs_1',
  redirectUri: 'https://app.example/callback',
}
const response = (n: number) =>
  json({
    access_token: `at${n}`,
    refresh_token: `rt${n}`,
    expires_in: 3600,
    scope: 'leads:read',
    tenant_id: 't',
  })

const expired: Tokens = {
  accessToken: 'at0',
  refreshToken: 'rt0',
  expiresAt: 0,
  scope: 'leads:read',
  tenantId: 't',
}
const form = (body: unknown) => Object.fromEntries(body as URLSearchParams)

test('authorize begins an attempt with PKCE, each with values of its own', async () => {
  const oauth = new GableOAuth(app)
  const [one, other] = [
    await oauth.authorize('leads:read webhooks:manage'),
    await oauth.authorize('leads:read'),
  ]
  const { origin, pathname, searchParams } = new URL(one.url)
  expect(origin + pathname).toBe(`${baseUrl}/oauth/authorize`)
  expect(Object.fromEntries(searchParams)).toEqual({
    response_type: 'code',
    client_id: 'app',
    redirect_uri: app.redirectUri,
    scope: 'leads:read webhooks:manage',
    state: one.state,
    code_challenge: createHash('sha256').update(one.verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  for (const value of [one.state, one.verifier]) expect(value).toMatch(/^[\w-]{43}$/)
  expect(new Set([one.state, one.verifier, other.state, other.verifier]).size).toBe(4)
})

describe('the callback', () => {
  const attempt = { state: 's', verifier: 'v' }
  const callback = (parameters: Record<string, string>) =>
    `${app.redirectUri}?${new URLSearchParams({ state: 's', iss: baseUrl, ...parameters })}`

  test('is exchanged for tokens', async () => {
    const { fetch: send, sent } = scripted(response(1))
    const tokens = await new GableOAuth({ ...app, fetch: send }).connect(callback({ code: 'c' }), attempt)
    expect(tokens).toMatchObject({
      accessToken: 'at1',
      refreshToken: 'rt1',
      scope: 'leads:read',
      tenantId: 't',
    })
    expect(tokens.expiresAt).toBeGreaterThan(Date.now() + 3_000_000)
    expect(sent[0]?.url).toBe(`${baseUrl}/oauth/token`)
    expect(sent[0]?.headers.get('authorization')).toBe(`Basic ${btoa('app:gbl_cs_1')}`)
    const redirect_uri = app.redirectUri
    expect(form(sent[0]?.body)).toEqual({
      grant_type: 'authorization_code',
      code: 'c',
      code_verifier: 'v',
      redirect_uri,
    })
  })

  test.for([
    [{ state: 'other', code: 'c' }, 'invalid_callback'],
    [{ iss: 'https://evil.example', code: 'c' }, 'invalid_callback'],
    [{ iss: '', code: 'c' }, 'invalid_callback'],
    [{ error: 'access_denied', error_description: 'No.' }, 'access_denied'],
  ] as const)('%j is the error %s', async ([parameters, code]) => {
    const { fetch: send, sent } = scripted(response(1))
    const connecting = new GableOAuth({ ...app, fetch: send }).connect(callback(parameters), attempt)
    await expect(connecting).rejects.toMatchObject({ code })
    expect(sent).toEqual([])
  })

  test('of a public app sends the client ID and no secret', async () => {
    const { fetch: send, sent } = scripted(response(1))
    const { clientSecret: _, ...open } = app
    await new GableOAuth({ ...open, fetch: send }).connect(new URL(callback({ code: 'c' })), attempt)
    expect(sent[0]?.headers.get('authorization')).toBeNull()
    expect(form(sent[0]?.body)).toMatchObject({ client_id: 'app' })
  })
})

test('errors of OAuth have their codes', async () => {
  const { fetch: send } = scripted(json({ error: 'invalid_grant', error_description: 'It was used.' }, 400))
  const refreshing = new GableOAuth({ ...app, fetch: send }).refresh('rt0')
  await expect(refreshing).rejects.toMatchObject({
    code: 'invalid_grant',
    message: 'It was used.',
    status: 400,
  })
})

test('revoke sends the token', async () => {
  const { fetch: send, sent } = scripted(new Response(''))
  await new GableOAuth({ ...app, fetch: send }).revoke('rt0')
  expect([sent[0]?.url, form(sent[0]?.body)]).toEqual([`${baseUrl}/oauth/revoke`, { token: 'rt0' }])
})

describe('the access token of a client', () => {
  test('is refreshed once for concurrent calls, and stored before it is used', async () => {
    const order: string[] = []
    let stored = expired
    const store = {
      read: () => stored,
      write: (tokens: Tokens) => {
        order.push(tokens.accessToken)
        stored = tokens
      },
    }
    const { fetch: send, sent } = scripted(({ url, headers }) => {
      if (url.endsWith('/oauth/token')) return response(1)
      order.push(headers.get('authorization') ?? '')
      return json({ id: 'a' })
    })
    const oauth = new GableOAuth({ ...app, fetch: send })
    const gable = new Gable({ baseUrl, accessToken: oauth.accessToken(store), fetch: send })
    await Promise.all([1, 2, 3].map(() => gable.leads.retrieve('a')))
    await gable.leads.retrieve('a')
    expect(sent.filter(({ url }) => url.endsWith('/oauth/token'))).toHaveLength(1)
    expect(order).toEqual(['at1', ...[1, 2, 3, 4].map(() => 'Bearer at1')])
  })

  test('is refreshed once for concurrent calls that the server rejects', async () => {
    const { fetch: send, sent } = scripted(({ url, headers }) => {
      if (url.endsWith('/oauth/token')) return response(1)
      return headers.get('authorization') === 'Bearer at1' ? json({ id: 'a' }) : failure(401, 'invalid_token')
    })
    const oauth = new GableOAuth({ ...app, fetch: send })
    const accessToken = oauth.accessToken({ ...expired, expiresAt: Date.now() + 3_600_000 })
    const gable = new Gable({ baseUrl, accessToken, fetch: send })
    await Promise.all([1, 2, 3].map(() => gable.leads.retrieve('a')))
    expect(sent.filter(({ url }) => url.endsWith('/oauth/token'))).toHaveLength(1)
  })

  test('comes from client credentials if there is no refresh token', async () => {
    const { fetch: send, sent } = scripted(({ url }) =>
      url.endsWith('/oauth/token') ? response(1) : json({ id: 'a' }),
    )
    const oauth = new GableOAuth({ ...app, fetch: send })
    const gable = new Gable({
      baseUrl,
      accessToken: oauth.accessToken({ ...expired, refreshToken: null }),
      fetch: send,
    })
    await gable.leads.retrieve('a')
    expect(form(sent[0]?.body)).toEqual({
      grant_type: 'client_credentials',
      tenant_id: 't',
      scope: 'leads:read',
    })
  })

  test('that the server still rejects is the error of the call', async () => {
    const { fetch: send, sent } = scripted(({ url }) =>
      url.endsWith('/token') ? response(1) : failure(401, 'invalid_token'),
    )
    const oauth = new GableOAuth({ ...app, fetch: send })
    const gable = new Gable({ baseUrl, accessToken: oauth.accessToken(expired), fetch: send })
    await expect(gable.leads.retrieve('a')).rejects.toMatchObject({ code: 'invalid_token' })
    expect(sent.filter(({ url }) => !url.endsWith('/token'))).toHaveLength(2)
  })
})
