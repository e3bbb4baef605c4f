import { listGrants } from '@gable/server/src/modules/oauth/public.ts'
import { codeForm, newPkce, post, registerApp } from '@gable/server/test/oauth/scene.ts'
import type { TestWorkspace } from '@gable/server/test/support/app.ts'
import { type Person, personIn } from '@gable/server/test/support/browser.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { consentPath } from './consent-path.ts'
import { type Scene, openScene } from './scene.ts'
import { type Site, startSite } from './site.ts'

let scene: Scene
let site: Site
let workspace: TestWorkspace
let person: Person

beforeAll(async () => {
  scene = await openScene()
  site = await startSite('<h1>You are back</h1>')
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await scene[Symbol.asyncDispose]()
})
beforeEach(async () => {
  workspace = await scene.app.workspace('Lantern Realty')
  person = await personIn(workspace)
})

const grantsIn = ({ id }: TestWorkspace) => listGrants(scene.app.runtime.database.directory, id)

async function newApp() {
  const redirectUri = `http://127.0.0.1:${site.port}/callback`
  const app = await registerApp(scene.app, { redirect_uris: [redirectUri] })
  return { app, redirectUri }
}

describe.each([
  { scripts: 'on', javaScriptEnabled: true },
  { scripts: 'off', javaScriptEnabled: false },
])('with JavaScript $scripts', ({ javaScriptEnabled }) => {
  const how = { javaScriptEnabled }

  test('a signed-out person signs in, allows access, and returns to the app, which exchanges the code', async () => {
    const { app, redirectUri } = await newApp()
    const { verifier, challenge } = newPkce()
    await using visit = await scene.visit(how)
    const { page, complaints } = visit
    await visit.open(consentPath(app.app.id, redirectUri, challenge))
    expect(new URL(page.url()).pathname).toBe('/sign-in')
    await visit.fillSignIn(person)
    await page.getByRole('heading', { name: 'An app asks for access' }).waitFor()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'You are back' }).waitFor()
    const { searchParams } = new URL(page.url())
    expect([searchParams.get('state'), searchParams.get('iss')]).toEqual(['a state', scene.app.url])
    const code = searchParams.get('code') ?? ''
    const form = { ...codeForm(app, { code, verifier }), redirect_uri: redirectUri }
    expect((await post(scene.app, 'token', form)).body).toMatchObject({ tenant_id: workspace.id })
    expect(complaints).toEqual([])
  })

  test('an error is shown after sign-in, with a link back to the app', async () => {
    const { app, redirectUri } = await newApp()
    await using visit = await scene.visit(how)
    const { page, complaints } = visit
    await visit.open(`${consentPath(app.app.id, redirectUri)}&code_challenge_method=plain`)
    expect(new URL(page.url()).pathname).toBe('/sign-in')
    await visit.fillSignIn(person)
    await page.getByRole('link', { name: 'Go back to a program on this computer' }).click()
    await page.getByRole('heading', { name: 'You are back' }).waitFor()
    expect(new URL(page.url()).searchParams.get('error')).toBe('invalid_request')
    // From the app's own site the redirect is immediate.
    await page.goto(`http://localhost:${site.port}/`)
    const { url } = scene.app
    await page.evaluate(
      `location.href = ${JSON.stringify(`${url}${consentPath(app.app.id, redirectUri)}&scope=x`)}`,
    )
    await page.waitForURL((there) => there.searchParams.get('error') === 'invalid_request')
    expect(complaints).toEqual([])
  })

  test('an older session must be confirmed before the app can be allowed', async () => {
    const { app, redirectUri } = await newApp()
    await using visit = await scene.visitAs(person, how)
    const { page, complaints } = visit
    scene.app.clock.advance(11 * 60_000)
    await visit.open(consentPath(app.app.id, redirectUri))
    expect(new URL(page.url()).pathname).toBe('/sign-in/confirm')
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'You are back' }).waitFor()
    expect(await grantsIn(workspace)).toHaveLength(1)
    expect(complaints).toEqual([])
  })

  test('denying access returns access_denied to the app, and grants nothing', async () => {
    const { app, redirectUri } = await newApp()
    await using visit = await scene.visitAs(person, how)
    const { page, complaints } = visit
    await visit.open(consentPath(app.app.id, redirectUri))
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByRole('heading', { name: 'You are back' }).waitFor()
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
    expect(await grantsIn(workspace)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('a person with several workspaces must choose one before allowing access', async () => {
    const { app, redirectUri } = await newApp()
    const second = await scene.app.workspace('Harbor Homes')
    await personIn(second, 'admin', person.email)
    await using visit = await scene.visitAs(person, how)
    const { page } = visit
    await visit.open(consentPath(app.app.id, redirectUri))
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.locator('input:invalid:focus').waitFor()
    await page.getByRole('radio', { name: 'Harbor Homes' }).check()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'You are back' }).waitFor()
    expect([(await grantsIn(second)).length, await grantsIn(workspace)]).toEqual([1, []])
  })
})

