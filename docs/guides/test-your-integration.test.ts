import { addressBehaviors } from '@gable/sandbox/email/failing-addresses.ts'
import { behaviors } from '@gable/sandbox/failing-numbers.ts'
import { startCarrier } from '@gable/sandbox/start.ts'
import { testApp } from '@gable/server/test/support/app.ts'
import { freshDatabase } from '@gable/server/test/support/database.ts'
import { eventually } from '@gable/server/test/support/eventually.ts'
import { readyToSend } from '@gable/server/test/support/ready-to-send.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GuidePage, guidePage, like } from '../support/guide-page.ts'

const opened = new AsyncDisposableStack()
let page: GuidePage

beforeAll(async () => void (page = opened.use(await guidePage('test-your-integration'))))
afterAll(() => opened.disposeAsync())

test('a text to the number that replies STOP opts its recipient out', async () => {
  await using carrier = await startCarrier({
    host: '127.0.0.1',
    port: 0,
    now: () => app.clock.now(),
    deliveryMs: 5,
  })
  await using app = await testApp({
    databaseUrl: await freshDatabase('test_your_integration'),
    role: 'all',
    simulatesProviders: false,
    simulatedCarrierUrl: carrier.origin,
  })
  const workspace = await app.workspace({ name: 'Integration tests', test_mode: true })
  await readyToSend(workspace)
  const { key = '' } = await workspace.credential(
    'messages:send',
    'contacts:write',
    'contacts:read:pii',
    'leads:write',
    'settings:manage',
  )
  const curl = async (part: string) =>
    JSON.parse(await page.curl(part, { API: app.base, KEY: key })) as Record<string, unknown>

  const turned = await curl('POST $API/test-clock')
  expect(turned).toEqual(like(page.shown('"ahead_seconds"')))
  expect(await curl('curl $API/test-clock')).toEqual(turned)
  await curl('/leads')
  expect(await curl('/messages/preflight')).toEqual(like(page.shown('"allowed": true')))
  expect(await curl('/messages -H')).toMatchObject({ status: 'queued' })
  const preflight = { channel: 'sms', to: '+13125550193', body: 'The open house is at 2 pm.' }
  const agent = await workspace.credential('messages:send', 'contacts:read:pii')
  await eventually(async () => {
    const { body } = await agent.post('/messages/preflight', preflight)
    return body['reason'] === 'opted_out'
  })
  expect(page.notRun()).toEqual([])
})

test('the tables have every number and address that fails', () => {
  const failing = Object.entries(behaviors).map(([digits, { summary = '', rejected, undelivered }]) => {
    const code = rejected?.twilio[1] ?? undelivered?.twilio
    return `| 555-01${digits} | ${summary}${code === undefined ? '' : ` (${code})`} |`
  })
  const addresses = Object.entries(addressBehaviors).map(
    ([local, { summary }]) => `| ${local}@ | ${summary} |`,
  )
  expect([...failing, ...addresses].filter((row) => !page.prose.includes(row))).toEqual([])
})
