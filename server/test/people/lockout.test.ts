import { hash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readMails } from '../../src/modules/mail/public.ts'
import { countAttempts, forgetAttempts } from '../../src/modules/people/attempt-queries.ts'
import { sweepSignIn } from '../../src/modules/people/jobs.ts'
import { personIn } from '../support/browser.ts'
import { asOwner } from '../support/database.ts'
import { type Scene, scene, signIn, times, wrongPasswords } from './scene.ts'

let it: Scene
beforeAll(async () => {
  it = await scene()
})
afterAll(() => it[Symbol.asyncDispose]())

const quarterMs = 15 * 60_000

const guesses = (count: number, email: string) => wrongPasswords(it.user, count, email)

test('after 10 wrong passwords, an account rejects even the right one for 15 minutes', async () => {
  const person = await it.person()
  expect(await guesses(11, person.email)).toEqual([...times(10, 401), 429])
  const late = await signIn(it.user(), person)
  expect(late.status).toBe(429)
  expect(late.headers.get('retry-after')).toBe('900')
  expect(late.body).toContain('Wait 15 minutes, sign in with a passkey, or reset your password by email.')
  const wrong = await signIn(it.user(), { ...person, password: 'a wrong one' })
  expect([wrong.status, wrong.body]).toEqual([late.status, late.body])
  it.app.clock.advance(quarterMs - 1000)
  expect((await signIn(it.user(), person)).status).toBe(429)
  it.app.clock.advance(1000)
  expect((await signIn(it.user(), person)).status).toBe(303)
})

test('attempts at an unknown address are limited the same way', async () => {
  const responsesTo = async (email: string) => {
    it.app.clock.advance(quarterMs)
    const statuses = await guesses(11, email)
    const { body } = await it.user().post('/sign-in', { email, password: 'a wrong one' })
    return { statuses, body }
  }
  expect(await responsesTo('unknown-at-all@gable.example')).toEqual(
    await responsesTo((await it.person()).email),
  )
})

test('an address that only Unicode case folding makes equal is unknown', async () => {
  it.app.clock.advance(quarterMs)
  const person = await personIn(it.workspace, 'agent', 'olivia.quick@gable.example')
  // PostgreSQL lowercases İ to i, and JavaScript to two characters. The other letter is the Kelvin sign.
  for (const email of ['olİvİa.quick@gable.example', 'olivia.quic\u212A@gable.example']) {
    expect((await signIn(it.user(), { ...person, email })).status).toBe(401)
    expect((await it.user().post('/sign-in/forgot', { email })).status).toBe(200)
  }
  const mails = await readMails(it.app.runtime)
  expect(mails.filter(({ mail }) => mail?.to === person.email)).toEqual([])
  expect((await signIn(it.user(), { ...person, email: 'OLIVIA.quick@gable.example' })).status).toBe(303)
})

test('concurrent attempts count the same as sequential ones', async () => {
  it.app.clock.advance(quarterMs)
  const { email } = await it.person()
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async () => (await guesses(1, email))[0] ?? 0),
  )
  expect(statuses.toSorted()).toEqual([...times(10, 401), ...times(10, 429)])
})

test('a successful sign-in resets the account’s attempt count', async () => {
  it.app.clock.advance(quarterMs)
  const person = await it.person()
  for (let n = 0; n < 3; n++) {
    expect(await guesses(9, person.email)).toEqual(times(9, 401))
    expect((await signIn(it.user(), person)).status).toBe(303)
  }
})

test('a network has 100 attempts across all accounts, which a success does not reset', async () => {
  it.app.clock.advance(quarterMs)
  const person = await it.person()
  const statuses: number[] = []
  for (let n = 0; n < 99; n++) statuses.push(...(await guesses(1, `unknown-${n}@gable.example`)))
  expect(statuses).toEqual(times(99, 401))
  expect((await signIn(it.user(), person)).status).toBe(303)
  expect((await signIn(it.user(), await it.person())).status).toBe(429)
})

