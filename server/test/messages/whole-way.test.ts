import { type SimulatedCarrier, startCarrier } from '@gable/sandbox/start.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { eventually } from '#test/support/eventually.ts'
import { readyToSend } from '#test/support/ready-to-send.ts'
import { connectSimulatedSenders } from '../../src/modules/messages/public.ts'
import { createSender } from '../../src/modules/senders/public.ts'

const now = '2026-03-02T15:00:00.000Z'
const opened = new AsyncDisposableStack()
let carrier: SimulatedCarrier
let app: TestApp
/** Takes ten seconds, so it starts before the tests. */
let unanswered: Awaited<ReturnType<typeof sendTo>>

beforeAll(async () => {
  carrier = opened.use(
    await startCarrier({ host: '127.0.0.1', port: 0, now: () => app.clock.now(), deliveryMs: 5 }),
  )
  app = opened.use(
    await testApp({
      now,
      role: 'all',
      databaseUrl: await freshDatabase('whole_way'),
      simulatedCarrierUrl: carrier.origin,
    }),
  )
  unanswered = await sendTo('+13125550190')
})
afterAll(() => opened.disposeAsync())

/** Polls slowly: an API key has 600 requests per minute, and the clock does not advance to the next minute. */

/** Sends a text to a person who has consented, from a new workspace, with the server's own worker and the real protocol. */
async function sendTo(to: string, { connected = false } = {}) {
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  await readyToSend(workspace)
  await agent.post('/leads', {
    phone: to,
    source: 'Website',
    skip_routing: true,
    consent: { captured_at: '2026-01-02T15:00:00Z', source_url: 'https://lanternandoak.example/a' },
  })
  if (connected) await connectSimulatedSenders(app.runtime, app.carriers)
  const send = (body: string) => agent.post('/messages', { channel: 'sms', to, body })
  const { status, body } = await send('Hello')
  expect([status, body['status']]).toEqual([201, 'queued'])
  const read = async () => (await agent.get(`/messages/${body['id']}`)).body
  const until = async (...statuses: string[]) => {
    await eventually(async () => statuses.includes((await read())['status']))
    return read()
  }
  return { agent, id: body['id'], send, read, until }
}

const handset = async (to: string) => (await fetch(`${carrier.phoneUrl}/${to}/messages`)).text()

test.for([
  ['23', 'delivered', undefined],
  ['82', 'undelivered', 'recipient_unreachable'],
  ['83', 'undelivered', 'recipient_invalid'],
  ['84', 'undelivered', 'recipient_invalid'],
  ['85', 'undelivered', 'filtered'],
  ['86', 'undelivered', 'sender_not_registered'],
  ['92', 'delivered', undefined],
  ['93', 'delivered', undefined],
] as const)('callbacks update a text to 555-01%s to %s', async ([suffix, status, code]) => {
  const { until } = await sendTo(`+163055501${suffix}`)
  const message = await until('delivered', 'undelivered')
  expect(message).toMatchObject({ status, sent_at: expect.any(String) })
  expect(message['error']?.code).toBe(code)
})

test('a text of 1,600 characters is delivered; a longer one fails with Twilio’s error', async () => {
  const { send, agent } = await sendTo('+16305550127')
  const end = async (characters: number) => {
    const { body } = await send('x'.repeat(characters))
    const read = async () => (await agent.get(`/messages/${body['id']}`)).body
    await eventually(async () => {
      // A sender sends one segment per second.
      app.clock.advance(1000)
      return ['delivered', 'failed'].includes((await read())['status'])
    })
    const { status, error } = await read()
    return [status, error?.carrier_code]
  }
  expect(await end(1600)).toEqual(['delivered', undefined])
  expect(await end(1601)).toEqual(['failed', '21617'])
})

test('a sender reported as unregistered (555-0186) sends nothing more', async () => {
  const { until, send } = await sendTo('+18475550186')
  await until('undelivered')
  const { status, body } = await send('Again')
  expect([status, body['error'].reason]).toEqual([422, 'a2p_number_not_registered'])
})

test('without callbacks (555-0191), a text stays sent', async () => {
  const { until } = await sendTo('+18475550191')
  expect(await until('sent')).toMatchObject({ delivered_at: null, error: null })
})

test('a new sender receives texts from handsets', async () => {
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const number = '+13125550176'
  await createSender(workspace.ctx, { kind: '10dlc', address: number })
  const write = () =>
    fetch(`${carrier.phoneUrl}/+18475550124`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ to: number, body: 'Is it still available?' }),
      redirect: 'manual',
    })
  const received = async () => {
    await write()
    return (await agent.get('/messages?direction=INBOUND')).body['data'].length
  }
  await eventually(async () => expect(await received()).toBeGreaterThan(0))
})

