import { afterAll, beforeAll, expect, test } from 'vitest'
import { readMails } from '../../src/modules/mail/public.ts'
import { findPersonByEmail } from '../../src/modules/signin/people-queries.ts'
import { sendReset } from '../../src/modules/signin/public.ts'
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

/** Somebody with a browser that they are known by and signed out in, when nothing is counted any more. */
async function known(): Promise<{ person: Person; visitor: Browser }> {
  it.app.clock.advance(quarterMs)
  const person = await it.person()
  const visitor = await it.signedIn(person)
  await act(visitor, '/sign-out', {})
  return { person, visitor }
}

/** Whether the person gets to their password here, while strangers keep them out everywhere else. */
async function isKnownAs({ email }: Person, visitor: Browser): Promise<boolean> {
  it.app.clock.advance(quarterMs)
  await wrongPasswords(it.visitor, 11, email)
  const [status] = await wrongPasswords(() => visitor, 1, email)
  it.app.clock.advance(quarterMs)
  return status === 401
}

/** The person with a new password by a link in a mail, and the browser in which they have set it. */
async function byLink({ email }: Person) {
  const row = await findPersonByEmail(it.app.house.database.directory, email)
  const link = row === undefined ? '' : await sendReset(it.app.house, row, it.here.url)
  const [visitor, password] = [it.visitor(), 'a password by a link']
  await visitor.submit(link.slice(it.here.url.length), { password })
  return { visitor, email, password }
}

const nameOf = ({ cookies }: Browser) => cookies.get(deviceCookie)?.split('.')[0]

test('whoever is known by their browser gets in there, whatever strangers do, in their own network too', async () => {
  const { person, visitor } = await known()
  await wrongPasswords(it.visitor, 11, person.email)
  for (let n = 0; n < 100; n++) await wrongPasswords(it.visitor, 1, `nobody-${n}@gable.example`)
  expect((await signIn(it.visitor(), person)).status).toBe(429)
  expect((await signIn(visitor, person)).status).toBe(303)
  expect(await isKnown(visitor)).toBe(true)
})

test('a browser that somebody is known by has ten attempts of its own', async () => {
  const { person, visitor } = await known()
  expect(await wrongPasswords(() => visitor, 11, person.email)).toEqual([...times(10, 401), 429])
  it.app.clock.advance(quarterMs)
  expect((await signIn(visitor, person)).status).toBe(303)
})

test('a browser that is known as somebody else’s, or says so itself, is a stranger', async () => {
  const [{ person }, { visitor }] = [await known(), await known()]
  expect(await isKnownAs(person, visitor)).toBe(false)
  const [name, since] = visitor.cookies.get(deviceCookie)?.split('.') ?? []
  const signature = Buffer.alloc(32).toString('base64url')
  for (const value of [`${name}.${since}.${signature}`, `${name}..${signature}`, `${name}`, '..', ''])
    expect(await isKnownAs(person, browser(it.here, [`${deviceCookie}=${value}`]))).toBe(false)
})

test('a browser is known for 90 days after a sign-in, by the name that it had', async () => {
  for (const [ms, is] of [
    [90 * dayMs - 1000, true],
    [90 * dayMs, false],
    [90 * dayMs + 1000, false],
  ] as const) {
    const { person, visitor } = await known()
    const name = nameOf(visitor)
    it.app.clock.advance(89 * dayMs)
    await signIn(visitor, person)
    expect(nameOf(visitor)).toBe(name)
    it.app.clock.advance(ms - quarterMs)
    expect([ms, await isKnownAs(person, visitor)]).toEqual([ms, is])
  }
})

test('a browser in which somebody changes how they sign in stays known, and another while it is as it was', async () => {
  const change = (visitor: Browser) =>
    act(visitor, '/account/password', { password: 'another good password' })
  const turnOn = (visitor: Browser) => turnOnSecondStep(it, visitor)
  const turnOff = (visitor: Browser) => act(visitor, '/account/second-step', { do: 'remove' })
  for (const [steps, isOther] of [
    [[change], false],
    [[turnOn], false],
    [[turnOn, turnOff], true],
  ] as const) {
    const { person, visitor: other } = await known()
    expect(await isKnownAs(person, other)).toBe(true)
    const visitor = await it.signedIn(person)
    for (const step of steps) await step(visitor)
    expect([await isKnownAs(person, visitor), await isKnownAs(person, other)]).toEqual([true, isOther])
  }
})

test('all browsers that a person is known by have fifty attempts together, and a new password gets in', async () => {
  const { person } = await known()
  const visitors: Browser[] = []
  for (let n = 0; n < 6; n++) visitors.push(await it.signedIn(person))
  const statuses: number[] = []
  for (const one of visitors) statuses.push(...(await wrongPasswords(() => one, 10, person.email)))
  expect(statuses).toEqual([...times(50, 401), ...times(10, 429)])
  const { visitor, ...anew } = await byLink(person)
  expect((await signIn(visitor, anew)).status).toBe(303)
})

test('whoever hoards such browsers guesses fifty codes at most, also by a new password, and the person is told', async () => {
  const { person } = await known()
  const { recoveryCodes } = await turnOnSecondStep(it, await it.signedIn(person))
  it.app.clock.advance(quarterMs)
  const bring = async (visitor: Browser, code: string) => {
    await signIn(visitor, person)
    return (await visitor.post('/sign-in/second-step', { code })).status
  }
  const hoard: Browser[] = []
  for (const code of recoveryCodes.slice(0, 6)) {
    const visitor = it.visitor()
    await bring(visitor, code)
    expect(isSignedIn(visitor)).toBe(true)
    await act(visitor, '/sign-out', {})
    hoard.push(visitor)
  }
  const statuses: number[] = []
  for (const one of hoard) for (let n = 0; n < 10; n++) statuses.push(await bring(one, '000000'))
  expect(statuses).toEqual([...times(50, 401), ...times(10, 429)])
  const { visitor, ...anew } = await byLink(person)
  await signIn(visitor, anew)
  expect((await visitor.post('/sign-in/second-step', { code: '000000' })).status).toBe(429)
  const mails = await readMails(it.app.house)
  expect(
    mails.filter(({ mail }) => mail?.to === person.email && mail.text.includes('wrong codes')),
  ).toHaveLength(1)
})
