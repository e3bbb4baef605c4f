import { afterAll, beforeAll, expect, test } from 'vitest'
import { membershipsOf } from '../../src/modules/people/public.ts'
import { setMemberActive } from '../../src/modules/workspaces/public.ts'
import { type Browser, browser, personIn } from '../support/browser.ts'
import { asOwner } from '../support/database.ts'
import { type Scene, act, csrfOf, isKnown, scene, sessionCookie, signIn } from './scene.ts'

let it: Scene
beforeAll(async () => {
  it = await scene()
})
afterAll(() => it[Symbol.asyncDispose]())

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Another browser with the same cookies. */
const copyOf = ({ cookies }: Browser) => {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return { isKnown: async () => (await browser(it.here).get('/account', { cookie })).status === 200 }
}

const confirm = async (user: Browser, password: string) =>
  user.post('/sign-in/confirm', { csrf: await csrfOf(user), password, return_to: '/account' })

test('the session cookie is host-only, HttpOnly, and SameSite=Lax, and lasts 14 days', async () => {
  const person = await it.person()
  const { headers } = await signIn(it.user(), person)
  const cookies = headers.getSetCookie()
  expect(cookies.find((one) => one.startsWith(`${sessionCookie}=`))).toMatch(
    /^__Host-gable_session=gbl_ss_\w{49}; Path=\/; Max-Age=1209600; Secure; HttpOnly; SameSite=Lax$/,
  )
  for (const cookie of cookies)
    expect(cookie).toMatch(/^__Host-[^;]+; Path=\/; Max-Age=\d+; Secure; HttpOnly; SameSite=Lax$/)
  expect(headers.get('cache-control')).toBe('no-store')
})

test('a sign-in starts a new session and ends the browser’s previous one', async () => {
  const person = await it.person()
  const user = await it.requireSession(person)
  const [before, secret] = [copyOf(user), user.cookies.get(sessionCookie)]
  await user.post('/sign-in', { email: person.email, password: person.password })
  expect(user.cookies.get(sessionCookie)).not.toBe(secret)
  expect([await before.isKnown(), await isKnown(user)]).toEqual([false, true])
})

test('signing in ends, and never continues, a session planted by another person', async () => {
  const [attacker, person] = [await it.requireSession(await it.person()), await it.person()]
  const user = it.user()
  await signIn(user, person)
  const cookie = `${sessionCookie}=${attacker.cookies.get(sessionCookie)}`
  const { headers } = await browser(it.here).post('/sign-in', { ...personOf(person) }, { cookie })
  expect(headers.getSetCookie().some((one) => one.startsWith(cookie))).toBe(false)
  expect(await isKnown(attacker)).toBe(false)
})

const personOf = ({ email, password }: { email: string; password: string }) => ({ email, password })

test('confirming an identity starts a new session that keeps the old expiration', async () => {
  const person = await it.person()
  const user = await it.requireSession(person)
  const before = copyOf(user)
  for (let day = 1; day < 14; day++) {
    it.app.clock.advance(dayMs - 1000)
    expect(await isKnown(user)).toBe(true)
  }
  it.app.clock.advance(13_000)
  expect((await confirm(user, person.password)).status).toBe(303)
  expect([await before.isKnown(), await isKnown(user)]).toEqual([false, true])
  it.app.clock.advance(dayMs - 2000)
  expect(await isKnown(user)).toBe(true)
  it.app.clock.advance(2000)
  expect(await isKnown(user)).toBe(false)
})

test('only one of two concurrent replacements of a session succeeds', async () => {
  const person = await it.person()
  const user = await it.requireSession(person)
  const [csrf, cookie] = [await csrfOf(user), `${sessionCookie}=${user.cookies.get(sessionCookie)}`]
  const once = () =>
    browser(it.here).post('/sign-in/confirm', { csrf, password: person.password }, { cookie })
  const statuses = (await Promise.all([once(), once()])).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([303, 409])
})

test.each([
  ['a day after its last use', [], dayMs],
  ['a day after its last use, which prolonged it', [20 * hourMs], dayMs],
  [
    'a fortnight after the sign-in, however much it is used',
    Array.from({ length: 15 }, () => 22 * hourMs),
    6 * hourMs,
  ],
])('a session ends %s', async (_, uses, restMs) => {
  for (const [offsetMs, lives] of [
    [-1000, true],
    [0, false],
    [1000, false],
  ] as const) {
    const user = await it.requireSession(await it.person())
    for (const ms of uses) {
      it.app.clock.advance(ms)
      expect(await isKnown(user)).toBe(true)
    }
    it.app.clock.advance(restMs + offsetMs)
    expect([offsetMs, await isKnown(user)]).toEqual([offsetMs, lives])
  }
})