test('555-0193 replies STOP, and gets no further text', async () => {
  const { agent, send } = await sendTo('+18475550193', { connected: true })
  const received = async () => (await agent.get('/messages?direction=INBOUND')).body['data']
  await eventually(async () =>
    expect(await received()).toMatchObject([{ body: 'STOP', from: '+18475550193' }]),
  )
  const { status, body } = await send('Again')
  expect([status, body['error'].reason]).toEqual([422, 'opted_out'])
})

test('an accepted text is sent and appears on the handset', async () => {
  const { until } = await sendTo('+13125550123')
  expect(await until('sent', 'delivered')).toMatchObject({
    provider_message_id: expect.stringMatching(/^SM/),
  })
  expect(await handset('+13125550123')).toContain('<p>Hello</p>')
})

test.for([
  ['80', 'failed', 'recipient_invalid', '21211'],
  ['81', 'failed', 'recipient_opted_out', '21610'],
] as const)('a text to 555-01%s ends as %s: %s (%s)', async ([suffix, status, code, carrier_code]) => {
  const { until } = await sendTo(`+131255501${suffix}`)
  expect(await until('failed', 'sent')).toMatchObject({ status, error: { code, carrier_code } })
})

test('a text to 555-0181 records an opt-out that blocks the next one', async () => {
  const { until, send } = await sendTo('+17735550181')
  await until('failed')
  const { status, body } = await send('Again')
  expect([status, body['error'].reason]).toEqual([422, 'opted_out'])
})

test('a text to 555-0187 is tried five times, then fails', async () => {
  const { until, id } = await sendTo('+13125550187')
  for (let attempts = 1; attempts < 5; attempts++) {
    const waiting = await eventually(async () => {
      const [row] = await asOwner<{ due_at: Date }>(
        app.databaseUrl,
        "select due_at from outbox where message_id = $1 and state = 'waiting' and attempts = $2",
        [id, attempts],
      )
      return row ?? false
    })
    app.clock.set(waiting.due_at)
  }
  expect(await until('failed')).toMatchObject({
    sent_at: null,
    error: { code: 'provider_unavailable', carrier_code: '20429' },
  })
})

test('a text whose response was lost (555-0188) becomes unknown, is found, and arrives once', async () => {
  const { until } = await sendTo('+13125550188')
  await until('unknown', 'sent', 'delivered')
  app.clock.advance(30_000)
  expect(await until('sent', 'delivered')).toMatchObject({
    provider_message_id: expect.stringMatching(/^SM/),
  })
  expect((await handset('+13125550188')).match(/<p>Hello<\/p>/g)).toHaveLength(1)
})

test.for(['89', '90'])('a text to 555-01%s without a clear response stays unknown', async (suffix) => {
  const to = `+131255501${suffix}`
  const { until, read } = suffix === '90' ? unanswered : await sendTo(to)
  await until('unknown')
  app.clock.advance(20 * 60_000)
  const rows = () => asOwner(app.databaseUrl, "select from outbox where state = 'unknown'")
  await eventually(async () => expect(await rows()).toEqual([]))
  expect((await read())['status']).toBe('unknown')
  expect(await handset(to)).not.toContain('<p>Hello</p>')
})

test('a text whose callbacks arrive twice and reversed (555-0192) is sent and delivered once', async () => {
  const { until, id } = await sendTo('+13125550192')
  expect(await until('delivered')).toMatchObject({ status: 'delivered', sent_at: expect.any(String) })
  const events = await asOwner<{ name: string }>(
    app.databaseUrl,
    "select name from events where subject_id = $1 and name in ('message.sent', 'message.delivered') order by name",
    [id],
  )
  expect(events.map(({ name }) => name)).toEqual(['message.delivered', 'message.sent'])
})

test('a STOP without a callback is found within a minute, blocks later texts, and is confirmed', async () => {
  const to = '+13125550193'
  const { until, send, id } = await sendTo(to)
  await until('delivered')
  // The account is not connected, so no callback brings what its number receives.
  await eventually(async () => (await handset(to)).includes('<p>STOP</p>'))
  // The callback may be faster than the worker, whose attempt would be lost if the clock moved before it is recorded.
  const attempts = () => asOwner(app.databaseUrl, 'select from outbox where message_id = $1', [id])
  await eventually(async () => expect(await attempts()).toEqual([]))
  // What failed or waits for its turn is tried again later. Not while an attempt is in progress, which would be lost.
  let movedAt = Number.NEGATIVE_INFINITY
  await eventually(async () => {
    if (performance.now() - movedAt > 10_000) {
      app.clock.advance(61_000)
      movedAt = performance.now()
    }
    return (await handset(to)).includes('You will receive no more messages')
  })
  const { status, body } = await send('Again')
  expect([status, body['error'].reason]).toEqual([422, 'opted_out'])
})
