import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listGrants } from '../../src/modules/oauth/public.ts'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import { type Browser, type Person, browser, personIn, signedInBrowser } from '../support/browser.ts'
import { type RegisteredApp, authorizePath, decide, redirectUri, registerApp } from './scene.ts'

let app: TestApp
let mirror: RegisteredApp
let workspace: TestWorkspace
let person: Person
let owner: Browser

beforeAll(async () => {
  app = await testApp()
  mirror = await registerApp(app)
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  workspace = await app.workspace('Lantern Realty')
  person = await personIn(workspace)
  owner = await signedInBrowser(app, person)
})

const authorize = (more = {}) => authorizePath(mirror, more)

/** The header that a browser sends when a person follows a link on the app's own site. */
const crossSite = { 'sec-fetch-site': 'cross-site' }

const leadingTo = (page: string, path: string) =>
  `${page}?${new URLSearchParams({ return_to: path }).toString()}`

const queryOf = (path: string) => Object.fromEntries(new URL(path, app.url).searchParams)

const grants = () => listGrants(app.runtime.database.directory, workspace.id)

test('a person who is not signed in signs in first and returns to the consent page', async () => {
  const visitor = browser(app)
  const path = authorize()
  const { status, location } = await visitor.get(path)
  expect(status).toBe(303)
  const there = await visitor.submit(location, { email: person.email, password: person.password }, '/sign-in')
  const { location: back } = await visitor.get(there.location)
  expect(queryOf(back)).toEqual(queryOf(path))
  expect((await visitor.get(back)).status).toBe(200)
})

test('a request with errors redirects to the app only after the person has signed in', async () => {
  const visitor = browser(app)
  for (const wrong of [{ scope: 'everything' }, { response_type: 'token' }, { code_challenge: '' }]) {
    const path = authorize(wrong)
    const { status, location } = await visitor.get(path, crossSite)
    expect([status, location]).toEqual([303, leadingTo('/sign-in', path)])
    expect((await owner.get(path, crossSite)).location.startsWith(`${redirectUri}&error=`)).toBe(true)
  }
  const { status, location } = await visitor.get(authorize({ redirect_uri: 'https://evil.example/' }))
  expect([status, location]).toEqual([400, ''])
  const unsent = await visitor.post(authorize({ scope: 'everything' }), { decision: 'deny' })
  expect(unsent.location).toMatch(/^\/sign-in\?/)
})

test('an error after sign-in is shown with a link to the app, since browsers block the redirect', async () => {
  const { status, body } = await owner.get(authorize({ scope: 'everything', state: '<"&' }))
  expect(status).toBe(400)
  expect(body).toContain('scope must name scopes that the app has registered.')
  expect(body).toContain(`<a href="https://mirror.example/callback?of=gable&amp;error=invalid_scope&amp;`)
  expect(body).toContain('&amp;state=%3C%22%26&amp;iss=')
})

test('consent requires a sign-in within 10 minutes, and the request survives confirmation', async () => {
  const path = authorize({ state: 'ü & 🏠 %2B+"' })
  const { body } = await owner.get(path)
  const csrf = /name="csrf" value="([^"]+)"/.exec(body)?.[1] ?? ''
  app.clock.advance(10 * 60_000 + 1)
  const confirm = leadingTo('/sign-in/confirm', path)
  const allow = { csrf, decision: 'allow', workspace_id: workspace.id }
  expect(await owner.post(path, allow)).toMatchObject({ status: 303, location: `${confirm}&unsaved=yes` })
  expect(await grants()).toEqual([])
  expect(await owner.get(path, crossSite)).toMatchObject({ status: 303, location: confirm })
  const { location } = await owner.submit(confirm, { password: person.password }, '/sign-in/confirm')
  expect(queryOf(location)).toEqual(queryOf(path))
  const { searchParams } = new URL((await decide(owner, location, 'allow')).location)
  expect(searchParams.get('state')).toBe('ü & 🏠 %2B+"')
  expect(await grants()).toHaveLength(1)
})

test('denying access requires no recent sign-in', async () => {
  const path = authorize()
  const { body } = await owner.get(path)
  const csrf = /name="csrf" value="([^"]+)"/.exec(body)?.[1] ?? ''
  app.clock.advance(10 * 60_000 + 1)
  expect((await owner.post(path, { csrf, decision: 'deny' })).location).toContain('error=access_denied')
})
