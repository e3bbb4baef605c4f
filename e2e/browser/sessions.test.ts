import { listGrants } from '@gable/server/src/modules/oauth/public.ts'
import { registerApp } from '@gable/server/test/oauth/scene.ts'
import { type TestWorkspace, testApp } from '@gable/server/test/support/app.ts'
import { type Person, personIn } from '@gable/server/test/support/browser.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { consentPath } from './consent-path.ts'
import { type Scene, type Visit, openScene } from './scene.ts'
import { startSite } from './site.ts'

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** A page for anyone who is signed in. */
const inside = '/sign-in/confirm'

let scene: Scene
let workspace: TestWorkspace
let person: Person

beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(async () => {
  workspace = await scene.app.workspace('Lantern Realty')
  person = await personIn(workspace)
})

/** Whether the browser is signed in. Otherwise it is on the sign-in page. */
async function getsIn({ page }: Visit): Promise<boolean> {
  await page.goto(inside)
  return new URL(page.url()).pathname === inside
}

async function signIn(visit: Visit): Promise<void> {
  await visit.open(`/sign-in?return_to=${inside}`)
  await visit.fillSignIn(person)
  await visit.page.waitForURL(`**${inside}`)
}

test('cookies are for this host only, hidden from scripts, and not sent with other sites’ forms', async () => {
  await using visit = await scene.visit()
  await signIn(visit)
  const cookies = await visit.context.cookies()
  expect(cookies.length).toBeGreaterThan(0)
  for (const { name, ...flags } of cookies) {
    expect(name).toMatch(/^__Host-/)
    expect(flags).toMatchObject({
      path: '/',
      domain: '127.0.0.1',
      httpOnly: true,
      secure: true,
      sameSite: 'Lax',
    })
  }
  expect(await visit.page.evaluate('document.cookie')).toBe('')
  const session = cookies.find(({ name }) => name === '__Host-gable_session')
  expect((session?.expires ?? 0) * secondMs - Date.now()).toBeGreaterThan(14 * dayMs - hourMs)
})

test('confirming an identity gives the browser a new session', async () => {
  const sessionIn = async ({ context }: Visit) =>
    (await context.cookies()).find(({ name }) => name === '__Host-gable_session')?.value
  await using visit = await scene.visitAs(person)
  const before = await sessionIn(visit)
  await visit.open(inside)
  await visit.page.getByLabel('Password').fill(person.password)
  await visit.page.getByRole('button', { name: 'Confirm' }).click()
  await expect.poll(() => sessionIn(visit), { timeout: 30_000 }).not.toBe(before)
  expect(await getsIn(visit)).toBe(true)
})

test('a session survives a server restart and ends at sign-out', async () => {
  await using visit = await scene.visitAs(person)
  expect(await getsIn(visit)).toBe(true)
  const { databaseUrl, clock } = scene.app
  // Another process of the same server: cookies know no port.
  await using restarted = await testApp({ databaseUrl, now: clock.now() })
  await visit.page.goto(restarted.url + inside)
  expect(visit.page.url()).toBe(restarted.url + inside)

  await visit.page.getByRole('button', { name: 'Sign out' }).click()
  await visit.page.waitForURL('**/sign-in')
  expect((await visit.context.cookies()).map(({ name }) => name)).not.toContain('__Host-gable_session')
  expect(await getsIn(visit)).toBe(false)
})

describe('by the server’s clock', () => {
  test.each([
    [-1, true],
    [0, false],
    [1, false],
  ])('a session idle for a day and %i s is valid: %s', async (seconds, expected) => {
    await using visit = await scene.visitAs(person)
    scene.app.clock.advance(dayMs + seconds * secondMs)
    expect(await getsIn(visit)).toBe(expected)
  })

  test.each([
    [-1, true],
    [0, false],
    [1, false],
  ])('a session in daily use is valid after 14 days and %i s: %s', async (seconds, expected) => {
    await using visit = await scene.visitAs(person)
    const start = scene.app.clock.now().getTime()
    for (let halfDay = 1; halfDay < 28; halfDay++) {
      scene.app.clock.set(new Date(start + (halfDay * dayMs) / 2))
      // Without drawing the page.
      await visit.page.request.get(inside, { maxRedirects: 0 })
    }
    scene.app.clock.set(new Date(start + 14 * dayMs + seconds * secondMs))
    expect(await getsIn(visit)).toBe(expected)
  })
})

test.each([
  [-1, true],
  [0, true],
  [1, false],
])('ten minutes and %i s after sign-in, the password page opens directly: %s', async (seconds, expected) => {
  await using visit = await scene.visitAs(person)
  scene.app.clock.advance(10 * minuteMs + seconds * secondMs)
  await visit.open('/account/password')
  expect(new URL(visit.page.url()).pathname === '/account/password').toBe(expected)
  if (expected) return
  await visit.page.getByLabel('Password').fill(person.password)
  await visit.page.getByRole('button', { name: 'Confirm' }).click()
  await visit.page.getByRole('heading', { name: 'Change password' }).waitFor()
})

test('the password reset and consent pages cannot be shown in a frame', async () => {
  await using visit = await scene.visitAs(person)
  const { app } = await registerApp(scene.app)
  const path = consentPath(app.id, app.redirect_uris[0] ?? '')
  for (const framed of ['/sign-in/forgot', path]) {
    await using site = await startSite(
      `<iframe src="${scene.app.url}${framed.replaceAll('&', '&amp;')}"></iframe>`,
    )
    const blocked = visit.context.waitForEvent('requestfailed')
    await visit.page.goto(`http://127.0.0.1:${site.port}/`)
    expect((await blocked).failure()?.errorText).toBe('net::ERR_BLOCKED_BY_RESPONSE')
  }
})

test.each([
  // Another site, and an origin that differs only in its port: SameSite does not protect against the latter.
  ['another site', 'mirror.example'],
  ['another port', '127.0.0.1'],
])('a form on %s changes nothing', async (_who, host) => {
  await using visit = await scene.visitAs(person)
  const { app } = await registerApp(scene.app)
  const path = consentPath(app.id, app.redirect_uris[0] ?? '')
  for (const [action, fields] of [
    [path, { decision: 'allow', workspace_id: workspace.id }],
    ['/sign-out', {}],
  ] as const) {
    const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`)
    await using site = await startSite(
      `<form method="post" action="${scene.app.url}${action.replaceAll('&', '&amp;')}">${inputs.join('')}<button>Win</button></form>`,
    )
    await visit.page.goto(`http://${host}:${site.port}/`)
    await visit.page.getByRole('button', { name: 'Win' }).click()
    await visit.page.waitForURL(`${scene.app.url}/**`)
  }
  expect(await getsIn(visit)).toBe(true)
  expect(await listGrants(scene.app.runtime.database.directory, workspace.id)).toEqual([])
})
