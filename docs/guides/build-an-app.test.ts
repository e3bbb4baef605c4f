import { accessTokens } from '@gable/server/src/modules/oauth/tokens/access-tokens.ts'
import {
  absoluteMs,
  accessTokenMs,
  codeMs,
  idleMs,
  oldSecretMs,
} from '@gable/server/src/modules/oauth/tokens/lifetimes.ts'
import { registerApp } from '@gable/server/test/oauth/scene.ts'
import { type TestApp, type TestWorkspace, testApp, towardsLoopback } from '@gable/server/test/support/app.ts'
import { type Browser, personIn, signedInBrowser } from '@gable/server/test/support/browser.ts'
import { capture } from '@gable/server/test/support/leads.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type GuidePage, guidePage } from '../support/guide-page.ts'

type Json = Record<string, unknown>

interface AuthorizationRequest {
  url: string
  state: string
  verifier: string
}

let page: GuidePage
let app: TestApp
let workspace: TestWorkspace
let owner: Browser
let variables: Record<string, string>

beforeAll(async () => {
  page = await guidePage('build-an-app')
  app = await testApp({ egress: towardsLoopback })
})
afterAll(async () => {
  await page[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
})
beforeEach(async () => {
  workspace = await app.workspace()
  owner = await signedInBrowser(app, await personIn(workspace))
  const scopes = ['leads:write', 'webhooks:manage']
  const { app: registered, secret = '' } = await registerApp(app, {
    redirect_uris: ['http://127.0.0.1/callback'],
    scopes,
  })
  variables = {
    GABLE: app.url,
    CLIENT_ID: registered.id,
    CLIENT_SECRET: secret,
    REDIRECT_URI: 'http://127.0.0.1:3000/callback',
    ENDPOINT: 'http://127.0.0.1:3000/webhook',
  }
})

/** Runs the one request on the page that has this text. Returns the body of its response. */
async function curl(part: string): Promise<Json> {
  const text = await page.curl(part, variables)
  return text === '' ? {} : (JSON.parse(text) as Json)
}

/** The owner decides. Returns the URL that their browser is redirected to. */
async function decide(url: string, decision: 'allow' | 'deny' = 'allow'): Promise<string> {
  const { pathname, search } = new URL(url)
  return (await owner.submit(pathname + search, { decision }, pathname + search)).location
}

interface Authorize {
  authorizationRequest(options: {
    gable: string
    clientId: string
    redirectUri: string
    scope: string
  }): AuthorizationRequest
}
interface Callback {
  codeOf(address: string, expected: { gable: string; state: string }): string
}

async function request(scope = 'leads:write webhooks:manage'): Promise<AuthorizationRequest> {
  const { authorizationRequest } = await page.load<Authorize>('authorize.mjs')
  const { GABLE: gable = '', CLIENT_ID: clientId = '', REDIRECT_URI: redirectUri = '' } = variables
  return authorizationRequest({ gable, clientId, redirectUri, scope })
}

/** From the authorization request to tokens, which become variables of the page. */
async function connect(): Promise<Json> {
  const { codeOf } = await page.load<Callback>('callback.mjs')
  const { url, state, verifier } = await request()
  const code = codeOf(await decide(url), { gable: app.url, state })
  Object.assign(variables, { CODE: code, VERIFIER: verifier })
  return keep(await curl('grant_type=authorization_code'))
}

function keep(tokens: Json): Json {
  Object.assign(variables, {
    ACCESS_TOKEN: tokens['access_token'],
    REFRESH_TOKEN: tokens['refresh_token'],
    TENANT_ID: tokens['tenant_id'],
  })
  return tokens
}

test('the example token response has the fields of a real one', async () => {
  const tokens = await connect()
  const example = JSON.parse(page.blocks.find(({ language }) => language === 'json')?.text ?? '') as Json
  expect(Object.keys(example)).toEqual(Object.keys(tokens))
  for (const name of ['token_type', 'expires_in', 'scope']) expect(tokens[name]).toBe(example[name])
  expect(tokens['tenant_id']).toBe(workspace.id)
  expect(await curl('grant_type=authorization_code')).toMatchObject({ error: 'invalid_grant' })
})

test('a callback with another state, another issuer, or an error yields no code', async () => {
  const { codeOf } = await page.load<Callback>('callback.mjs')
  const { url, state } = await request()
  const [allowed, denied] = [await decide(url), await decide(url, 'deny')]
  const expected = { gable: app.url, state }
  expect(codeOf(allowed, expected)).toMatch(/^gbl_ac_/)
  expect(() => codeOf(allowed, { ...expected, state: 'x' })).toThrow('state')
  expect(() => codeOf(allowed, { ...expected, gable: 'https://x.example' })).toThrow('issuer')
  expect(() => codeOf(denied, expected)).toThrow('access_denied')
})

test('leads can be read, tokens refreshed, and reusing a refresh token revokes the connection', async () => {
  await connect()
  const { id } = await capture(await workspace.credential())
  expect(await curl('/v1/leads')).toMatchObject({ data: [{ id }] })
  const { REFRESH_TOKEN: spent = '' } = variables
  keep(await curl('grant_type=refresh_token'))
  expect(variables['REFRESH_TOKEN']).not.toBe(spent)
  expect(await curl('/v1/leads')).toMatchObject({ data: [{ id }] })
  variables['REFRESH_TOKEN'] = spent
  expect(await curl('grant_type=refresh_token')).toMatchObject({ error: 'invalid_grant' })
  expect(await curl('/v1/leads')).toMatchObject({ error: { code: 'invalid_token' } })
})

test('a rate-limited client waits for Retry-After', async () => {
  await connect()
  interface Call {
    get(url: string, token: string, wait: (ms: number) => Promise<void>): Promise<Json>
  }
  const { get } = await page.load<Call>('call.mjs')
  const waited: number[] = []
  const { ACCESS_TOKEN: token = '' } = variables
  const ping = () =>
    get(`${app.base}/ping`, token, async (ms) => {
      waited.push(ms)
      app.clock.advance(ms)
    })
  await Promise.all(Array.from({ length: accessTokens.limit }, ping))
  expect(waited).toEqual([])
  expect(await ping()).toMatchObject({ workspace: { id: workspace.id } })
  expect(waited).toEqual([60_000])
  await expect(get(`${app.base}/contacts`, token, async () => undefined)).rejects.toThrow(
    /^403: .*insufficient_scope/,
  )
})

test('a webhook is created, a token is revoked, and client credentials work', async () => {
  await connect()
  expect(await curl('/v1/webhooks')).toMatchObject({ url: variables['ENDPOINT'], status: 'active' })
  await curl('/oauth/revoke')
  expect(await curl('/v1/leads')).toMatchObject({ error: { code: 'invalid_token' } })
  const machine = await curl('grant_type=client_credentials')
  expect(machine).toMatchObject({ scope: 'leads:write webhooks:manage', tenant_id: workspace.id })
  expect(machine).not.toHaveProperty('refresh_token')
  keep(machine)
  expect(await curl('/v1/leads')).toMatchObject({ data: [] })
})

test('the numbers on the page match the server', () => {
  const text = page.prose
  const days = (ms: number | undefined) => (ms === undefined ? 'no end' : `${ms / 86_400_000} days`)
  for (const line of [
    `${accessTokens.limit} requests a minute`,
    `| code | ${codeMs / 1000} seconds |`,
    `| access token | ${accessTokenMs / 3_600_000} hour |`,
    `| unused connection | ${days(idleMs(true))}; of a public app ${days(idleMs(false))} |`,
    `| connection in use | ${days(absoluteMs(true))}; of a public app ${days(absoluteMs(false))} after`,
    `| replaced client secret | ${oldSecretMs / 3_600_000} hours |`,
  ]) {
    expect(text).toContain(line)
  }
})

test('every script and request on the page was run', () => {
  expect(page.notRun()).toEqual([])
  const assigned = [...(page.blocks[0]?.text ?? '').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name)
  expect(assigned).toEqual(['GABLE', 'CLIENT_ID', 'CLIENT_SECRET', 'REDIRECT_URI', 'ENDPOINT'])
  // e2e/sdk compiles the TypeScript.
  const others = page.blocks.filter(
    (block) => block.language !== 'ts' && ![...page.toRun, page.blocks[0]].includes(block),
  )
  expect(others.map(({ language, text }) => [language, text.split(' ')[0]])).toEqual([
    ['sh', 'npm'],
    ['json', '{'],
  ])
})
