import { Writable } from 'node:stream'
import pino from 'pino'
import { expect, test, vi } from 'vitest'
import { type HouseOptions, openHouse } from '../../src/app.ts'
import { createLog, describeError } from '../../src/kernel/log.ts'
import { type KeyRing, keyRing } from '../../src/kernel/secrets.ts'
import type { TrappedMail } from '../../src/modules/mail/dispatch-mail.ts'
import { tendMails } from '../../src/modules/mail/jobs.ts'
import { readMails } from '../../src/modules/mail/public.ts'
import { openAnswer, openMail, sealAnswer } from '../../src/modules/mail/sealed-mail.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { asOwner, fingerprint, freshDatabase } from '../support/database.ts'
import { tablesWith } from '../support/whereabouts.ts'
import { mailServer } from './mail-server.ts'
import { aMail, answering, attempt, queue, rowOf } from './scene.ts'

const weekMs = 7 * 24 * 3_600_000
const older = 'a secret that only the tests know, long enough'
const newer = 'another secret that only the tests know'

const spoken = ['ada@lantern.example', 'Set your password', 'gbl_welcome_7f3QzYxW', 'Hello Ada']
const needles = spoken.flatMap((one) => [
  one,
  Buffer.from(one).toString('hex'),
  Buffer.from(one).toString('base64'),
])

/** A log of everything, and what it was given. */
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

test('no table and no log has anything of a mail in the clear, even when a mail server quotes it', async () => {
  const quote = `rejected: ${spoken.join(' ')}`
  await using server = await mailServer({
    refusals: [
      { to: 'message', code: 451, text: quote },
      { to: 'message', code: 554, text: quote },
    ],
  })
  const { log, logged } = capture()
  const smtp = { url: server.url, from: 'gable@brokerage.example' }
  const databaseUrl = await freshDatabase('mail_secrets')
  await using app = await testApp({ databaseUrl, role: 'all', smtp, log })
  const id = await queue(app)
  await vi.waitFor(async () => expect((await rowOf(app, id))?.attempts).toBe(1), 5000)
  await vi.waitFor(
    async () => expect(await tablesWith(databaseUrl, ['was not taken (451)'])).not.toEqual([]),
    5000,
  )
  expect(await tablesWith(databaseUrl, needles)).toEqual([])
  await vi.waitFor(async () => expect((await rowOf(app, id))?.state).toBe('failed'), 30_000)
  expect(await tablesWith(databaseUrl, needles)).toEqual([])
  expect(logged()).toContain('a mail was refused')
  expect(needles.filter((needle) => logged().includes(needle))).toEqual([])
  expect((await readMails(app.house))[0]).toMatchObject({
    mail: aMail(),
    answer: expect.stringContaining(quote),
  })
})

test('a trapped mail is told of with its links to whoever shows it to a person; the log has its id', async () => {
  const { log, logged } = capture()
  const told: TrappedMail[] = []
  const databaseUrl = await freshDatabase('mail_trapped')
  await using app = await testApp({ databaseUrl, role: 'all', log, onTrapped: (mail) => told.push(mail) })
  const link = `${app.url}/welcome?token=gbl_welcome_7f3QzYxW`
  const text = `Hello Ada\n\n${link}\nor https://evil.example/welcome\n`
  const id = await queue(app, { text })
  const page = `${app.trapPage}/${id}`
  await vi.waitFor(() => expect(told).toEqual([{ ...aMail({ text }), id, page, links: [link] }]), 5000)
  expect(await rowOf(app, id)).toMatchObject({ state: 'trapped' })
  expect(await tablesWith(databaseUrl, needles)).toEqual([])
  const lines = logged()
    .split('\n')
    .filter((line) => line.includes(id))
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ mailId: id, msg: 'a mail is in the trap' }),
  )
  expect(needles.filter((needle) => logged().includes(needle))).toEqual([])
  expect(logged()).not.toContain(app.trapPage)
})

test('a mail is kept for 7 days, whatever became of it, and no longer', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('mail_kept') })
  const ids = [await queue(app), await queue(app), await queue(app)]
  const [failed = '', trapped = ''] = ids
  await attempt(app, failed, answering({ kind: 'refused', answer: '550', code: '550' }))
  await attempt(app, trapped, {})
  app.clock.advance(weekMs)
  const before = await fingerprint(app.databaseUrl)
  await tendMails.handle(app.house)
  expect(await fingerprint(app.databaseUrl)).toEqual(before)
  const young = await queue(app)
  app.clock.advance(1)
  await tendMails.handle(app.house)
  expect((await readMails(app.house)).map(({ id }) => id)).toEqual([young])
})

/** A house on the same database that has other secrets. */
async function withSecrets(
  { databaseUrl, clock }: TestApp,
  appSecrets: string[],
  work: (house: ReturnType<typeof openHouse>) => Promise<void>,
): Promise<void> {
  const egress: HouseOptions['egress'] = { allowHttp: 'none', allowPrivate: 'none' }
  const house = openHouse({
    databaseUrl,
    appSecrets,
    clock,
    log: createLog('silent'),
    checkRows: true,
    egress,
  })
  await using _database = house.database
  await using _egress = house.egress
  await work(house)
}

/** Recipient and answer as a ring opens them. */
async function opened(app: TestApp, id: string, keys: KeyRing): Promise<[string, string | null]> {
  const row = await rowOf(app, id)
  if (row === undefined) throw new Error('The mail is gone.')
  return [openMail(keys, id, row.content).to, row.answer && openAnswer(keys, id, row.answer)]
}

test('under a new application secret mails are sealed anew, but for one that nothing opens', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('mail_sealed_anew') })
  const [lost, failed, trapped] = [await queue(app), await queue(app), await queue(app)]
  await attempt(app, failed, answering({ kind: 'refused', answer: '550 No', code: '550' }))
  await attempt(app, trapped, {})
  await asOwner(app.databaseUrl, "update mails set content = '\\x01' || content where id = $1", [lost])
  const before = await rowOf(app, lost)
  await withSecrets(app, [newer, older], async (house) => {
    await tendMails.handle(house)
    const once = await fingerprint(app.databaseUrl)
    await tendMails.handle(house)
    expect(await fingerprint(app.databaseUrl)).toEqual(once)
    expect((await readMails(house)).find(({ id }) => id === lost)).toMatchObject({ mail: undefined })
  })
  // An instance that still seals with the older one has brought an answer since.
  const late = sealAnswer(keyRing([older]), trapped, '451 Late')
  await asOwner(app.databaseUrl, 'update mails set answer = $1 where id = $2', [late, trapped])
  await withSecrets(app, [newer, older], (house) => tendMails.handle(house))
  const ring = keyRing([newer])
  expect(await opened(app, failed, ring)).toEqual(['ada@lantern.example', '550 No'])
  expect(await opened(app, trapped, ring)).toEqual(['ada@lantern.example', '451 Late'])
  expect(await rowOf(app, lost)).toEqual(before)
})

test('what is sealed opens nowhere but in its own place', async () => {
  await using app = await testApp()
  const [one, other] = [await queue(app), await queue(app)]
  await attempt(app, one, answering({ kind: 'refused', answer: '550 No', code: '550' }))
  const row = await rowOf(app, one)
  const { keys } = app.house
  expect(() => openMail(keys, other, row?.content ?? Buffer.alloc(0))).toThrow('unable to authenticate data')
  expect(() => openMail(keys, one, row?.answer ?? Buffer.alloc(0))).toThrow('unable to authenticate data')
  expect(() => openAnswer(keys, one, row?.content ?? Buffer.alloc(0))).toThrow('unable to authenticate data')
})
