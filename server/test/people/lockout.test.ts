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

test('an account can be tried ten times in a quarter of an hour from one place, then not even with the password', async () => {
  const person = await it.person()
  expect(await guesses(11, person.email)).toEqual([...times(10, 401), 429])
  const late = await signIn(it.user(), person)
  expect(late.status).toBe(429)
  expect(late.headers.get('retry-after')).toBe('900')
  expect(late.body).toContain('Wait 15 minutes, sign in with a passkey, or reset your password by email.')
  it.app.clock.advance(quarterMs - 1000)
  expect((await signIn(it.user(), person)).status).toBe(429)
  it.app.clock.advance(1000)
  expect((await signIn(it.user(), person)).status).toBe(303)
})

test('an unknown address is counted the same way', async () => {
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

test('an address that only a database considers equal is unknown', async () => {
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

test('a success forgets what was counted at the account', async () => {
  it.app.clock.advance(quarterMs)
  const person = await it.person()
  for (let n = 0; n < 3; n++) {
    expect(await guesses(9, person.email)).toEqual(times(9, 401))
    expect((await signIn(it.user(), person)).status).toBe(303)
  }
})

test('a network can try a hundred times, at whatever accounts, and a success does not forget that', async () => {
  it.app.clock.advance(quarterMs)
  const person = await it.person()
  const statuses: number[] = []
  for (let n = 0; n < 99; n++) statuses.push(...(await guesses(1, `unknown-${n}@gable.example`)))
  expect(statuses).toEqual(times(99, 401))
  expect((await signIn(it.user(), person)).status).toBe(303)
  expect((await signIn(it.user(), await it.person())).status).toBe(429)
})

test('a locked-out person gets in with a new password, set with the link in the email', async () => {
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

test('a network that may try no more passwords may still ask for links, a hundred times', async () => {
  it.app.clock.advance(quarterMs)
  for (let n = 0; n < 101; n++) await guesses(1, `unknown-${n}@gable.example`)
  expect((await signIn(it.user(), await it.person())).status).toBe(429)
  const ask = async (n: number) =>
    (await it.user().post('/sign-in/forgot', { email: `unknown-${n}@gable.example` })).status
  const statuses = await Promise.all(Array.from({ length: 101 }, (_, n) => ask(n)))
  expect(statuses.toSorted()).toEqual([...times(100, 200), 429])
})

test('links to set a password are sent ten times in 15 minutes, and requests for an unknown address look the same', async () => {
  for (const email of [(await it.person()).email, 'unknown-asks@gable.example']) {
    it.app.clock.advance(quarterMs)
    const statuses: number[] = []
    for (let n = 0; n < 11; n++) statuses.push((await it.user().post('/sign-in/forgot', { email })).status)
    expect(statuses).toEqual([...times(10, 200), 429])
  }
})

test('the response to a link request takes equally long for an unknown address', async () => {
  it.app.clock.advance(quarterMs)
  for (const email of ['unknown-waits@gable.example', (await it.person()).email]) {
    const since = performance.now()
    await it.user().post('/sign-in/forgot', { email })
    expect(performance.now() - since).toBeGreaterThan(99)
  }
})

test('a network that is kept out leaves no more counts behind, at whatever accounts it tries', async () => {
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

test('counts that are over are swept, however many, and no others', async () => {
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

test('who counts and who forgets the same things at once never wait for each other in a circle', async () => {
  const { directory } = it.app.runtime.database
  const now = it.app.clock.now()
  const keys = Array.from({ length: 40 }, (_, n) => hash('sha256', `a key ${n}`, 'buffer'))
  const both = () => [countAttempts(directory, keys, now, now), forgetAttempts(directory, keys)]
  for (let round = 0; round < 50; round++) expect(await Promise.all([...both(), ...both()])).toHaveLength(4)
})

test('nothing that is counted says whom it is counted for', async () => {
  const rows = await asOwner<{ key: Buffer }>(it.app.databaseUrl, 'select key from sign_in_attempts')
  expect(rows.length).toBeGreaterThan(0)
  for (const { key } of rows) expect(key).toHaveLength(32)
})
