import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listGrants } from '../../src/modules/oauth/public.ts'
import { codeForm, newPkce, post, registerApp } from '../oauth/scene.ts'
import type { TestWorkspace } from '../support/app.ts'
import { type Person, personIn } from '../support/browser.ts'
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

const grantsIn = ({ id }: TestWorkspace) => listGrants(scene.app.house.database.directory, id)

async function newApp() {
  const redirectUri = `http://127.0.0.1:${site.port}/callback`
  const app = await registerApp(scene.app, { redirectUris: [redirectUri] })
  return { app, redirectUri }
}

describe.each([
  { scripts: 'on', javaScriptEnabled: true },
  { scripts: 'off', javaScriptEnabled: false },
])('with JavaScript $scripts', ({ javaScriptEnabled }) => {
  const how = { javaScriptEnabled }

  test('who is not signed in does so, allows, and comes to the app, which exchanges the code', async () => {
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

  test('who denies comes back with access_denied, and nothing is granted', async () => {
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

  test('who has several workspaces cannot allow before choosing one', async () => {
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

test('who has several workspaces can deny without choosing one', async () => {
  const { app, redirectUri } = await newApp()
  await personIn(await scene.app.workspace('Harbor Homes'), 'admin', person.email)
  await using visit = await scene.visitAs(person)
  await visit.open(consentPath(app.app.id, redirectUri))
  await visit.page.getByRole('button', { name: 'Deny' }).click()
  await visit.page.getByRole('heading', { name: 'You are back' }).waitFor()
  expect(new URL(visit.page.url()).searchParams.get('error')).toBe('access_denied')
})

const destinations = [
  { to: 'https', at: { tls: true }, registered: (port: number) => `https://mirror.example:${port}/callback` },
  { to: '127.0.0.1', at: {}, registered: () => 'http://127.0.0.1/callback' },
  { to: '[::1]', at: { host: '::1' }, registered: () => 'http://[::1]/callback' },
  { to: 'localhost', at: {}, registered: () => 'http://localhost/callback' },
]

test.each(destinations)(
  'a browser follows to $to, with an answer of either kind',
  async ({ at, registered }) => {
    await using there = await startSite('<h1>You are back</h1>', at)
    const uri = registered(there.port)
    const { app } = await registerApp(scene.app, { redirectUris: [uri], confidential: false })
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
])('after “%s” a browser hands over to a program that has claimed a scheme', async (decision, result) => {
  const redirectUri = 'com.example.desk:/callback'
  const { app } = await registerApp(scene.app, { redirectUris: [redirectUri], confidential: false })
  await using visit = await scene.visitAs(person)
  await visit.open(consentPath(app.id, redirectUri))
  const handedOver = visit.context.waitForEvent('request', (request) =>
    request.url().startsWith(`${redirectUri}?${result}`),
  )
  await visit.page.getByRole('button', { name: decision }).click({ noWaitAfter: true })
  await handedOver
  expect(visit.complaints).toEqual([])
})
