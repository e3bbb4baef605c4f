import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startCarrier } from '@gable/sandbox/start.ts'
import { emailSettings } from '@gable/server/src/modules/senders/accounts/email-account.ts'
import { type TestApp, type TestWorkspace, appSecret, testApp } from '@gable/server/test/support/app.ts'
import { testClock } from '@gable/server/test/support/clock.ts'
import { freshDatabase } from '@gable/server/test/support/database.ts'
import { eventually } from '@gable/server/test/support/eventually.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type GuidePage, guidePage } from '../support/guide-page.ts'
import { simulatingMain } from '../support/simulated-provider.ts'

// Most of it is processes.
vi.setConfig({ testTimeout: 180_000 })

const opened = new AsyncDisposableStack()
let page: GuidePage
let app: TestApp
let workspace: TestWorkspace
let variables: Record<string, string>

beforeAll(async () => {
  page = opened.use(await guidePage('email-with-your-domain', { commands: true }))
  // Commands go by the real clock.
  const clock = testClock(new Date())
  const carrier = opened.use(
    await startCarrier({ host: '127.0.0.1', port: 0, now: clock.now, deliveryMs: 5 }),
  )
  app = opened.use(
    await testApp({
      clock,
      databaseUrl: await freshDatabase('email_with_domain'),
      role: 'all',
      simulatedCarrierUrl: carrier.origin,
      publicUrl: 'https://gable.example',
    }),
  )
  workspace = await app.workspace()
  await writeFile(join(page.folder, 'password.txt'), 'the-password\n')
  variables = {
    MAIN: await simulatingMain(page.folder),
    WORKSPACE: workspace.id,
    ADDRESS: 'office@lantern.example',
    SMTP: 'smtps://mail.lantern.example',
    IMAP: 'imaps://mail.lantern.example',
    ME: 'sam@reyes.example',
    DATABASE_URL: app.databaseUrl,
    DATA_DIR: page.folder,
    APP_SECRET: appSecret,
    SIMULATED_CARRIER: carrier.origin,
    PUBLIC_URL: 'https://gable.example',
    EGRESS_ALLOW: 'mail.lantern.example:465,mail.lantern.example:993',
  }
})
afterAll(() => opened.disposeAsync())

const run = async (part: string) => (await page.curl(part, variables)).trim()

/** The JSON texts among the lines that a block has printed. */
const picked = (output: string) =>
  output.split('\n').flatMap((line) => (/^"c\w+"$/.test(line) ? [JSON.parse(line) as string] : []))

test('the guide works from the account to an email and its list', async () => {
  const [connection = ''] = picked(await run('connections create'))
  variables['CONNECTION'] = connection
  const [sender = ''] = picked(await run('senders create'))
  variables['SENDER'] = sender
  const agent = await workspace.credential()
  expect((await agent.get(`/connections/${connection}`)).body['settings']).toMatchObject({
    smtp: variables['SMTP'],
    imap: variables['IMAP'],
  })
  expect(await run('openssl genrsa')).toMatch(/v=DKIM1; k=rsa; p=[\w+/=]{300,}$/)
  expect((await agent.get(`/connections/${connection}`)).body['settings']).toMatchObject({
    dkim_selector: 'gable',
  })
  await run('domain_authenticated=true')
  expect((await agent.get(`/senders/${sender}`)).body['registration']).toEqual({ domain_authenticated: true })

  const report = await page.curl('doctor', variables).catch(({ stdout }: { stdout: string }) => stdout)
  expect(report).toMatch(/^ok +credentials Mail \(c\w+\): email accepts the credentials\.$/m)
  expect(report).toMatch(/^ok +registration office@lantern\.example: /m)

  const { body: queued } = await agent.post('/messages', {
    channel: 'email',
    to: variables['ME'],
    subject: 'First',
    body: 'Hello.',
  })
  variables['MESSAGE'] = queued['id']
  const [made = ''] = picked(await run('messages create'))
  await eventually(async () => {
    app.clock.set(new Date())
    return (await agent.get(`/messages/${made}`)).body['status'] === 'sent'
  })
  expect(page.notRun()).toEqual([])
})

test('the guide names every setting of an email connection', () => {
  for (const name of Object.keys(emailSettings)) expect(page.prose).toMatch(new RegExp(`\\b${name}=`))
})
