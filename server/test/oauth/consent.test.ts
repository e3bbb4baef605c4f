import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createApp, listGrants, setAppEnabled } from '../../src/modules/oauth/public.ts'
import { setMemberActive, setMemberRole } from '../../src/modules/workspaces/public.ts'
import { unescaped } from '../settings/scene.ts'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import { type Browser, type Person, personIn, signedInBrowser } from '../support/browser.ts'
import {
  disconnect,
  type RegisteredApp,
  approveApp,
  authorizePath,
  decide,
  inWorkspace,
  redirectUri,
  registerApp,
} from './scene.ts'

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

const grants = () => listGrants(app.runtime.database.directory, workspace.id)

test('the page shows the app, its destination, the workspace and the scopes', async () => {
  const { body, headers } = await owner.get(authorize())
  for (const text of [
    '<bdi>Lead Mirror</bdi>',
    '<strong>mirror.example</strong>',
    '<bdi>Lantern Realty</bdi>',
    'See full phone numbers and email addresses instead of masked ones <span class="personal">personal data</span>',
    // The page also lists implied scopes.
    'See leads and how they were routed',
    person.email,
  ]) {
    expect(body).toContain(text)
  }
  expect(body.match(/class="personal"/g)).toHaveLength(1)
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain("form-action 'self' https://mirror.example;")
  expect(policy).not.toContain('script-src')
})

test.each([
  [
    'http://127.0.0.1/done',
    'http://127.0.0.1:4000/done',
    'http://127.0.0.1:4000',
    'a program on this computer',
  ],
  ['http://[::1]/done', 'http://[::1]:4000/done', 'http:', 'a program on this computer'],
  [
    'com.example.desktop:/done',
    'com.example.desktop:/done',
    'com.example.desktop:',
    'the program com.example.desktop on this device',
  ],
  ['https://x.example:8443/', 'https://x.example:8443/', 'https://x.example:8443', 'x.example:8443'],
])(
  'with %s registered, the form for %s has a form-action policy and names its destination',
  async (registered, redirect_uri, target, words) => {
    const other = await registerApp(app, { redirect_uris: [registered], confidential: false })
    const { body, headers } = await owner.get(authorize({ client_id: other.app.id, redirect_uri }))
    expect(headers.get('content-security-policy')).toContain(`form-action 'self' ${target};`)
    expect(body).toContain(`<strong>${words}</strong>`)
  },
)

test('allowing redirects with a code and creates a grant', async () => {
  const { status, location } = await decide(owner, authorize(), 'allow')
  const { searchParams } = new URL(location)
  expect([status, searchParams.get('state'), searchParams.get('iss')]).toEqual([303, 'a state', app.url])
  expect(searchParams.get('code')).toMatch(/^gbl_ac_/)
  expect(location.startsWith(`${redirectUri}&code=`)).toBe(true)
  expect(await grants()).toMatchObject([
    { app_id: mirror.app.id, member_id: person.member.id, scopes: ['contacts:read:pii', 'leads:write'] },
  ])
})

test('denying redirects with access_denied and grants nothing', async () => {
  const { location } = await decide(owner, authorize(), 'deny')
  const { searchParams } = new URL(location)
  expect([searchParams.get('error'), searchParams.get('state')]).toEqual(['access_denied', 'a state'])
  expect(await grants()).toEqual([])
})

test('a person with several workspaces must choose one; none is preselected', async () => {
  const second = await app.workspace('Harbor Homes')
  await personIn(second, 'admin', person.email)
  await personIn(await app.workspace('Where they are an agent'), 'agent', person.email)
  const path = authorize()
  const { body } = await owner.get(path)
  const options = [...body.matchAll(/<input type="radio" name="workspace_id" value="(\w+)"([^>]*)>/g)]
  expect(options.map(([, id]) => id)).toEqual([second.id, workspace.id])
  expect(options.every(([, , more]) => more === ' required')).toBe(true)
  expect((await decide(owner, path, 'allow')).status).toBe(403)
  expect((await decide(owner, path, 'allow', { workspace_id: second.id })).status).toBe(303)
  expect(await grants()).toEqual([])
  expect(await listGrants(app.runtime.database.directory, second.id)).toHaveLength(1)
})

const listed = (body: string) =>
  [...body.matchAll(/<li>(.*?)<\/li>/gs)].map(([, item = '']) => ({
    scope: /<code>([^<]+)<\/code>/.exec(item)?.[1],
    isNew: item.includes('>new<'),
  }))

test('a second consent lists every scope of the widened grant and marks the new ones', async () => {
  expect(listed((await owner.get(authorize())).body).some(({ isNew }) => isNew)).toBe(false)
  await approveApp(workspace, mirror, { scopes: ['contacts:write'] })
  const { body } = await owner.get(authorize({ scope: 'leads:read contacts:read' }))
  expect(listed(body)).toEqual([
    { scope: 'contacts:read', isNew: false },
    { scope: 'contacts:write', isNew: false },
    { scope: 'leads:read', isNew: true },
  ])
  await disconnect(workspace, mirror.app.id)
  const { body: again } = await owner.get(authorize({ scope: 'leads:read' }))
  expect(listed(again)).toEqual([{ scope: 'leads:read', isNew: false }])
})

test('each workspace option shows what the app can already do there', async () => {
  const second = await app.workspace('Harbor Homes')
  await personIn(second, 'admin', person.email)
  await approveApp(second, mirror, { scopes: ['contacts:read', 'deals:read'] })
  const { body } = await owner.get(authorize({ scope: 'contacts:read' }))
  const [harbor = '', lantern = ''] = body.split('type="radio"').slice(1)
  expect(harbor).toContain('Also keeps what it was granted before: See pipelines and deals')
  expect(lantern).not.toContain('Also keeps')
})

