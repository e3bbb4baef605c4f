import { afterAll, beforeAll, expect, test } from 'vitest'
import { inviteMember } from '../../src/modules/invitations/public.ts'
import { findPersonByEmail, sendReset } from '../../src/modules/people/public.ts'
import type { Browser, Person } from '../support/browser.ts'
import { type Scene, scene, signIn } from './scene.ts'

let it: Scene
beforeAll(async () => {
  it = await scene()
})
afterAll(() => it[Symbol.asyncDispose]())

const cookie = '__Host-gable_reset'
const password = 'what they choose by the link'

async function link({ email }: Person): Promise<{ path: string; token: string }> {
  const row = await findPersonByEmail(it.app.runtime.database.directory, email)
  if (row === undefined) throw new Error('No such person.')
  const path = (await sendReset(it.app.runtime, row)).slice(it.here.url.length)
  return { path, token: path.split('token=')[1] ?? '' }
}

/** The values that the page's form would post. */
async function shown(user: Browser): Promise<{ email: string; token: string }> {
  const { body } = await user.get('/sign-in/reset')
  const valueOf = (name: string) => new RegExp(`name="${name}"[^>]* value="([^"]*)"`).exec(body)?.[1] ?? ''
  return { email: valueOf('username'), token: valueOf('token') }
}

test('a link moves its token to a one-hour HttpOnly cookie and redirects without it', async () => {
  const { path, token } = await link(await it.person())
  const user = it.user()
  const { status, location, headers, body } = await user.get(path)
  expect([status, location, body]).toEqual([303, '/sign-in/reset', ''])
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.getSetCookie()).toEqual([
    `${cookie}=${token}; Path=/; Max-Age=3600; Secure; HttpOnly; SameSite=Lax`,
  ])
  expect((await user.get(location)).status).toBe(200)
})

test('link scanners that open a link do not use it up', async () => {
  const person = await it.person()
  const { path } = await link(person)
  for (let n = 0; n < 3; n++) {
    const scanner = it.user()
    await scanner.get(path)
    await scanner.get('/sign-in/reset')
  }
  const user = it.user()
  expect((await user.submit(path, { password })).location).toBe('/sign-in')
  expect(user.cookies.has(cookie)).toBe(false)
  expect((await signIn(it.user(), { ...person, password })).status).toBe(303)
})

test('two tabs with different links each set the password of the person they show', async () => {
  const [one, other] = [await it.person(), await it.person()]
  const user = it.user()
  await user.get((await link(one)).path)
  const first = await shown(user)
  await user.get((await link(other)).path)
  const second = await shown(user)
  expect([first.email, second.email]).toEqual([one.email, other.email])
  for (const [tab, secret] of [
    [first, `${password} 1`],
    [second, `${password} 2`],
  ] as const) {
    expect((await user.post('/sign-in/reset', { token: tab.token, password: secret })).status).toBe(303)
    expect((await signIn(it.user(), { email: tab.email, password: secret })).status).toBe(303)
  }
})

test('an invalid token returns 404 and sets no cookie, even after a valid link was opened', async () => {
  const user = it.user()
  await user.get((await link(await it.person())).path)
  for (const token of ['', 'x', 'gbl_ln_x', '%0d%0aset-cookie:a=b', 'a;path=/']) {
    const { status, headers } = await user.get(`/sign-in/reset?token=${token}`)
    expect([token, status, headers.getSetCookie()]).toEqual([token, 404, []])
  }
})

test('an invitation’s token is also kept in a cookie and survives sign-in', async () => {
  const person = await it.person()
  const elsewhere = await it.app.workspace('Elsewhere')
  const draft = { name: 'Ada', email: person.email, role: 'agent' as const }
  const { link: address } = await inviteMember(elsewhere.ctx, draft)
  const user = it.user()
  const { status, location, headers } = await user.get(address.slice(it.here.url.length))
  expect([status, location]).toEqual([303, '/invitation'])
  expect(headers.getSetCookie()).toHaveLength(1)
  const { body } = await user.get('/invitation')
  expect(body).toContain('href="/sign-in?return_to=%2Finvitation"')
  const { email, password: secret } = person
  await user.submit('/sign-in?return_to=/invitation', { email, password: secret }, '/sign-in')
  expect((await user.submit('/invitation', {})).location).toBe(`/settings/${elsewhere.id}`)
  expect(user.cookies.has('__Host-gable_invitation')).toBe(false)
})
