import { Writable } from 'node:stream'
import pino from 'pino'
import { expect, test, vi } from 'vitest'
import { createLog, describeError } from '../../src/kernel/log.ts'
import { type KeyRing, keyRing } from '../../src/kernel/secrets.ts'
import { maintainMails } from '../../src/modules/mail/jobs.ts'
import type { CaughtMail } from '../../src/modules/mail/ports.ts'
import { readMails } from '../../src/modules/mail/public.ts'
import { openAnswer, openMail, sealAnswer } from '../../src/modules/mail/sealed-mail.ts'
import { type RuntimeOptions, openRuntime } from '../../src/runtime.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { asOwner, fingerprint, freshDatabase } from '../support/database.ts'
import { tablesWith } from '../support/whereabouts.ts'
import { mailServer } from './mail-server.ts'
import { aMail, respondingWith, attempt, queue, rowOf } from './scene.ts'

const weekMs = 7 * 24 * 3_600_000
const older = 'a secret that only the tests know, long enough'
const newer = 'another secret that only the tests know'

const spoken = ['ada@lantern.example', 'Set your password', 'gbl_welcome_7f3QzYxW', 'Hello Ada']
const needles = spoken.flatMap((one) => [
  one,
  Buffer.from(one).toString('hex'),
  Buffer.from(one).toString('base64'),
])

/** A log of all levels, and the text that was written to it. */
function capture() {
  let logged = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk)
      done()
    },
  })
  return { log: pino({ level: 'trace', serializers: { err: describeError } }, stream), logged: () => logged }
}

test('no table or log contains email content in plain text, even if a mail server quotes it', async () => {
  const quote = `rejected: ${spoken.join(' ')}`
  const rejection = { to: 'message', text: quote } as const
  const rejections = Array.from({ length: 100 }, () => ({ ...rejection, code: 451 }))
  await using server = await mailServer({ rejections })
  const { log, logged } = capture()
  const smtp = { url: server.url, from: 'gable@brokerage.example' }
  const databaseUrl = await freshDatabase('mail_secrets')
  await using app = await testApp({ databaseUrl, role: 'all', smtp, log })
  const id = await queue(app)
  await vi.waitFor(
    async () => expect(await tablesWith(databaseUrl, ['was not taken (451)'])).not.toEqual([]),
    30_000,
  )
  expect(await tablesWith(databaseUrl, needles)).toEqual([])
  rejections.splice(0, rejections.length, { ...rejection, code: 554 })
  await vi.waitFor(async () => expect((await rowOf(app, id))?.state).toBe('failed'), 60_000)
  expect(await tablesWith(databaseUrl, needles)).toEqual([])
  expect(logged()).toContain('a mail was rejected')
  expect(needles.filter((needle) => logged().includes(needle))).toEqual([])
  expect((await readMails(app.runtime))[0]).toMatchObject({
    mail: aMail(),
    answer: expect.stringContaining(quote),
  })
})

test('a caught email is reported with its links, but the log has only its ID', async () => {
  const { log, logged } = capture()
  const caught: CaughtMail[] = []
  const databaseUrl = await freshDatabase('mail_caught')
  await using app = await testApp({ databaseUrl, role: 'all', log, onCaught: (mail) => caught.push(mail) })
  const link = `${app.url}/welcome?token=gbl_welcome_7f3QzYxW`
  const text = `Hello Ada\n\n${link}\nor https://evil.example/welcome\n`
  const id = await queue(app, { text })
  const page = `${app.catcherUrl}/${id}`
  await vi.waitFor(() => expect(caught).toEqual([{ ...aMail({ text }), id, page, links: [link] }]), 30_000)
  expect(await rowOf(app, id)).toMatchObject({ state: 'caught' })
  expect(await tablesWith(databaseUrl, needles)).toEqual([])
  const lines = logged()
    .split('\n')
    .filter((line) => line.includes(id))
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ mailId: id, msg: 'a mail was caught' }),
  )
  expect(needles.filter((needle) => logged().includes(needle))).toEqual([])
  expect(logged()).not.toContain(app.catcherUrl)
})

