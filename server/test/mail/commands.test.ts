import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { freshDatabase } from '../support/database.ts'
import { gableWith } from '../support/gable.ts'
import { type MailServer, mailServer } from './mail-server.ts'
import { aMail, respondingWith, attempt, queue } from './scene.ts'

let app: TestApp
let server: MailServer

const gable = (args: string[], more: Record<string, string> = {}) =>
  gableWith(() => ({ DATABASE_URL: app.databaseUrl, ...more }))(['mail', ...args])

beforeAll(async () => {
  app = await testApp({ now: new Date(), databaseUrl: await freshDatabase('mail_commands') })
  server = await mailServer({ rejections: [{ to: 'recipient', code: 550, text: 'No such user' }] })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
})

test('an unsent email is listed without its links, shown with them, and can be retried', async () => {
  expect((await gable(['list'])).out).toBe('There are no emails.\n')
  const [failed, caught] = [await queue(app), await queue(app, { to: 'eda@lantern.example' })]
  await attempt(
    app,
    failed,
    respondingWith({ kind: 'rejected', answer: '550 No, see gbl_welcome', code: '550' }),
  )
  await attempt(app, caught, {})

  const [list, text, shown, whole] = await Promise.all([
    gable(['list', '--json']),
    gable(['list']),
    gable(['show', failed, '--json']),
    gable(['show', failed]),
  ])
  const { to, subject } = aMail()
  const summary = {
    id: failed,
    state: 'failed',
    to,
    subject,
    attempts: 1,
    created_at: app.clock.now().toISOString(),
  }
  expect(JSON.parse(list.out)).toEqual([
    { ...summary, id: caught, state: 'caught', to: 'eda@lantern.example' },
    summary,
  ])
  expect(text.out).toMatch(
    new RegExp(`${caught} +caught +eda@lantern.example +Set your password[^\n]* +1 +\\S+Z`),
  )
  expect(list.out + text.out).not.toContain('gbl_welcome')
  expect(JSON.parse(shown.out)).toEqual({ ...summary, text: aMail().text, answer: '550 No, see gbl_welcome' })
  expect(whole.out).toMatch(/^state +failed\n[^]*\nattempts +1\n[^]*\nanswer +550 No, see gbl_welcome\n\n/m)
  expect(whole.out).toContain(`\n\n${aMail().text}`)

  const retried = JSON.parse((await gable(['retry', failed, '--json'])).out)
  expect(retried).toEqual({ id: expect.stringMatching(/^c\w{24}$/), state: 'queued', replaces: failed })
  const [gone, again] = await Promise.all([
    gable(['show', failed, '--json']),
    gable(['show', String(retried.id), '--json']),
  ])
  expect([gone.code, JSON.parse(gone.err)]).toEqual([
    1,
    { error: { code: 'not_found', message: `There is no mail ${failed}.` } },
  ])
  expect(JSON.parse(again.out)).toMatchObject({ state: 'queued', attempts: 0, text: aMail().text })
})

test('a test email goes out immediately, and the command prints the mail server’s reply', async () => {
  const through = { SMTP_URL: server.url, MAIL_FROM: 'gable@brokerage.example' }
  const send = (env: Record<string, string>) => gable(['test', '--to', 'ada@lantern.example', '--json'], env)
  const rejected = await send(through)
  expect([rejected.code, JSON.parse(rejected.err).error]).toEqual([
    1,
    { code: 'failed', message: expect.stringContaining('550 No such user') },
  ])
  const sent = await send(through)
  expect(JSON.parse(sent.out)).toEqual({
    to: 'ada@lantern.example',
    sent: true,
    answer: expect.stringMatching(/^250 /),
  })
  expect(server.arrived).toMatchObject([{ from: 'gable@brokerage.example', to: ['ada@lantern.example'] }])
  const nowhere = await send({})
  expect([nowhere.code, JSON.parse(nowhere.err).error.message]).toEqual([
    1,
    expect.stringContaining('SMTP_URL'),
  ])
})

test('each command describes its usage', async () => {
  const helps = await Promise.all(['list', 'show', 'retry', 'test'].map((name) => gable([name, '--help'])))
  for (const { code, out } of helps) {
    expect(code).toBe(0)
    expect(out).toContain('--json')
    expect(out).toContain('Example:\n  npm run -s gable -- mail ')
  }
})
