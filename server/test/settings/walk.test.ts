import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PlainRoute } from '#kernel/http/plain-route.ts'
import { isId } from '#kernel/ids.ts'
import { setMemberActive } from '../../src/modules/workspaces/public.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { type Browser, browser } from '../support/browser.ts'
import { fingerprint } from '../support/database.ts'
import { type Records, type User, makeRecords, pagesOf, pathFor, userIn } from './scene.ts'

let app: TestApp
let pages: PlainRoute[]
let owner: User
let admin: User
let agent: User
let outsider: User
let ours: Records
let foreign: Records

beforeAll(async () => {
  app = await testApp()
  const [here, elsewhere] = [await app.workspace(), await app.workspace()]
  owner = await userIn(app, here)
  admin = await userIn(app, here, 'admin')
  agent = await userIn(app, here, 'agent')
  outsider = await userIn(app, elsewhere)
  ours = await makeRecords(app, here, agent)
  foreign = await makeRecords(app, elsewhere, outsider)
  pages = pagesOf(app)
})
afterAll(() => app[Symbol.asyncDispose]())

const forms = () => pages.filter(({ methods }) => methods.POST !== undefined)

const namesIn = ({ path }: PlainRoute) => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

/** The CSRF token in the forms of a signed-in person. */
async function csrfOf(user: Browser): Promise<string> {
  const { body } = await user.get('/sign-in/confirm')
  return /name="csrf" value="([^"]+)"/.exec(body)?.[1] ?? ''
}

/** The status of every page for one person. */
async function visitAll(user: Browser, records: Records): Promise<Map<string, number>> {
  const seen = new Map<string, number>()
  for (const route of pages) seen.set(route.path, (await user.get(pathFor(route, records))).status)
  return seen
}

const everywhere = (status: number) => new Map(pages.map(({ path }) => [path, status]))

describe('every page', () => {
  test('redirects to sign-in and back if no one is signed in', async () => {
    for (const route of pages) {
      const path = pathFor(route, ours)
      const signIn = `/sign-in?${new URLSearchParams({ return_to: path }).toString()}`
      for (const method of ['get', 'post'] as const) {
        if (method === 'post' && route.methods.POST === undefined) continue
        expect(await browser(app)[method](path), `${method} ${path}`).toMatchObject({
          status: 303,
          location: signIn,
        })
      }
    }
  })

  test('loads for owners and admins with a unique title; button-only routes redirect to their page', async () => {
    for (const user of [owner, admin]) {
      const titles = new Map<string, string>()
      for (const route of pages) {
        const path = pathFor(route, ours)
        const { status, body, location } = await user.get(path)
        if (status === 303) {
          expect((await user.get(location)).status, path).toBe(200)
          continue
        }
        expect([path, status]).toEqual([path, 200])
        titles.set(route.path, /<title>([^<]*) · Gable<\/title>/.exec(body)?.[1] ?? '')
        expect([...body.matchAll(/aria-current="page"/g)], path).toHaveLength(1)
      }
      expect(new Set(titles.values()).size, JSON.stringify([...titles])).toBe(titles.size)
    }
  })

  test('returns 403 to agents', async () => {
    expect(await visitAll(agent, ours)).toEqual(everywhere(403))
  })

  test('returns 404 to people of other workspaces and for unknown workspaces', async () => {
    expect(await visitAll(outsider, ours)).toEqual(everywhere(404))
    const nowhere = { ...ours, workspace: `c${'0'.repeat(24)}` }
    expect(await visitAll(owner, nowhere)).toEqual(everywhere(404))
  })

  test('returns 404 for IDs that are unknown, malformed, or of another workspace', async () => {
    const csrf = await csrfOf(owner)
    for (const route of pages) {
      for (const name of namesIn(route)) {
        for (const id of [foreign[name] ?? '', `c${'0'.repeat(24)}`, 'x', '%3Cb%3E', '..%2F..', '%00']) {
          const path = pathFor(route, ours, { [name]: id })
          const { status, body } = await owner.get(path)
          // The page of a button does not look at the record before the button is pressed.
          expect(isId(id) && body === '' ? [303, 404] : [404], path).toContain(status)
          if (route.methods.POST !== undefined)
            expect([path, (await owner.post(path, { csrf })).status]).toEqual([path, 404])
          expect(body).not.toContain('<b>')
        }
      }
    }
  })

  test('returns 404 to a removed member from the next request until they are reactivated', async () => {
    const leaving = await userIn(app, owner.workspace, 'admin')
    expect((await leaving.get(`${owner.base}/keys`)).status).toBe(200)
    await setMemberActive(owner.workspace.ctx, leaving.member.id, false)
    expect(await visitAll(leaving, ours)).toEqual(everywhere(404))
    expect((await leaving.get(owner.base)).status).toBe(404)
    await setMemberActive(owner.workspace.ctx, leaving.member.id, true)
    expect((await leaving.get(`${owner.base}/keys`)).status).toBe(200)
  })
})

