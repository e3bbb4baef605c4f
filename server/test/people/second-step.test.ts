import { afterAll, beforeAll, expect, test } from 'vitest'
import { keyRing } from '#kernel/secrets.ts'
import { readMails } from '../../src/modules/mail/public.ts'
import { resealTotpKeys } from '../../src/modules/people/jobs.ts'
import { openTotpKey, timeStepOf } from '../../src/modules/people/second-step/totp.ts'
import type { Browser, Person } from '../support/browser.ts'
import { asOwner } from '../support/database.ts'
import {
  type Scene,
  type SecondStep,
  act,
  codeAt,
  isSignedIn,
  scene,
  signIn,
  turnOnSecondStep,
} from './scene.ts'

let it: Scene
beforeAll(async () => {
  it = await scene()
})
afterAll(() => it[Symbol.asyncDispose]())

interface Owner extends SecondStep {
  person: Person
  user: Browser
}

/** A person with a second step, a minute after they turned it on. */
async function owner(): Promise<Owner> {
  const person = await it.person()
  const user = await it.requireSession(person)
  const step = await turnOnSecondStep(it, user)
  it.app.clock.advance(60_000)
  return { person, user, ...step }
}

/** A browser that has sent the right password, but no code yet. */
async function halfWay(person: Person): Promise<Browser> {
  const user = it.user()
  const { status, location } = await signIn(user, person)
  expect([status, location]).toEqual([303, '/sign-in/second-step?return_to=%2Fsettings'])
  expect(isSignedIn(user)).toBe(false)
  return user
}

const bring = (user: Browser, code: string) => user.post('/sign-in/second-step', { code })
const present = (key: string, steps = 0) =>
  codeAt(key, new Date(it.app.clock.now().getTime() + steps * 30_000))

test('codes match the test vectors of RFC 6238, appendix B', () => {
  const key = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const)
    expect(timeStepOf(key, code, new Date(seconds * 1000))).toBe(Math.floor(seconds / 30))
})

test('sign-in requires a code after the password, and a wrong code can be corrected', async () => {
  const { person, key } = await owner()
  const user = await halfWay(person)
  expect((await user.get('/account')).status).toBe(303)
  expect((await bring(user, '000000')).status).toBe(401)
  expect(isSignedIn(user)).toBe(false)
  const code = present(key)
  const { status, location } = await bring(user, ` ${code.slice(0, 3)} ${code.slice(3)} `)
  expect([status, location]).toEqual([303, '/sign-in/done?return_to=%2Fsettings'])
  expect((await user.get('/account')).status).toBe(200)
  expect(user.cookies.has('__Host-gable_second_step')).toBe(false)
})

test('accepts codes of the current, previous, and next time step only', async () => {
  for (const [steps, status] of [
    [-2, 401],
    [-1, 303],
    [0, 303],
    [1, 303],
    [2, 401],
  ] as const) {
    const { person, key } = await owner()
    expect([steps, (await bring(await halfWay(person), present(key, steps))).status]).toEqual([steps, status])
  }
})

test('a code expires exactly 60 seconds after its time step begins', async () => {
  for (const [ms, status] of [
    [59_000, 303],
    [60_000, 401],
    [61_000, 401],
  ] as const) {
    const { person, key } = await owner()
    it.app.clock.set(new Date(Math.ceil(it.app.clock.now().getTime() / 30_000) * 30_000))
    const code = present(key)
    const user = await halfWay(person)
    it.app.clock.advance(ms)
    expect([ms, (await bring(user, code)).status]).toEqual([ms, status])
  }
})

test('a code works once, and afterwards no code of an earlier time step works', async () => {
  const { person, key } = await owner()
  expect((await bring(await halfWay(person), present(key))).status).toBe(303)
  const user = await halfWay(person)
  expect((await bring(user, present(key))).status).toBe(401)
  expect((await bring(user, present(key, -1))).status).toBe(401)
  expect((await bring(user, present(key, 1))).status).toBe(303)
})

test('the code that turned on the second step cannot be used to sign in', async () => {
  const person = await it.person()
  const { key } = await turnOnSecondStep(it, await it.requireSession(person))
  expect((await bring(await halfWay(person), present(key))).status).toBe(401)
})

test('one of sixteen concurrent sign-ins with the same code or recovery code succeeds', async () => {
  const { person, key, recoveryCodes } = await owner()
  for (const codeNow of [() => present(key), () => recoveryCodes[0] ?? '']) {
    // All attempt counters have expired.
    it.app.clock.advance(15 * 60_000)
    const visitors: Browser[] = []
    for (let n = 0; n < 16; n++) visitors.push(await halfWay(person))
    const code = codeNow()
    const responses = await Promise.all(visitors.map((one) => bring(one, code)))
    expect(responses.filter(({ location }) => location.startsWith('/sign-in/done'))).toHaveLength(1)
    expect(visitors.filter(isSignedIn)).toHaveLength(1)
  }
})

test('each recovery code works once, in any formatting, and the page shows how many are left', async () => {
  const { person, user, recoveryCodes } = await owner()
  expect(recoveryCodes).toHaveLength(10)
  expect(new Set(recoveryCodes).size).toBe(10)
  const [first = '', second = '', third = ''] = recoveryCodes
  for (const code of [first, second.toUpperCase(), third.replaceAll('-', ' ').replaceAll('0', 'O')])
    expect((await bring(await halfWay(person), code)).status).toBe(303)
  expect((await bring(await halfWay(person), first)).status).toBe(401)
  expect((await user.get('/account/second-step')).body).toContain('7 codes are left')
})