test('a locked-out person can sign in after resetting their password by email', async () => {
  it.app.clock.advance(quarterMs)
  const person = await it.person()
  await guesses(11, person.email)
  const user = it.user()
  await user.submit('/sign-in/forgot', { email: person.email })
  const mails = await readMails(it.app.runtime)
  const text = mails.find(({ mail }) => mail?.to === person.email)?.mail?.text ?? ''
  const [link = ''] = /\/sign-in\/reset\?token=\S+/.exec(text) ?? []
  const password = 'another good password'
  await user.submit(link, { password })
  expect((await signIn(user, { ...person, password })).status).toBe(303)
})

test('a network out of password attempts can still request 100 reset links', async () => {
  it.app.clock.advance(quarterMs)
  for (let n = 0; n < 101; n++) await guesses(1, `unknown-${n}@gable.example`)
  expect((await signIn(it.user(), await it.person())).status).toBe(429)
  const ask = async (n: number) =>
    (await it.user().post('/sign-in/forgot', { email: `unknown-${n}@gable.example` })).status
  const statuses = await Promise.all(Array.from({ length: 101 }, (_, n) => ask(n)))
  expect(statuses.toSorted()).toEqual([...times(100, 200), 429])
})

test('reset links can be requested 10 times in 15 minutes, for known and unknown addresses alike', async () => {
  for (const email of [(await it.person()).email, 'unknown-asks@gable.example']) {
    it.app.clock.advance(quarterMs)
    const statuses: number[] = []
    for (let n = 0; n < 11; n++) statuses.push((await it.user().post('/sign-in/forgot', { email })).status)
    expect(statuses).toEqual([...times(10, 200), 429])
  }
})

test('a reset-link request takes at least 100 ms for known and unknown addresses', async () => {
  it.app.clock.advance(quarterMs)
  for (const email of ['unknown-waits@gable.example', (await it.person()).email]) {
    const since = performance.now()
    await it.user().post('/sign-in/forgot', { email })
    expect(performance.now() - since).toBeGreaterThan(99)
  }
})

test('a network over its limit creates no new attempt counts', async () => {
  it.app.clock.advance(quarterMs)
  await sweepSignIn.handle(it.app.runtime)
  const counts = async () =>
    (await asOwner(it.app.databaseUrl, 'select key from sign_in_attempts where used < 100')).length
  for (let n = 0; n < 100; n++) await guesses(1, `unknown-${n}@gable.example`)
  const before = await counts()
  expect(before).toBeGreaterThanOrEqual(200)
  expect(await guesses(3, 'unknown-more@gable.example')).toEqual(times(3, 429))
  expect(await counts()).toBe(before)
})

test('the sweep deletes all expired attempt counts and no others', async () => {
  it.app.clock.advance(quarterMs)
  await guesses(1, 'unknown-now@gable.example')
  await asOwner(
    it.app.databaseUrl,
    `insert into sign_in_attempts (key, started_at, used)
     select sha256(n::text::bytea), $1, 1 from generate_series(1, 2500) as n`,
    [new Date(it.app.clock.now().getTime() - quarterMs)],
  )
  await sweepSignIn.handle(it.app.runtime)
  const rows = await asOwner<{ started_at: Date }>(
    it.app.databaseUrl,
    'select started_at from sign_in_attempts',
  )
  expect(new Set(rows.map(({ started_at }) => started_at.getTime()))).toEqual(
    new Set([it.app.clock.now().getTime()]),
  )
})

test('counting and clearing the same attempts concurrently never deadlocks', async () => {
  const { directory } = it.app.runtime.database
  const now = it.app.clock.now()
  const keys = Array.from({ length: 40 }, (_, n) => hash('sha256', `a key ${n}`, 'buffer'))
  const both = () => [countAttempts(directory, keys, now, now), forgetAttempts(directory, keys)]
  for (let round = 0; round < 50; round++) expect(await Promise.all([...both(), ...both()])).toHaveLength(4)
})

test('attempt counts are keyed by 32-byte hashes', async () => {
  const rows = await asOwner<{ key: Buffer }>(it.app.databaseUrl, 'select key from sign_in_attempts')
  expect(rows.length).toBeGreaterThan(0)
  for (const { key } of rows) expect(key).toHaveLength(32)
})