test.each(['/account/password', '/account/passkeys', '/account/second-step'])(
  '%s requires a sign-in within 10 minutes and returns after confirmation',
  async (path) => {
    const person = await it.person()
    for (const [ms, status] of [
      [599_000, 200],
      [600_000, 200],
      [601_000, 303],
    ] as const) {
      const user = await it.requireSession(person)
      it.app.clock.advance(ms)
      expect([ms, (await user.get(path)).status]).toEqual([ms, status])
      if (status === 200) continue
      const asked = await user.get(path)
      expect(asked.location).toBe(`/sign-in/confirm?${new URLSearchParams({ return_to: path }).toString()}`)
      expect((await act(user, path, { do: 'begin', password: 'another good password' })).status).toBe(303)
      const { location } = await user.submit(asked.location, { password: person.password })
      expect(location).toBe(path)
      expect((await user.get(location)).status).toBe(200)
    }
  },
)

test('the account lists sessions by browser and can end one, all others, or all', async () => {
  const person = await it.person()
  const [one, two, three] = [
    await it.requireSession(person),
    await it.requireSession(person),
    await it.requireSession(person),
  ]
  const known = async () => [await isKnown(one), await isKnown(two), await isKnown(three)]
  const { body } = await one.get('/account')
  expect(body.match(/<bdi>node<\/bdi>/g)).toHaveLength(3)
  expect(body.match(/\(this session\)/g)).toHaveLength(1)
  const [, id = ''] = /name="id" value="([^"]+)"/.exec(body) ?? []
  await act(one, '/account/sessions', { do: 'end', id })
  expect((await known()).filter(Boolean)).toHaveLength(2)
  await act(one, '/account/sessions', { do: 'end-others' })
  expect(await known()).toEqual([true, false, false])
  await signIn(two, person)
  expect(await act(one, '/account/sessions', { do: 'end-all' })).toMatchObject({ location: '/sign-in' })
  expect(await known()).toEqual([false, false, false])
})

test('a person cannot end another person’s session', async () => {
  const person = await it.person()
  const [victim, outsider] = [await it.requireSession(person), await it.requireSession(await it.person())]
  const [row] = await asOwner<{ id: string }>(
    it.app.databaseUrl,
    'select s.id from sessions s join people p on p.id = s.person_id where p.email = $1',
    [person.email],
  )
  await act(outsider, '/account/sessions', { do: 'end', id: row?.id ?? '' })
  expect(await isKnown(victim)).toBe(true)
  await act(victim, '/account/sessions', { do: 'end', id: row?.id ?? '' })
  expect(await isKnown(victim)).toBe(false)
})

test('a new password ends all sessions except the current one', async () => {
  const person = await it.person()
  const [here, elsewhere] = [await it.requireSession(person), await it.requireSession(person)]
  expect((await act(here, '/account/password', { password: 'short' })).status).toBe(400)
  expect(await isKnown(elsewhere)).toBe(true)
  const password = 'another good password'
  expect((await act(here, '/account/password', { password })).location).toBe('/account')
  expect([await isKnown(here), await isKnown(elsewhere)]).toEqual([true, false])
  expect((await signIn(it.user(), person)).status).toBe(401)
  expect((await signIn(it.user(), { ...person, password })).status).toBe(303)
})

test('sign-ins concurrent with a password change get no session with the old password', async () => {
  const person = await it.person()
  const here = await it.requireSession(person)
  const visitors = Array.from({ length: 9 }, () => it.user())
  const csrf = await csrfOf(here)
  await Promise.all([
    ...visitors.map((one) => one.post('/sign-in', personOf(person))),
    here.post('/account/password', { csrf, password: 'another good password' }),
  ])
  expect(await Promise.all(visitors.map(isKnown))).toEqual(visitors.map(() => false))
  expect(await isKnown(here)).toBe(true)
})

test('a removed member loses the workspace on their next request', async () => {
  const person = await it.person()
  await it.person()
  const user = await it.requireSession(person)
  const link = `href="/settings/${it.workspace.id}"`
  expect((await user.get('/account')).body).toContain(link)
  await setMemberActive(it.workspace.ctx, person.member.id, false)
  expect((await user.get('/account')).body).not.toContain(link)
  const [row] = await asOwner<{ person_id: string }>(
    it.app.databaseUrl,
    'select person_id from memberships where member_id = $1',
    [person.member.id],
  )
  expect(await membershipsOf(it.app.runtime, row?.person_id ?? '')).toEqual([])
})

test('hostile workspace names and user agents are shown as plain text', async () => {
  const hostile = `<script>alert(1)</script> \u202Egnp.exe ${'x'.repeat(60)}`
  const workspace = await it.app.workspace(hostile)
  const person = await personIn(workspace)
  const user = it.user()
  await user.post('/sign-in', personOf(person), { 'user-agent': `<b>${'y'.repeat(10_000)}` })
  const { body } = await user.get('/account')
  expect(body).not.toContain('<script>alert')
  expect(body).toContain('<bdi>&lt;script&gt;alert(1)')
  expect(body).toContain(`<bdi>&lt;b&gt;${'y'.repeat(197)}</bdi>`)
})
