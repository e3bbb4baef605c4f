import { access } from 'node:fs/promises'
import { setAppEnabled } from '@gable/server/src/modules/oauth/public.ts'
import { inWorkspace, post, refreshForm } from '@gable/server/test/oauth/scene.ts'
import { type TestApp, type TestWorkspace, testApp, towardsLoopback } from '@gable/server/test/support/app.ts'
import {
  type Browser,
  type Person,
  browser,
  personIn,
  signedInBrowser,
} from '@gable/server/test/support/browser.ts'
import { freshDatabase } from '@gable/server/test/support/database.ts'
import { capture } from '@gable/server/test/support/leads.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type LeadMirror, startLeadMirror } from './support/lead-mirror.ts'

let app: TestApp
let mirror: LeadMirror
let workspace: TestWorkspace
let person: Person
let owner: Browser
/** A visitor of the sample. */
let visitor: Browser

beforeAll(async () => {
  const databaseUrl = await freshDatabase('lead_mirror')
  app = await testApp({ now: new Date(), databaseUrl, egress: towardsLoopback })
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  mirror = await startLeadMirror(app)
  workspace = await app.workspace()
  person = await personIn(workspace)
  owner = await signedInBrowser(app, person)
  visitor = browser(mirror)
  return () => mirror[Symbol.asyncDispose]()
})

/** Goes to the consent page and decides. Returns the path of the callback. */
async function decide(decision: 'allow' | 'deny', decider = owner, from = visitor): Promise<string> {
  const consent = new URL((await from.get('/connect')).location)
  const page = consent.pathname + consent.search
  const back = new URL((await decider.submit(page, { decision }, page)).location)
  return back.pathname + back.search
}

const connect = async () => visitor.get(await decide('allow'))

const isConnected = () =>
  access(mirror.file).then(
    () => true,
    () => false,
  )

test('a callback in a browser that did not start the connection connects nothing', async () => {
  const back = await decide('allow')
  const other = browser(mirror)
  expect((await other.get(back)).body).toContain('Start again')
  await other.get('/connect')
  expect((await other.get(back)).body).toContain('Start again')
  expect((await visitor.get(back.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fother.example'))).status).toBe(400)
  expect(await isConnected()).toBe(false)
})

test('a person who denies access can try again', async () => {
  expect((await visitor.get(await decide('deny'))).body).toContain('You did not allow the app')
  expect(await isConnected()).toBe(false)
  expect(await connect()).toMatchObject({ status: 303, location: '/' })
})

test('concurrent requests share one refresh of an expired access token', async () => {
  await connect()
  await capture(await workspace.credential(), 'Website')
  const before = await mirror.connection()
  await mirror.setTokens({ expiresAt: Date.now() + 30_000 })
  const pages = await Promise.all(Array.from({ length: 8 }, () => visitor.get('/')))
  expect(pages.map(({ status, body }) => [status, body.includes('Website')])).toEqual(
    pages.map(() => [200, true]),
  )
  const { tokens, webhook } = await mirror.connection()
  expect(tokens.refreshToken).not.toBe(before.tokens.refreshToken)
  expect(webhook).toEqual(before.webhook)
  // A refresh token that is used twice would have ended the connection.
  const form = { ...refreshForm(mirror.registered, tokens.refreshToken ?? '') }
  expect((await post(app, 'token', form)).status).toBe(200)
})

test('a revoked access token is refreshed', async () => {
  await connect()
  const { tokens } = await mirror.connection()
  await post(app, 'revoke', { token: tokens.accessToken })
  expect(await visitor.get('/')).toMatchObject({ status: 200 })
  expect((await mirror.connection()).tokens.accessToken).not.toBe(tokens.accessToken)
})

test('a lost refresh response asks the person to connect again', async () => {
  await connect()
  const { tokens } = await mirror.connection()
  await post(app, 'token', refreshForm(mirror.registered, tokens.refreshToken ?? ''))
  await mirror.setTokens({ expiresAt: 0 })
  expect((await visitor.get('/')).body).toContain('The connection has ended')
  expect(await isConnected()).toBe(false)
  await connect()
  expect((await visitor.get('/')).body).toContain('Your leads')
})

test('while the app is disabled, the page shows an error and the tokens are kept', async () => {
  await connect()
  const { app: registered } = mirror.registered
  const developers = inWorkspace(app, registered.workspace_id)
  await setAppEnabled(developers, registered.id, false)
  expect(await visitor.get('/')).toMatchObject({ status: 502 })
  await setAppEnabled(developers, registered.id, true)
  expect((await visitor.get('/')).body).toContain('Your leads')
})

test('a rate-limited page shows how long to wait and reloads', async () => {
  await connect()
  const { tokens } = await mirror.connection()
  const ask = () => fetch(`${app.base}/ping`, { headers: { authorization: `Bearer ${tokens.accessToken}` } })
  await Promise.all(Array.from({ length: 300 }, ask))
  const seconds = (await ask()).headers.get('retry-after')
  const { status, headers, body } = await visitor.get('/')
  expect([status, headers.get('refresh'), headers.get('retry-after')]).toEqual([503, seconds, seconds])
  expect(body).toContain(`Try again in ${seconds} s`)
})

test('a form submitted from another site does not disconnect the app', async () => {
  await connect()
  for (const origin of [{}, { origin: 'https://other.example' }, { origin: 'null' }])
    expect((await visitor.post('/disconnect', {}, origin)).status).toBe(403)
  expect(await isConnected()).toBe(true)
  expect(await visitor.post('/disconnect', {}, { origin: mirror.url })).toMatchObject({ status: 303 })
  expect(await isConnected()).toBe(false)
})

test('a webhook delivery without a valid signature gets a 401', async () => {
  expect((await visitor.post('/webhook')).status).toBe(401)
  await connect()
  const headers = {
    'webhook-id': 'x',
    'webhook-timestamp': String(Date.now() / 1000),
    'webhook-signature': 'v1,x',
  }
  expect((await visitor.post('/webhook', {}, headers)).status).toBe(401)
})

test('without webhooks, the page still shows existing leads', async () => {
  const { databaseUrl, clock } = app
  await using strict = await testApp({ databaseUrl, now: clock.now() })
  await using other = await startLeadMirror(strict)
  await capture(await workspace.credential(), 'Website')
  const there = browser(other)
  const back = await decide('allow', await signedInBrowser(strict, person), there)
  expect(await there.get(back)).toMatchObject({ status: 303, location: '/' })
  const { body } = await there.get('/')
  expect([body.includes('Website'), body.includes('New leads do not appear here')]).toEqual([true, true])
})

test('names with markup are escaped', async () => {
  await connect()
  const agent = await workspace.credential()
  const name = `"><img src=x onerror=alert(1)>'`
  await agent.post('/leads', { phone: '+13125550177', source: '<b>', first_name: name, last_name: '&lt;' })
  const { body } = await visitor.get('/')
  expect(body).not.toMatch(/<img|<b>/)
  expect(body).toContain('&#34;&#62;&#60;img src=x onerror=alert(1)&#62;&#39; &#38;lt;')
})
