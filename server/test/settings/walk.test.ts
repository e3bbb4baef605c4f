import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PlainRoute } from '#kernel/http/plain-route.ts'
import { isId } from '#kernel/ids.ts'
import { setMemberActive } from '../../src/modules/workspaces/public.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { type Browser, browser } from '../support/browser.ts'
import { fingerprint } from '../support/database.ts'
import { type Records, type Somebody, makeRecords, pagesOf, pathFor, somebodyIn } from './scene.ts'

let app: TestApp
let pages: PlainRoute[]
let owner: Somebody
let admin: Somebody
let agent: Somebody
let stranger: Somebody
let ours: Records
let theirs: Records

beforeAll(async () => {
  app = await testApp()
  const [here, elsewhere] = [await app.workspace(), await app.workspace()]
  owner = await somebodyIn(app, here)
  admin = await somebodyIn(app, here, 'admin')
  agent = await somebodyIn(app, here, 'agent')
  stranger = await somebodyIn(app, elsewhere)
  ours = await makeRecords(app, here, agent)
  theirs = await makeRecords(app, elsewhere, stranger)
  pages = pagesOf(app)
})
afterAll(() => app[Symbol.asyncDispose]())

const forms = () => pages.filter(({ methods }) => methods.POST !== undefined)

const namesIn = ({ path }: PlainRoute) => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

/** What comes with the forms of whoever is signed in. */
async function csrfOf(visitor: Browser): Promise<string> {
  const { body } = await visitor.get('/sign-in/confirm')
  return /name="csrf" value="([^"]+)"/.exec(body)?.[1] ?? ''
}

/** The answers of all pages to one visitor. */
async function visitAll(visitor: Browser, records: Records): Promise<Map<string, number>> {
  const seen = new Map<string, number>()
  for (const route of pages) seen.set(route.path, (await visitor.get(pathFor(route, records))).status)
  return seen
}

const everywhere = (status: number) => new Map(pages.map(({ path }) => [path, status]))

describe('every page', () => {
  test('sends whoever is not signed in to sign in, and back', async () => {
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

  test('is there for owners and admins, with a title of its own; a button alone leads back to its page', async () => {
    for (const visitor of [owner, admin]) {
      const titles = new Map<string, string>()
      for (const route of pages) {
        const path = pathFor(route, ours)
        const { status, body, location } = await visitor.get(path)
        if (status === 303) {
          expect((await visitor.get(location)).status, path).toBe(200)
          continue
        }
        expect([path, status]).toEqual([path, 200])
        titles.set(route.path, /<title>([^<]*) · Gable<\/title>/.exec(body)?.[1] ?? '')
        expect([...body.matchAll(/aria-current="page"/g)], path).toHaveLength(1)
      }
      expect(new Set(titles.values()).size, JSON.stringify([...titles])).toBe(titles.size)
    }
  })

  test('is refused to agents: 403', async () => {
    expect(await visitAll(agent, ours)).toEqual(everywhere(403))
  })

  test('is not there for people of other workspaces, as for a workspace that there is not: 404', async () => {
    expect(await visitAll(stranger, ours)).toEqual(everywhere(404))
    const nowhere = { ...ours, workspace: `c${'0'.repeat(24)}` }
    expect(await visitAll(owner, nowhere)).toEqual(everywhere(404))
  })

  test('is not there for ids of another workspace, of nothing, and for what can be no id: 404', async () => {
    const csrf = await csrfOf(owner)
    for (const route of pages) {
      for (const name of namesIn(route)) {
        for (const id of [theirs[name] ?? '', `c${'0'.repeat(24)}`, 'x', '%3Cb%3E', '..%2F..', '%00']) {
          const path = pathFor(route, ours, { [name]: id })
          const { status, body } = await owner.get(path)
          // A button looks at nothing before it is pressed.
          expect(isId(id) && body === '' ? [303, 404] : [404], path).toContain(status)
          if (route.methods.POST !== undefined)
            expect([path, (await owner.post(path, { csrf })).status]).toEqual([path, 404])
          expect(body).not.toContain('<b>')
        }
      }
    }
  })

  test('is gone for a member who is removed, on the next request; and back with them', async () => {
    const leaving = await somebodyIn(app, owner.workspace, 'admin')
    expect((await leaving.get(`${owner.base}/keys`)).status).toBe(200)
    await setMemberActive(owner.workspace.ctx, leaving.member.id, false)
    expect(await visitAll(leaving, ours)).toEqual(everywhere(404))
    expect((await leaving.get(owner.base)).status).toBe(404)
    await setMemberActive(owner.workspace.ctx, leaving.member.id, true)
    expect((await leaving.get(`${owner.base}/keys`)).status).toBe(200)
  })
})

describe('every form changes nothing', () => {
  /** Posts all forms, each in some way that must be refused. */
  const expectRefused = async (
    visitor: Browser,
    status: number,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ) => {
    const before = await fingerprint(app.databaseUrl)
    for (const route of forms()) {
      const path = pathFor(route, ours)
      expect([path, (await visitor.post(path, fields, headers)).status]).toEqual([path, status])
    }
    expect(await fingerprint(app.databaseUrl)).toEqual(before)
  }

  test('without what its page brought along: 403', async () => {
    await expectRefused(owner, 403, {})
    await expectRefused(owner, 403, { csrf: '' })
    await expectRefused(owner, 403, { csrf: await csrfOf(admin) })
  })

  test('when it comes from another site: 403', async () => {
    const fields = { csrf: await csrfOf(owner) }
    for (const site of ['cross-site', 'same-site'])
      await expectRefused(owner, 403, fields, { 'sec-fetch-site': site })
  })

  test('for agents: 403; for people of other workspaces: 404', async () => {
    await expectRefused(agent, 403, { csrf: await csrfOf(agent) })
    await expectRefused(stranger, 404, { csrf: await csrfOf(stranger) })
  })
})

test('what makes secrets, or says where codes go, takes a sign-in within the last ten minutes', async () => {
  const visitor = await somebodyIn(app, owner.workspace)
  const csrf = await csrfOf(visitor)
  app.clock.advance(10 * 60_000 + 1)
  const before = await fingerprint(app.databaseUrl)
  const asked: string[] = []
  for (const route of pages) {
    const path = pathFor(route, ours)
    const confirm = `/sign-in/confirm?${new URLSearchParams({ return_to: path }).toString()}`
    const { location } = await visitor.get(path)
    if (location !== confirm) continue
    asked.push(route.path)
    expect((await visitor.post(path, { csrf })).location).toBe(confirm)
  }
  expect(asked.map((path) => path.replace('/settings/:workspace', ''))).toEqual([
    '/keys/new',
    '/apps/new',
    '/apps/:app/edit',
    '/apps/:app/secret',
    '/webhooks/new',
    '/webhooks/:webhook/secret',
  ])
  const { sessions: _before, ...rest } = before
  const { sessions: _after, ...restNow } = await fingerprint(app.databaseUrl)
  expect(restNow).toEqual(rest)
})

test('a path below the settings that there is not is a 404, signed in or not', async () => {
  for (const visitor of [owner, browser(app)])
    for (const path of ['/nothing', '/keys/new/more', '/%00', '/%zz'])
      expect(await visitor.get(owner.base + path)).toMatchObject({
        status: path === '/%zz' ? 400 : 404,
        body: expect.stringContaining(path === '/%zz' ? 'not valid' : '<h1>There is nothing here</h1>'),
      })
})
