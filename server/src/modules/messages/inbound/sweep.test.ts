import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { type Texting, startTexting } from '#test/support/texting.ts'
import { createDispatcher } from '../outbox/dispatcher.ts'
import type { Carrier, InboundMessage } from '../ports.ts'
import { createSweeper, sweepConnection } from './sweep.ts'

const person = '+13125550177'

let app: TestApp
let texting: Texting

beforeAll(async () => {
  app = await testApp({ now: '2026-03-02T18:00:00.000Z', databaseUrl: await freshDatabase('sweep') })
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  app.clock.set('2026-03-02T18:00:00.000Z')
  texting = await startTexting(app)
})

const received = (body: string, receivedAt: string, providerMessageId = `SM-${body}`): InboundMessage => ({
  providerMessageId,
  channel: 'sms',
  from: person,
  to: texting.number,
  subject: null,
  body,
  bodyHtml: null,
  name: null,
  receivedAt: new Date(receivedAt),
  providerResponds: false,
})

/** A carrier that takes every message and lists what `list` returns. If that is undefined, it cannot be reached. */
function carrierWith(list: () => readonly InboundMessage[] | undefined) {
  const asked: Date[] = []
  const sent: string[] = []
  const carrier: Carrier = {
    async send() {
      sent.push('a message')
      return { kind: 'taken', providerMessageId: `SM-sent-${sent.length}` }
    },
    find: async () => undefined,
    readCallback: () => undefined,
    async listInbound(account, since) {
      if (account.id !== texting.connectionId) return []
      asked.push(since)
      const all = list()
      if (all === undefined) throw new Error('The provider cannot be reached.')
      return all.filter(({ receivedAt }) => (receivedAt ?? since) >= since)
    },
    forget: async () => true,
  }
  return { carriers: { twilio: carrier, whatsapp: undefined, email: undefined }, asked, sent }
}

const bodies = async () =>
  (await texting.agent.get('/messages?direction=INBOUND')).body['data'].map(
    ({ body }: { body: string }) => body,
  )

test('a sweep records missed messages once, oldest first, and resumes from there', async () => {
  await texting.text(person, 'Hello', { MessageSid: 'SM-Hello' })
  const list = [
    received('START', '2026-03-02T18:00:20Z'),
    received('STOP', '2026-03-02T18:00:10Z'),
    received('Hello', '2026-03-02T18:00:00Z'),
  ]
  const { carriers, asked } = carrierWith(() => list)
  app.clock.set('2026-03-02T18:01:00Z')
  for (let i = 0; i < 3; i++) await sweepConnection(app.runtime, carriers, texting.connectionId)
  expect((await bodies()).toSorted()).toEqual(['Hello', 'START', 'STOP'])
  expect(await texting.events('message.received')).toHaveLength(3)
  const { data } = (await texting.agent.get('/suppressions')).body
  expect(data).toMatchObject([{ kind: 'opted_out', lifted_at: expect.any(String) }])
  const [first, second] = asked.map((at) => at.toISOString())
  expect([first, second]).toEqual(['2026-03-02T17:58:00.000Z', '2026-03-02T17:59:00.000Z'])
})

test('a START found late does not lift a STOP that came after it', async () => {
  app.clock.set('2026-03-02T18:01:00Z')
  await texting.text(person, 'STOP')
  const { carriers } = carrierWith(() => [received('START', '2026-03-02T18:00:30Z')])
  await sweepConnection(app.runtime, carriers, texting.connectionId)
  const { data } = (await texting.agent.get('/suppressions')).body
  expect(data).toMatchObject([{ kind: 'opted_out', lifted_at: null }])
})

test('after an outage, a connection sends nothing until it has been swept', async () => {
  await texting.lead(person)
  await texting.lead('+13125550178')
  const stopped = await texting.send(person)
  const wanted = await texting.send('+13125550178')
  let list: InboundMessage[] | undefined
  const { carriers, sent } = carrierWith(() => list)
  const queue = app.runtime.database.across('gable_sender', [], () => {})
  const sweeper = createSweeper(app.runtime, carriers)
  const dispatcher = createDispatcher(app.runtime, carriers, queue, sweeper.isFresh)
  const look = async () => {
    app.clock.advance(6_000)
    await dispatcher.look()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const statusOf = async (id: string) => (await texting.agent.get(`/messages/${id}`)).body['status']
  try {
    for (let i = 0; i < 3; i++) await look()
    expect([sent, await statusOf(stopped), await statusOf(wanted)]).toEqual([[], 'queued', 'queued'])
    list = [received('STOP', '2026-03-02T18:00:01Z')]
    await expect
      .poll(async () => {
        await look()
        return statusOf(wanted)
      })
      .toBe('sent')
    expect(await statusOf(stopped)).toBe('cancelled')
  } finally {
    await dispatcher.settled()
    await sweeper.end()
    await queue[Symbol.asyncDispose]()
  }
})

test('a sweep stores its time on the connection', async () => {
  const { carriers } = carrierWith(() => [])
  app.clock.set('2026-03-02T18:05:00Z')
  await sweepConnection(app.runtime, carriers, texting.connectionId)
  const [row] = await asOwner<{ swept_at: Date }>(
    app.databaseUrl,
    'select swept_at from connections where id = $1',
    [texting.connectionId],
  )
  expect(row?.swept_at.toISOString()).toBe('2026-03-02T18:05:00.000Z')
})
