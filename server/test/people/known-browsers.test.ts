import { afterAll, beforeAll, expect, test } from 'vitest'
import { readMails } from '../../src/modules/mail/public.ts'
import { findPersonByEmail, sendReset } from '../../src/modules/people/public.ts'
import { type Browser, type Person, browser } from '../support/browser.ts'
import {
  type Scene,
  act,
  isKnown,
  isSignedIn,
  scene,
  signIn,
  times,
  turnOnSecondStep,
  wrongPasswords,
} from './scene.ts'

let it: Scene
beforeAll(async () => {
  it = await scene()
})
afterAll(() => it[Symbol.asyncDispose]())

const quarterMs = 15 * 60_000
const dayMs = 24 * 3_600_000
const deviceCookie = '__Host-gable_device'

/** A person who has signed out of a browser that is known as theirs. All attempt counters have expired. */
async function known(): Promise<{ person: Person; user: Browser }> {
  it.app.clock.advance(quarterMs)
  const person = await it.person()
  const user = await it.requireSession(person)
  await act(user, '/sign-out', {})
  return { person, user }
}

/** Whether the person can try their password in this browser while other attempts lock them out everywhere else. */
async function isKnownAs({ email }: Person, user: Browser): Promise<boolean> {
  it.app.clock.advance(quarterMs)
  await wrongPasswords(it.user, 11, email)
  const [status] = await wrongPasswords(() => user, 1, email)
  it.app.clock.advance(quarterMs)
  return status === 401
}

/** Sets a new password through an emailed link. Returns the person's credentials and the browser that was used. */
async function byLink({ email }: Person) {
  const row = await findPersonByEmail(it.app.runtime.database.directory, email)
  const link = row === undefined ? '' : await sendReset(it.app.runtime, row)
  const [user, password] = [it.user(), 'a password by a link']
  await user.submit(link.slice(it.here.url.length), { password })
  return { user, email, password }
}

const nameOf = ({ cookies }: Browser) => cookies.get(deviceCookie)?.split('.')[0]

test('a person can sign in on a known browser despite others’ attempts from the same network', async () => {
  const { person, user } = await known()
  await wrongPasswords(it.user, 11, person.email)
  for (let n = 0; n < 100; n++) await wrongPasswords(it.user, 1, `unknown-${n}@gable.example`)
  expect((await signIn(it.user(), person)).status).toBe(429)
  expect((await signIn(user, person)).status).toBe(303)
  expect(await isKnown(user)).toBe(true)
})

test('a known browser has ten attempts of its own', async () => {
  const { person, user } = await known()
  expect(await wrongPasswords(() => user, 11, person.email)).toEqual([...times(10, 401), 429])
  it.app.clock.advance(quarterMs)
  expect((await signIn(user, person)).status).toBe(303)
})

test('another person’s known browser or a forged cookie does not count as known', async () => {
  const [{ person }, { user }] = [await known(), await known()]
  expect(await isKnownAs(person, user)).toBe(false)
  const [name, since] = user.cookies.get(deviceCookie)?.split('.') ?? []
  const signature = Buffer.alloc(32).toString('base64url')
  for (const value of [`${name}.${since}.${signature}`, `${name}..${signature}`, `${name}`, '..', ''])
    expect(await isKnownAs(person, browser(it.here, [`${deviceCookie}=${value}`]))).toBe(false)
})

test('a browser stays known for 90 days after its last sign-in, under the same ID', async () => {
  for (const [ms, is] of [
    [90 * dayMs - 1000, true],
    [90 * dayMs, false],
    [90 * dayMs + 1000, false],
  ] as const) {
    const { person, user } = await known()
    const name = nameOf(user)
    it.app.clock.advance(89 * dayMs)
    await signIn(user, person)
    expect(nameOf(user)).toBe(name)
    it.app.clock.advance(ms - quarterMs)
    expect([ms, await isKnownAs(person, user)]).toEqual([ms, is])
  }
})

test('a credential change makes all other browsers unknown, unless it is reverted', async () => {
  const change = (user: Browser) => act(user, '/account/password', { password: 'another good password' })
  const turnOn = (user: Browser) => turnOnSecondStep(it, user)
  const turnOff = (user: Browser) => act(user, '/account/second-step', { do: 'remove' })
  for (const [steps, isOther] of [
    [[change], false],
    [[turnOn], false],
    [[turnOn, turnOff], true],
  ] as const) {
    const { person, user: other } = await known()
    expect(await isKnownAs(person, other)).toBe(true)
    const user = await it.requireSession(person)
    for (const step of steps) await step(user)
    expect([await isKnownAs(person, user), await isKnownAs(person, other)]).toEqual([true, isOther])
  }
})

test('a person’s known browsers share 50 attempts, and a password reset lets the person in', async () => {
  const { person } = await known()
  const visitors: Browser[] = []
  for (let n = 0; n < 6; n++) visitors.push(await it.requireSession(person))
  const statuses: number[] = []
  for (const one of visitors) statuses.push(...(await wrongPasswords(() => one, 10, person.email)))
  expect(statuses).toEqual([...times(50, 401), ...times(10, 429)])
  const { user, ...renewed } = await byLink(person)
  expect((await signIn(user, renewed)).status).toBe(303)
})

test('known browsers share 50 code attempts, even after a new password, and the person is notified', async () => {
  const { person } = await known()
  const { recoveryCodes } = await turnOnSecondStep(it, await it.requireSession(person))
  it.app.clock.advance(quarterMs)
  const bring = async (user: Browser, code: string) => {
    await signIn(user, person)
    return (await user.post('/sign-in/second-step', { code })).status
  }
  const hoard: Browser[] = []
  for (const code of recoveryCodes.slice(0, 6)) {
    const user = it.user()
    await bring(user, code)
    expect(isSignedIn(user)).toBe(true)
    await act(user, '/sign-out', {})
    hoard.push(user)
  }
  const statuses: number[] = []
  for (const one of hoard) for (let n = 0; n < 10; n++) statuses.push(await bring(one, '000000'))
  expect(statuses).toEqual([...times(50, 401), ...times(10, 429)])
  const { user, ...renewed } = await byLink(person)
  await signIn(user, renewed)
  expect((await user.post('/sign-in/second-step', { code: '000000' })).status).toBe(429)
  const mails = await readMails(it.app.runtime)
  expect(
    mails.filter(({ mail }) => mail?.to === person.email && mail.text.includes('wrong codes')),
  ).toHaveLength(1)
})