test('new recovery codes invalidate the old ones', async () => {
  const { person, user, recoveryCodes } = await owner()
  const { body } = await act(user, '/account/second-step', { do: 'renew' })
  expect((await bring(await halfWay(person), recoveryCodes[0] ?? '')).status).toBe(401)
  const [, renewed = ''] = /<pre class="secret"[^>]*>([^\n<]+)/.exec(body) ?? []
  expect((await bring(await halfWay(person), renewed)).status).toBe(303)
})

test('another person’s recovery code does not sign in', async () => {
  const [{ person }, { recoveryCodes }] = [await owner(), await owner()]
  expect((await bring(await halfWay(person), recoveryCodes[0] ?? '')).status).toBe(401)
})

test('a pending second step expires after five minutes', async () => {
  for (const [ms, location] of [
    [299_000, '/sign-in/done?return_to=%2Fsettings'],
    [300_000, '/sign-in?return_to=%2Fsettings'],
    [301_000, '/sign-in?return_to=%2Fsettings'],
  ] as const) {
    const { person, key } = await owner()
    const user = await halfWay(person)
    it.app.clock.advance(ms)
    expect((await bring(user, present(key))).location).toBe(location)
  }
})

test('a pending second step ends when the password changes', async () => {
  const { person, user, key } = await owner()
  const waiting = await halfWay(person)
  await act(user, '/account/password', { password: 'another good password' })
  expect((await bring(waiting, present(key))).location).toBe('/sign-in?return_to=%2Fsettings')
})

test('a person has 10 code attempts in 15 minutes across all sign-ins, and is notified', async () => {
  const { person, key } = await owner()
  const tries = []
  for (let n = 0; n < 11; n++) tries.push((await bring(await halfWay(person), '000000')).status)
  expect(tries).toEqual([...Array.from({ length: 10 }, () => 401), 429])
  const late = await halfWay(person)
  const warnings = (await readMails(it.app.runtime)).filter(
    ({ mail }) => mail?.to === person.email && mail.text.includes('several wrong codes'),
  )
  expect(warnings).toHaveLength(1)
  expect((await bring(late, present(key))).status).toBe(429)
  it.app.clock.advance(15 * 60_000)
  expect((await bring(await halfWay(person), present(key))).status).toBe(303)
})

test('wrong codes elsewhere do not lock the person out of a known browser', async () => {
  const { person, user, key } = await owner()
  for (let n = 0; n < 11; n++) await bring(await halfWay(person), '000000')
  await act(user, '/sign-out', {})
  await signIn(user, person)
  expect((await bring(user, present(key))).status).toBe(303)
})

test('confirming an identity requires a code or a recovery code', async () => {
  const { person, user, key, recoveryCodes } = await owner()
  const confirm = (code: string) =>
    act(user, '/sign-in/confirm', { password: person.password, code, return_to: '/account' })
  expect((await user.get('/sign-in/confirm')).body).toContain('name="code"')
  expect((await confirm('')).status).toBe(401)
  expect((await confirm('000000')).status).toBe(401)
  expect((await confirm(present(key))).status).toBe(303)
  expect((await confirm(present(key))).status).toBe(401)
  expect((await confirm(recoveryCodes[0] ?? '')).status).toBe(303)
})

test('no code is required before setup is confirmed or after the second step is turned off', async () => {
  const person = await it.person()
  const user = await it.requireSession(person)
  const { body } = await act(user, '/account/second-step', { do: 'begin' })
  expect(body).toContain('<svg role="img"')
  expect((await act(user, '/account/second-step', { do: 'confirm', code: '000000' })).status).toBe(400)
  expect((await signIn(it.user(), person)).location).toMatch('/sign-in/done')
  await turnOnSecondStep(it, user)
  await halfWay(person)
  expect((await act(user, '/account/second-step', { do: 'begin' })).status).toBe(409)
  expect((await act(user, '/account/second-step', { do: 'remove' })).status).toBe(303)
  expect((await signIn(it.user(), person)).location).toMatch('/sign-in/done')
  expect((await act(user, '/account/second-step', { do: 'renew' })).status).toBe(409)
})

test('the person is notified of each change by email', async () => {
  const { person, user } = await owner()
  await act(user, '/account/second-step', { do: 'renew' })
  await act(user, '/account/second-step', { do: 'remove' })
  const texts = (await readMails(it.app.runtime)).flatMap(({ mail }) =>
    mail?.to === person.email ? [mail.text] : [],
  )
  for (const what of ['turned on.', 'New recovery codes', 'turned off.'])
    expect(texts.filter((text) => text.includes(what))).toHaveLength(1)
})

test('a key is resealed after the application secret is rotated, and still works', async () => {
  const { key, person } = await owner()
  const { runtime, databaseUrl } = it.app
  const sealed = () =>
    asOwner<{ id: string; totp: Buffer }>(databaseUrl, 'select id, totp from people where email = $1', [
      person.email,
    ])
  const [old, renewed] = [
    'a secret that only the tests know, long enough',
    'another secret that is long enough, too',
  ]
  await resealTotpKeys.handle({ ...runtime, keys: keyRing([renewed, old]) })
  const keys = keyRing([renewed])
  expect((await sealed()).map(({ id, totp }) => openTotpKey(keys, id, totp))).toEqual([key])
  await resealTotpKeys.handle({ ...runtime, keys: keyRing([old, renewed]) })
})
