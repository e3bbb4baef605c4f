import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type SimulatedCarrier, startCarrier } from '@gable/sandbox/start.ts'
import { failureOf } from '@gable/server/src/adapters/twilio/failures.ts'
import { Waiting } from '@gable/server/src/modules/messages/waiting.ts'
import { type TestApp, type TestWorkspace, appSecret, testApp } from '@gable/server/test/support/app.ts'
import { testClock } from '@gable/server/test/support/clock.ts'
import { freshDatabase } from '@gable/server/test/support/database.ts'
import { eventually } from '@gable/server/test/support/eventually.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type GuidePage, guidePage } from '../support/guide-page.ts'
import { simulatingMain } from '../support/simulated-provider.ts'

// Most of it is processes.
vi.setConfig({ testTimeout: 180_000 })

const number = '+13125550188'
const me = '+13125550177'

const opened = new AsyncDisposableStack()
let page: GuidePage
let app: TestApp
let carrier: SimulatedCarrier
let workspace: TestWorkspace
let variables: Record<string, string>

beforeAll(async () => {
  page = opened.use(await guidePage('send-texts-with-twilio', { commands: true }))
  // Commands go by the real clock.
  const clock = testClock(new Date())
  carrier = opened.use(await startCarrier({ host: '127.0.0.1', port: 0, now: clock.now, deliveryMs: 5 }))
  app = opened.use(
    await testApp({
      clock,
      databaseUrl: await freshDatabase('texts_with_twilio'),
      role: 'all',
      simulatedCarrierUrl: carrier.origin,
    }),
  )
  workspace = await app.workspace()
  await writeFile(join(page.folder, 'token.txt'), 'the-auth-token\n')
  variables = {
    MAIN: await simulatingMain(page.folder),
    WORKSPACE: workspace.id,
    ACCOUNT: 'AC5f2d1b0c9e8a7d6c5b4a39281706f5e4',
    NUMBER: number,
    ME: me,
    DATABASE_URL: app.databaseUrl,
    DATA_DIR: page.folder,
    APP_SECRET: appSecret,
    SIMULATED_CARRIER: carrier.origin,
    PUBLIC_URL: app.url,
  }
})
afterAll(() => opened.disposeAsync())

const run = async (part: string) => (await page.curl(part, variables)).trim()
/** The ID that a command has printed, with `--pick id`. */
const id = async (part: string) => JSON.parse(await run(part)) as string

test('the guide works from the account to the response, and doctor finds the connection right', async () => {
  variables['CONNECTION'] = await id('connections create')
  expect(await run('connections test')).toMatch(/^result +accepted$/m)
  const sender = await id('senders create')
  variables['SENDER'] = sender
  // The simulated carrier has it set by the job that connects new simulated senders.
  await eventually(async () => carrier.write({ from: me, to: number, body: 'Hello' }))
  expect(await run('senders refresh')).toMatch(/campaign[^\n]*VERIFIED/)

  const report = await page.curl('doctor', variables).catch(({ stdout }: { stdout: string }) => stdout)
  expect(report).toMatch(/^ok +credentials Twilio \(c\w+\): twilio accepts the credentials\.$/m)
  expect(report).toMatch(/^ok +registration \+13125550188: /m)
  expect(report).toMatch(/^ok +callback_url \+13125550188: /m)

  const inbox = `/messages?direction=INBOUND&channel=SMS`
  const agent = await workspace.credential()
  await eventually(async () => (await agent.get(inbox)).body['data'].length > 0)
  const [list = '', ...made] = (await run('messages list')).split(/\n(?=")/)
  expect(list).toContain('Hello')
  variables['MESSAGE'] = JSON.parse(made.join('')) as string
  const sent = `/messages/${variables['MESSAGE']}`
  await eventually(async () => {
    app.clock.set(new Date())
    return (await agent.get(sent)).body['status'] === 'delivered'
  })
  expect(await run('messages retrieve')).toMatch(/^status +delivered$/m)
  expect(page.notRun()).toEqual([])
})

test('the guide names every reason to wait and the codes of Twilio with their meaning', () => {
  const codes = (
    Waiting as unknown as { anyOf: { properties?: { code: { enum: string[] } } }[] }
  ).anyOf.flatMap(({ properties }) => properties?.code.enum ?? [])
  for (const code of codes.filter((one) => one !== 'restored')) expect(page.prose).toContain(`\`${code}\``)
  const rows = [...page.prose.matchAll(/`(\w+)` \(([\d, ]+)\)/g)]
  expect(rows.length).toBeGreaterThan(4)
  for (const [, code, numbers = ''] of rows)
    for (const one of numbers.split(', ')) expect([one, failureOf(one).code]).toEqual([one, code])
})
