import { afterAll, beforeAll, expect, test } from 'vitest'
import { authenticator } from '../support/authenticator.ts'
import { aPassword } from '../support/browser.ts'
import { freshDatabase } from '../support/database.ts'
import { gableWith } from '../support/gable.ts'
import {
  type Scene,
  act,
  addPasskey,
  isKnown,
  isSignedIn,
  scene,
  signIn,
  turnOnSecondStep,
  usePasskey,
} from './scene.ts'

let it: Scene
beforeAll(async () => {
  it = await scene({ now: new Date(), databaseUrl: await freshDatabase('signin_commands') })
})
afterAll(() => it[Symbol.asyncDispose]())

/** Runs the command line with `input` on standard input. Returns its JSON output. */
async function gable(args: string[], input = '') {
  const run = gableWith(() => ({ DATABASE_URL: it.app.databaseUrl, PUBLIC_URL: it.here.url }))
  const { code, out, err } = await run([...args, '--json'], input)
  return { code, value: JSON.parse(code === 0 ? out : err), all: out + err }
}

const member = (email: string, ...more: string[]) =>
  ['members', 'create', '--workspace', it.workspace.id, '--email', email].concat(
    ['--name', 'Ada', '--role', 'owner'],
    more,
  )

test('members create reads the password from the first line of stdin, and the member can sign in', async () => {
  const email = 'first@gable.example'
  const { value, all } = await gable(member(email, '--password-stdin'), `${aPassword}\nmore\n`)
  expect(value).toMatchObject({ id: expect.any(String), email, role: 'owner' })
  expect(all).not.toContain(aPassword)
  const user = it.user()
  await signIn(user, { email, password: aPassword })
  expect(await isKnown(user)).toBe(true)
})

test('members create rejects a missing or weak password without creating the member', async () => {
  const email = 'second@gable.example'
  const outcomes = await Promise.all(
    ['', '\n', 'short\n', 'password123\n'].map((input) => gable(member(email, '--password-stdin'), input)),
  )
  expect(outcomes.map(({ code }) => code)).toEqual([1, 1, 1, 1])
  expect((await gable(member(email))).code).toBe(0)
})

test('a person who can already sign in joins another workspace with their existing password', async () => {
  const { email } = await it.person()
  const elsewhere = (await it.app.workspace('Elsewhere')).id
  const create = (input: string) =>
    gable([...member(email, '--password-stdin'), '--workspace', elsewhere], input)
  expect(await create('another good password\n')).toMatchObject({
    code: 1,
    value: { error: { code: 'conflict' } },
  })
  expect((await create(`${aPassword}\n`)).code).toBe(0)
  const { value } = await gable(['people', 'show', email])
  expect(value).toMatchObject({ workspaces: [{ name: 'A brokerage' }, { name: 'Elsewhere', role: 'owner' }] })
})

test('people commands list sign-in methods without secrets and can remove them', async () => {
  const person = await it.person()
  const user = await it.requireSession(person)
  await turnOnSecondStep(it, user)
  // The id of the passkey looks like an option.
  const device = authenticator({ rawId: Buffer.from(`-h${'x'.repeat(40)}`, 'base64url') })
  expect(device.id).toMatch(/^-h/)
  await addPasskey(it, user, device)
  const { value, all } = await gable(['people', 'show', person.email.toUpperCase()])
  expect(value).toMatchObject({
    email: person.email,
    password: true,
    passkeys: 1,
    second_step: true,
    recovery_codes_left: 10,
    workspaces: [{ id: it.workspace.id, member_id: person.member.id, role: 'owner' }],
    sessions: [{ device: 'node' }],
  })
  expect(all).not.toMatch(/argon2|gbl_/)

  expect((await gable(['people', 'passkeys', person.email])).value).toMatchObject([
    { id: device.id, name: 'A laptop', last_used_at: null },
  ])
  expect((await gable(['people', 'remove-second-step', person.email])).value).toMatchObject({
    second_step: false,
  })
  expect((await signIn(it.user(), person)).location).toMatch('/sign-in/done')
  expect((await gable(['people', 'remove-passkey', person.email, device.id])).value).toMatchObject({
    removed: true,
  })
  expect((await gable(['people', 'remove-passkey', person.email, device.id])).code).toBe(1)
  expect((await usePasskey(it, it.user(), device)).status).toBe(401)
})

test('an operator signs a person out, sets their password, and creates a link to set it', async () => {
  const person = await it.person()
  const user = await it.requireSession(person)
  expect((await gable(['people', 'sign-out', person.email])).value).toEqual({
    email: person.email,
    sessions_ended: 1,
  })
  expect(await isKnown(user)).toBe(false)

  const password = 'what the operator says'
  const again = await it.requireSession(person)
  await gable(['people', 'set-password', person.email, '--password-stdin'], `${password}\n`)
  expect(await isKnown(again)).toBe(false)
  expect(await isKnown(await it.requireSession({ ...person, password }))).toBe(true)

  const { value } = await gable(['people', 'reset-link', person.email])
  const { link } = value as { link: string }
  expect(link).toMatch(`${it.here.url}/sign-in/reset?token=gbl_ln_`)
  const chosen = 'what the person chooses'
  await it.user().submit(link.slice(it.here.url.length), { password: chosen })
  const last = it.user()
  await signIn(last, { ...person, password: chosen })
  expect(isSignedIn(last)).toBe(true)
  expect((await act(last, '/account/sessions', { do: 'end-all' })).location).toBe('/sign-in')
})

test('people show reports an unknown person as not_found', async () => {
  const outcome = await gable(['people', 'show', 'unknown@gable.example'])
  expect(outcome).toMatchObject({ code: 1, value: { error: { code: 'not_found' } } })
})