test('the page shows which workspace registered the app and whether it is the person’s own', async () => {
  expect((await owner.get(authorize())).body).toContain(
    'registered by another workspace, <strong><bdi>Developers</bdi></strong>',
  )
  const own = await createApp(workspace.ctx, {
    name: 'Desktop',
    redirect_uris: [redirectUri],
    scopes: ['contacts:read'],
    confidential: true,
  })
  const { body } = await owner.get(authorize({ client_id: own.app.id, scope: 'contacts:read' }))
  expect(body).toContain('registered by your workspace <strong><bdi>Lantern Realty</bdi></strong>')
})

test('workspaces with the same name show their creation date and ID', async () => {
  const twin = await app.workspace('Lantern Realty')
  await personIn(twin, 'owner', person.email)
  await personIn(await app.workspace('Harbor Homes'), 'owner', person.email)
  const { body } = await owner.get(authorize())
  const [harbor, ...lanterns] = body.split('type="radio"').slice(1)
  expect(harbor).not.toContain('Created')
  for (const { id } of [workspace, twin])
    expect(lanterns.filter((one) => one.includes(`Created 2026-03-02, ID <code>${id}</code>`))).toHaveLength(
      1,
    )
})

test('an agent can deny access but not allow it', async () => {
  const agent = await signedInBrowser(app, await personIn(workspace, 'agent'))
  const path = authorize()
  const { body } = await agent.get(path)
  expect(body).not.toContain('value="allow"')
  expect(body).toContain('Only owners and admins')
  const forged = await decide(agent, path, 'allow', { workspace_id: workspace.id })
  expect(forged.status).toBe(403)
  expect((await decide(agent, path, 'deny')).location).toContain('error=access_denied')
  expect(await grants()).toEqual([])
})

test.each([
  ['removed', () => setMemberActive(workspace.ctx, person.member.id, false)],
  ['made an agent', () => setMemberRole(workspace.ctx, person.member.id, 'agent')],
])('a person who is %s while the page is open cannot approve the app', async (_what, change) => {
  await personIn(workspace, 'owner')
  const path = authorize()
  const { body } = await owner.get(path)
  const csrf = /name="csrf" value="([^"]+)"/.exec(body)?.[1] ?? ''
  await change()
  const { status } = await owner.post(path, { csrf, decision: 'allow', workspace_id: workspace.id })
  expect(status).toBe(403)
  expect(await grants()).toEqual([])
})

test('an app that is disabled while the page is open cannot be approved', async () => {
  const registered = await registerApp(app)
  const path = authorize({ client_id: registered.app.id })
  const { body } = await owner.get(path)
  const csrf = /name="csrf" value="([^"]+)"/.exec(body)?.[1] ?? ''
  await setAppEnabled(inWorkspace(app, registered.app.workspace_id), registered.app.id, false)
  const { status } = await owner.post(path, { csrf, decision: 'allow', workspace_id: workspace.id })
  expect(status).toBe(400)
  expect(await grants()).toEqual([])
})

test('the consent form rejects the token of another session of the same person', async () => {
  const other = await signedInBrowser(app, person)
  const path = authorize()
  const { body } = await other.get(path)
  const csrf = /name="csrf" value="([^"]+)"/.exec(body)?.[1] ?? ''
  const form = { csrf, decision: 'allow', workspace_id: workspace.id }
  expect((await owner.post(path, form)).status).toBe(403)
  expect(await grants()).toEqual([])
  expect((await other.post(path, form)).status).toBeLessThan(400)
})

test.each<[string, (csrf: string) => { fields?: object; headers?: Record<string, string> }]>([
  ['no token', () => ({ fields: { csrf: '' } })],
  ['an invented token', () => ({ fields: { csrf: 'x'.repeat(43) } })],
  ['another site', (csrf) => ({ fields: { csrf }, headers: { 'sec-fetch-site': 'cross-site' } })],
  [
    'a sibling of the same domain',
    (csrf) => ({ fields: { csrf }, headers: { 'sec-fetch-site': 'same-site' } }),
  ],
])('a forged form is rejected with 403: %s', async (_what, forge) => {
  const path = authorize()
  const { body } = await owner.get(path)
  const { fields, headers } = forge(/name="csrf" value="([^"]+)"/.exec(body)?.[1] ?? '')
  const sent = { decision: 'allow', workspace_id: workspace.id, ...fields }
  expect((await owner.post(path, sent, headers)).status).toBe(403)
  expect(await grants()).toEqual([])
})

const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '\u202Eevil\u202C \u2067rtl',
  'مرحبا بالعالم',
  '&lt;b&gt; &amp; 🏠',
  'x'.repeat(120),
]

test.each(hostile)('an app and a workspace called %j are escaped', async (name) => {
  const { ctx } = await app.workspace('Developers')
  const made = await createApp(ctx, {
    name,
    redirect_uris: [redirectUri],
    scopes: ['contacts:read:pii', 'leads:write'],
    confidential: false,
  })
  const place = await app.workspace(name)
  const who = await signedInBrowser(app, await personIn(place))
  const { body } = await who.get(authorize({ client_id: made.app.id }))
  const shown = [...body.matchAll(/<bdi>([^<]*)<\/bdi>/g)].map(([, text = '']) => unescaped(text))
  expect(shown).toEqual([name, 'Developers', name])
  expect(body).not.toMatch(/<script|<img|onmouseover='/)
})