describe('every form', () => {
  /** Posts all forms in a way that the server must reject. */
  const expectRejected = async (
    user: Browser,
    status: number,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ) => {
    const before = await fingerprint(app.databaseUrl)
    for (const route of forms()) {
      const path = pathFor(route, ours)
      expect([path, (await user.post(path, fields, headers)).status]).toEqual([path, status])
    }
    expect(await fingerprint(app.databaseUrl)).toEqual(before)
  }

  test('returns 403 and changes nothing without its page’s CSRF token', async () => {
    await expectRejected(owner, 403, {})
    await expectRejected(owner, 403, { csrf: '' })
    await expectRejected(owner, 403, { csrf: await csrfOf(admin) })
  })

  test('returns 403 and changes nothing if it comes from another site', async () => {
    const fields = { csrf: await csrfOf(owner) }
    for (const site of ['cross-site', 'same-site'])
      await expectRejected(owner, 403, fields, { 'sec-fetch-site': site })
  })

  test('returns 403 to agents and 404 to people of other workspaces, and changes nothing', async () => {
    await expectRejected(agent, 403, { csrf: await csrfOf(agent) })
    await expectRejected(outsider, 404, { csrf: await csrfOf(outsider) })
  })
})

test('granting access requires a sign-in within the last ten minutes', async () => {
  const user = await userIn(app, owner.workspace)
  app.clock.advance(10 * 60_000 + 1)
  const before = await fingerprint(app.databaseUrl)
  const asked = { pages: [] as string[], forms: [] as string[] }
  for (const route of pages) {
    const path = pathFor(route, ours)
    const short = route.path.replace('/settings/:workspace', '')
    const confirm = `/sign-in/confirm?${new URLSearchParams({ return_to: path }).toString()}`
    if ((await user.get(path)).location === confirm) asked.pages.push(short)
    if (route.methods.POST === undefined) continue
    // Sent without the form's token: a form that needs no recent sign-in returns 403.
    const { status, location } = await user.post(path)
    if (status !== 403) expect([path, location]).toEqual([path, `${confirm}&unsaved=yes`])
    if (status !== 403 && asked.pages.at(-1) !== short) asked.forms.push(short)
    if (status === 403) expect(asked.pages).not.toContain(short)
  }
  expect(asked.pages.toSorted()).toEqual([
    '/apps/:app/delete',
    '/apps/:app/edit',
    '/apps/:app/secret',
    '/apps/new',
    '/keys/new',
    '/members/:member/deactivate',
    '/members/invite',
    '/signatures/:signature',
    '/signatures/:signature/disconnect',
    '/signatures/documenso',
    '/signatures/docusign',
    '/voice/:voice',
    '/voice/:voice/disconnect',
    '/voice/retell',
    '/voice/twilio',
    '/webhooks/:webhook/edit',
    '/webhooks/:webhook/secret',
    '/webhooks/new',
  ])
  expect(asked.forms.toSorted()).toEqual([
    '/apps/:app/enable',
    '/invitations/:invitation/revoke',
    '/invitations/:invitation/send',
    '/members/:member',
    '/members/:member/activate',
    '/voice/:voice/test',
  ])
  const { sessions: _before, ...rest } = before
  const { sessions: _after, ...restNow } = await fingerprint(app.databaseUrl)
  expect(restNow).toEqual(rest)
})

test('an unknown settings path returns 404 and a malformed one 400, signed in or not', async () => {
  for (const user of [owner, browser(app)])
    for (const path of ['/nothing', '/keys/new/more', '/%00', '/%zz'])
      expect(await user.get(owner.base + path)).toMatchObject({
        status: path === '/%zz' ? 400 : 404,
        body: expect.stringContaining(
          path === '/%zz' ? 'is not a valid url component' : '<h1>Page not found</h1>',
        ),
      })
})

test('an error page has the header of the other pages', async () => {
  const someone = await userIn(app, owner.workspace)
  const ofAgent = await userIn(app, owner.workspace, 'agent')
  for (const [user, path, status, nav] of [
    [someone, '/settings/nothing/at/all', 404, false],
    [someone, '/account/nothing', 404, false],
    [someone, `${someone.base}/keys/c${'0'.repeat(24)}/revoke`, 404, true],
    [ofAgent, `${someone.base}/keys`, 403, false],
  ] as const) {
    const page = await user.get(path)
    expect([path, page.status]).toEqual([path, status])
    expect(page.body).toContain('<a href="/account">Account</a>')
    expect(page.body.includes(`${someone.base}/members"`)).toBe(nav)
  }
  expect((await browser(app).get('/account/nothing')).body).not.toContain('Sign out')
})
