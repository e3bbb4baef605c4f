import { startCarrier } from '@gable/sandbox/start.ts'
import { messageStatuses } from '@gable/server/src/modules/messages/message.ts'
import { type TestApp, type TestWorkspace, testApp } from '@gable/server/test/support/app.ts'
import { freshDatabase } from '@gable/server/test/support/database.ts'
import { eventually } from '@gable/server/test/support/eventually.ts'
import { readyToSend } from '@gable/server/test/support/ready-to-send.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GuidePage, guidePage, like } from '../support/guide-page.ts'

type Json = Record<string, unknown>

const opened = new AsyncDisposableStack()
let page: GuidePage
let app: TestApp
let workspace: TestWorkspace
let variables: Record<string, string>

beforeAll(async () => {
  page = opened.use(await guidePage('send-messages'))
  const now = () => app.clock.now()
  const carrier = opened.use(await startCarrier({ host: '127.0.0.1', port: 0, now, deliveryMs: 5 }))
  app = opened.use(
    await testApp({
      databaseUrl: await freshDatabase('send_messages'),
      role: 'all',
      simulatedCarrierUrl: carrier.origin,
    }),
  )
  workspace = await app.workspace()
  await readyToSend(workspace)
  const { key = '' } = await workspace.credential('messages:send', 'messages:read', 'contacts:read:pii')
  variables = { API: app.base, KEY: key, TO: '+13125550177' }
})
afterAll(() => opened.disposeAsync())

/** Runs the one request on the page that has this text. */
const curl = async (part: string) => JSON.parse(await page.curl(part, variables)) as Json

test('the guide works from the first text to the reply', async () => {
  const sent = await curl('showing-4711')
  expect(sent).toEqual(like(page.shown('"queued"')))
  expect((await curl('showing-4711'))['id']).toBe(sent['id'])
  variables['ID'] = String(sent['id'])
  const status = async () => String((await curl('$API/messages/$ID -H'))['status'])
  await eventually(async () => ['sent', 'delivered'].includes(await status()))

  expect(await curl('/resend')).toMatchObject({ error: { code: 'message_not_resendable' } })
  expect(await curl('"channel": "email"')).toEqual(like(page.shown('"channel": "EMAIL"')))

  expect(await curl('Are you thinking of selling?')).toEqual(like(page.shown('compliance_blocked')))

  app.clock.set('2026-03-03T04:00:00.000Z')
  expect(await curl('/messages/preflight')).toEqual(like(page.shown('"allowed": false')))
  const scheduled = await curl('"when_blocked": "schedule"')
  expect(scheduled).toEqual(like(page.shown('"scheduled_at"')))
  variables['ID'] = String(scheduled['id'])
  expect(await curl('/cancel')).toMatchObject({ status: 'cancelled' })
  expect(await curl('/cancel')).toMatchObject({ error: { code: 'message_not_cancellable' } })

  app.clock.set('2026-03-03T15:00:00.000Z')
  variables['CONVERSATION'] = String(scheduled['conversation_id'])
  const both = await page.curl('/conversations?channel=SMS', variables)
  const [conversations, messages] = both.split(/(?<=\})(?=\{"data")/).map((text) => JSON.parse(text) as Json)
  expect(conversations?.['data']).toContainEqual(expect.objectContaining({ id: variables['CONVERSATION'] }))
  expect(messages?.['data']).toHaveLength(2)
  expect(await curl('"purpose": "reply"')).toMatchObject({ status: 'queued', purpose: 'reply' })
  expect(page.notRun()).toEqual([])
})

test('the table of statuses is complete', () => {
  const named = new Set([...page.prose.matchAll(/\| `(\w+)` \|/g)].map(([, name]) => name))
  expect([...named].toSorted()).toEqual(messageStatuses.filter((one) => one !== 'received').toSorted())
})
