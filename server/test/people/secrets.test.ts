import { Writable } from 'node:stream'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeError } from '#kernel/log.ts'
import { hashSecret } from '../../src/modules/access/public.ts'
import { inviteMember } from '../../src/modules/invitations/public.ts'
import { readMails } from '../../src/modules/mail/public.ts'
import { authenticator } from '../support/authenticator.ts'
import type { Browser } from '../support/browser.ts'
import { asOwner, freshDatabase } from '../support/database.ts'
import { tablesWith } from '../support/whereabouts.ts'
import {
  type Scene,
  act,
  addPasskey,
  codeAt,
  scene,
  sessionCookie,
  signIn,
  turnOnSecondStep,
  usePasskey,
} from './scene.ts'

let it: Scene
let logged = ''
beforeAll(async () => {
  const stream = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk)
      done()
    },
  })
  const log = pino({ level: 'trace', serializers: { err: describeError } }, stream)
  it = await scene({ log, role: 'all', databaseUrl: await freshDatabase('signin_secrets') })
})
afterAll(() => it[Symbol.asyncDispose]())

/** All cookies of this browser except the known-browser cookie, which grants no access. */
const kept = ({ cookies }: Browser) =>
  [...cookies].flatMap(([name, value]) => (name.includes('device') ? [] : [value]))

/** The link in the newest email to an address. */
async function linkTo(email: string): Promise<string> {
  const mails = await readMails(it.app.runtime)
  const texts = mails.flatMap(({ mail }) =>
    mail?.to === email && mail.text.includes('?token=') ? [mail.text] : [],
  )
  return /http\S+/.exec(texts[0] ?? '')?.[0] ?? ''
}

test('no sign-in secret, nor part of one, is in any table or log; sessions are stored as hashes', async () => {
  const email = 'ada.reyes@gable.example'
  const [first, second, wrong] = ['lantern above the harbour', 'seven oaks and a gate', 'never was anybodys']
  const secrets: string[] = [first, second, wrong]
  const path = (link: string) => new URL(link).pathname + new URL(link).search

  const { link } = await inviteMember(it.workspace.ctx, { name: 'Ada', email, role: 'owner' })
  secrets.push(link.split('token=')[1] ?? '')
  const user = it.user()
  await user.submit(path(link), { name: 'Ada', password: first })
  await user.open(path(link))
  secrets.push(...kept(user))

  const { key, recoveryCodes } = await turnOnSecondStep(it, user)
  secrets.push(key, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', '')))
  const device = authenticator()
  await addPasskey(it, user, device)
  secrets.push(...kept(user))

  it.app.clock.advance(60_000)
  for (const password of [wrong, first]) {
    const other = it.user()
    await signIn(other, { email, password })
    secrets.push(...kept(other))
    await other.post('/sign-in/second-step', { code: '000000' })
    await other.post('/sign-in/second-step', { code: recoveryCodes[0] ?? '' })
    secrets.push(...kept(other))
  }
  const byKey = it.user()
  await usePasskey(it, byKey, device, { forged: true })
  await usePasskey(it, byKey, device)
  secrets.push(...kept(byKey))

  await user.submit('/sign-in/forgot', { email })
  const reset = await linkTo(email)
  secrets.push(reset.split('token=')[1] ?? '')
  await it.user().submit(path(reset), { password: second })
  await it.user().open(path(reset))

  const last = it.user()
  await signIn(last, { email, password: second })
  await last.post('/sign-in/second-step', { code: codeAt(key, it.app.clock.now()) })
  await act(last, '/sign-in/confirm', { password: second, code: recoveryCodes[1] ?? '' })
  secrets.push(...kept(last))

  const needles = secrets.flatMap((one) => (one.length < 24 ? [one] : [one.slice(7, 31), one.slice(-20)]))
  expect(secrets.filter((one) => one.length < 16)).toEqual([])
  expect(secrets.length).toBeGreaterThan(30)
  const hex = needles.map((needle) => Buffer.from(needle).toString('hex'))
  expect(await tablesWith(it.app.databaseUrl, [...needles, ...hex])).toEqual([])
  expect(needles.filter((needle) => logged.includes(needle))).toEqual([])
  expect(logged).not.toContain(email)
  // Check the search itself: it finds a value that is stored.
  expect(await tablesWith(it.app.databaseUrl, [email])).toContain('people')
  const known = await asOwner(it.app.databaseUrl, 'select 1 from sessions where hash = $1', [
    hashSecret(last.cookies.get(sessionCookie) ?? ''),
  ])
  expect(known).toHaveLength(1)
})