test('a person with several workspaces can deny access without choosing one', async () => {
  const { app, redirectUri } = await newApp()
  await personIn(await scene.app.workspace('Harbor Homes'), 'admin', person.email)
  await using visit = await scene.visitAs(person)
  await visit.open(consentPath(app.app.id, redirectUri))
  await visit.page.getByRole('button', { name: 'Deny' }).click()
  await visit.page.getByRole('heading', { name: 'You are back' }).waitFor()
  expect(new URL(visit.page.url()).searchParams.get('error')).toBe('access_denied')
})

test('a public app on another origin exchanges its code, calls the API, and revokes its token', async () => {
  const redirectUri = `http://127.0.0.1:${site.port}/callback`
  const app = await registerApp(scene.app, { redirect_uris: [redirectUri], confidential: false })
  const { verifier, challenge } = newPkce()
  await using visit = await scene.visitAs(person)
  const { page, complaints } = visit
  await visit.open(consentPath(app.app.id, redirectUri, challenge))
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('heading', { name: 'You are back' }).waitFor()
  const code = new URL(page.url()).searchParams.get('code') ?? ''
  const inPage = (given: object) =>
    page.evaluate<unknown>(`(async ({ url, base, form }) => {
      const metadata = await (await fetch(url + '/.well-known/oauth-authorization-server')).json()
      const post = (endpoint, fields) => fetch(endpoint, { method: 'POST', body: new URLSearchParams(fields) })
      const tokens = await (await post(metadata.token_endpoint, form)).json()
      const authorization = 'Bearer ' + tokens.access_token
      const ping = async () => (await fetch(base + '/ping', { headers: { authorization } })).status
      const before = await ping()
      const revoked = await post(metadata.revocation_endpoint, { token: tokens.access_token })
      return [tokens.tenant_id, before, revoked.status, await ping(), revoked.headers.get('x-ratelimit-limit')]
    })(${JSON.stringify(given)})`)
  const form = { ...codeForm(app, { code, verifier }), redirect_uri: redirectUri }
  const { url, base } = scene.app
  expect(await inPage({ url, base, form })).toEqual([workspace.id, 200, 200, 401, expect.any(String)])
  expect(complaints).toEqual([])
})

const destinations = [
  { to: 'https', at: { tls: true }, registered: (port: number) => `https://mirror.example:${port}/callback` },
  { to: '127.0.0.1', at: {}, registered: () => 'http://127.0.0.1/callback' },
  { to: '[::1]', at: { host: '::1' }, registered: () => 'http://[::1]/callback' },
  { to: 'localhost', at: {}, registered: () => 'http://localhost/callback' },
]

test.each(destinations)(
  'a browser follows the redirect to $to, whether the person allows or denies access',
  async ({ at, registered }) => {
    await using there = await startSite('<h1>You are back</h1>', at)
    const uri = registered(there.port)
    const { app } = await registerApp(scene.app, { redirect_uris: [uri], confidential: false })
    const redirectUri = uri.replace(/^(http:\/\/[^/]+)/, `$1:${there.port}`)
    await using visit = await scene.visitAs(person, { ignoreHTTPSErrors: true })
    for (const decision of ['Deny', 'Allow']) {
      await visit.open(consentPath(app.id, redirectUri))
      await visit.page.getByRole('button', { name: decision }).click()
      await visit.page.getByRole('heading', { name: 'You are back' }).waitFor()
      expect(visit.page.url().startsWith(`${redirectUri}?`)).toBe(true)
    }
    expect(there.asked.filter((path) => path.startsWith('/callback?')).length).toBe(2)
    expect(visit.complaints).toEqual([])
  },
)

test.each([
  ['Allow', 'code=gbl_ac_'],
  ['Deny', 'error=access_denied'],
])('after “%s” the browser hands over to a program with a custom URL scheme', async (decision, result) => {
  const redirectUri = 'com.example.desktop:/callback'
  const { app } = await registerApp(scene.app, { redirect_uris: [redirectUri], confidential: false })
  await using visit = await scene.visitAs(person)
  await visit.open(consentPath(app.id, redirectUri))
  const handedOver = visit.context.waitForEvent('request', (request) =>
    request.url().startsWith(`${redirectUri}?${result}`),
  )
  await visit.page.getByRole('button', { name: decision }).click({ noWaitAfter: true })
  await handedOver
  expect(visit.complaints).toEqual([])
})