test('an unsent email is kept for 7 days and no longer', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('mail_kept') })
  const ids = [await queue(app), await queue(app), await queue(app)]
  const [failed = '', caught = ''] = ids
  await attempt(app, failed, respondingWith({ kind: 'rejected', answer: '550', code: '550' }))
  await attempt(app, caught, {})
  app.clock.advance(weekMs)
  const before = await fingerprint(app.databaseUrl)
  await maintainMails.handle(app.runtime)
  expect(await fingerprint(app.databaseUrl)).toEqual(before)
  const young = await queue(app)
  app.clock.advance(1)
  await maintainMails.handle(app.runtime)
  expect((await readMails(app.runtime)).map(({ id }) => id)).toEqual([young])
})

/** Runs `work` with a runtime on the same database that has other application secrets. */
async function withSecrets(
  { databaseUrl, clock }: TestApp,
  appSecrets: string[],
  work: (runtime: ReturnType<typeof openRuntime>) => Promise<void>,
): Promise<void> {
  const egress: RuntimeOptions['egress'] = { allowHttp: 'none', allowPrivate: 'none' }
  const runtime = openRuntime({
    databaseUrl,
    appSecrets,
    clock,
    log: createLog('silent'),
    checkRows: true,
    egress,
  })
  await using _database = runtime.database
  await using _egress = runtime.egress
  await work(runtime)
}

/** The recipient and the server’s reply, opened with a key ring. */
async function opened(app: TestApp, id: string, keys: KeyRing): Promise<[string, string | null]> {
  const row = await rowOf(app, id)
  if (row === undefined) throw new Error('The mail is gone.')
  return [openMail(keys, id, row.content).to, row.answer && openAnswer(keys, id, row.answer)]
}

test('stored email is resealed with a new application secret, except what no key opens', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('mail_resealed') })
  const [lost, failed, caught] = [await queue(app), await queue(app), await queue(app)]
  await attempt(app, failed, respondingWith({ kind: 'rejected', answer: '550 No', code: '550' }))
  await attempt(app, caught, {})
  await asOwner(app.databaseUrl, "update mails set content = '\\x01' || content where id = $1", [lost])
  const before = await rowOf(app, lost)
  await withSecrets(app, [newer, older], async (runtime) => {
    await maintainMails.handle(runtime)
    const once = await fingerprint(app.databaseUrl)
    await maintainMails.handle(runtime)
    expect(await fingerprint(app.databaseUrl)).toEqual(once)
    expect((await readMails(runtime)).find(({ id }) => id === lost)).toMatchObject({ mail: undefined })
  })
  // In the meantime, an instance that still seals with the older secret stores a reply.
  const late = sealAnswer(keyRing([older]), caught, '451 Late')
  await asOwner(app.databaseUrl, 'update mails set answer = $1 where id = $2', [late, caught])
  await withSecrets(app, [newer, older], (runtime) => maintainMails.handle(runtime))
  const ring = keyRing([newer])
  expect(await opened(app, failed, ring)).toEqual(['ada@lantern.example', '550 No'])
  expect(await opened(app, caught, ring)).toEqual(['ada@lantern.example', '451 Late'])
  expect(await rowOf(app, lost)).toEqual(before)
})

test('a sealed value opens only in its own row and column', async () => {
  await using app = await testApp()
  const [one, other] = [await queue(app), await queue(app)]
  await attempt(app, one, respondingWith({ kind: 'rejected', answer: '550 No', code: '550' }))
  const row = await rowOf(app, one)
  const { keys } = app.runtime
  expect(() => openMail(keys, other, row?.content ?? Buffer.alloc(0))).toThrow('unable to authenticate data')
  expect(() => openMail(keys, one, row?.answer ?? Buffer.alloc(0))).toThrow('unable to authenticate data')
  expect(() => openAnswer(keys, one, row?.content ?? Buffer.alloc(0))).toThrow('unable to authenticate data')
})
