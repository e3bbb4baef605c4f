import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { asOwner } from '#test/support/database.ts'
import { type Texting, startTexting } from '#test/support/texting.ts'
import { settleSends } from '../outbox/settle-sends.ts'

const person = '+13125550177'

let app: TestApp
let texting: Texting

beforeAll(async () => {
  app = await testApp({ now: '2026-03-02T18:00:00.000Z' })
  texting = await startTexting(app)
  await texting.lead(person)
})
afterAll(() => app[Symbol.asyncDispose]())

/** A text whose attempt has begun, and functions that show its progress. */
async function begun() {
  // Stays within the rate limit per minute.
  app.clock.advance(61_000)
  const id = await texting.send(person)
  const [{ attemptId = '' } = {}] = await texting.begin()
  const eventsOf = async (name: string) => (await texting.events(name)).filter((data) => data['id'] === id)
  return {
    id,
    attemptId,
    message: async () => (await texting.agent.get(`/messages/${id}`)).body,
    queued: () => asOwner(app.databaseUrl, 'select state from outbox where message_id = $1', [id]),
    eventsOf,
    settle: (kind: 'taken' | 'unknown' | 'later' | 'rejected') => {
      const failure = { code: 'rejected' as const, carrierCode: null, message: 'No.' }
      const outcome = {
        kind,
        providerMessageId: `SM${attemptId}`,
        message: 'No.',
        failure,
        retryAfterMs: null,
      }
      return settleSends(app.runtime, texting.workspace.id, [{ messageId: id, attemptId, outcome }])
    },
  }
}

describe('a status report', () => {
  test.each(['sending', 'unknown'])('settles an attempt in state %s as sent', async (state) => {
    const text = await begun()
    if (state === 'unknown') await text.settle('unknown')
    expect(await text.queued()).toEqual([{ state }])
    expect((await texting.status(text.attemptId, 'sent')).status).toBe(200)
    expect(await text.queued()).toEqual([])
    expect(await text.message()).toMatchObject({
      status: 'sent',
      provider_message_id: `SM${text.attemptId}`,
    })
    // The outcome of the send call arrives after the report.
    await text.settle('later')
    expect([(await text.message())['status'], await text.queued()]).toEqual(['sent', []])
  })

  test('of a delivery cancels the pending retry; of a failure does not', async () => {
    const text = await begun()
    await text.settle('later')
    expect(await text.queued()).toEqual([{ state: 'waiting' }])
    await texting.status(text.attemptId, 'failed')
    expect(await text.queued()).toEqual([{ state: 'waiting' }])
    await texting.status(text.attemptId, 'delivered')
    expect([(await text.message())['status'], await text.queued()]).toEqual(['delivered', []])
  })

  test('for another connection or an unknown attempt changes nothing', async () => {
    const text = await begun()
    const other = await startTexting(app)
    expect((await other.status(text.attemptId, 'delivered')).status).toBe(200)
    expect((await texting.status('cmi8h5d1w0004p8k3j6q2z9a7', 'delivered')).status).toBe(200)
    expect((await text.message())['status']).toBe('sending')
    await text.settle('taken')
  })

  test('with code 21610 records an opt-out; with 30034 marks the number as unregistered', async () => {
    const lead = '+13125550178'
    await texting.lead(lead)
    app.clock.advance(1000)
    await texting.send(lead)
    const [{ attemptId = '' } = {}] = await texting.begin()
    await texting.status(attemptId, 'undelivered', { ErrorCode: '21610' })
    const { body } = await texting.agent.post('/messages', { channel: 'sms', to: lead, body: 'Hello' })
    expect(body['error'].reason).toBe('opted_out')
    const another = await startTexting(app)
    await another.lead(lead)
    await another.send(lead)
    const [{ attemptId: last = '' } = {}] = await another.begin()
    await another.status(last, 'undelivered', { ErrorCode: '30034' })
    const { body: senders } = await another.agent.get('/senders')
    expect(senders['data'][0].registration.number).toBe('UNREGISTERED')
  })
})

const rank = { sending: 1, unknown: 2, sent: 3, failed: 4, undelivered: 5, delivered: 6, read: 7 }
type Status = keyof typeof rank

test('in any order of reports, a message only moves forward, is sent once, and delivery beats failure', async () => {
  const report = fc.constantFrom<Status | 'queued'>(
    'queued',
    'sent',
    'delivered',
    'read',
    'failed',
    'undelivered',
  )
  const outcome = fc.constantFrom('taken' as const, 'unknown' as const, undefined)
  await fc.assert(
    fc.asyncProperty(fc.array(report, { minLength: 1, maxLength: 7 }), outcome, async (reports, settled) => {
      const text = await begun()
      if (settled !== undefined) await text.settle(settled)
      const passed: Status[] = [(await text.message())['status']]
      for (const said of reports) {
        expect((await texting.status(text.attemptId, said)).status).toBe(200)
        passed.push((await text.message())['status'])
      }
      const ranks = passed.map((one) => rank[one])
      expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
      const arrived = reports.some((one) => one === 'delivered' || one === 'read')
      expect(['delivered', 'read'].includes(passed.at(-1) ?? '')).toBe(arrived)
      const wasSent = passed.some((one) => rank[one] >= rank.sent && one !== 'failed')
      const count = async (name: string) => (await text.eventsOf(name)).length
      expect(await count('message.sent')).toBe(Number(wasSent))
      expect(await count('message.delivered')).toBe(Number(arrived))
      expect(await count('message.failed')).toBe(
        Number(passed.includes('failed') || passed.includes('undelivered')),
      )
      expect(await text.queued()).toEqual([])
    }),
    { numRuns: 40 },
  )
})

test('concurrent reports settle on the furthest status, with one event each', async () => {
  const text = await begun()
  const reports = ['sent', 'delivered', 'delivered', 'read', 'sent', 'undelivered', 'failed', 'queued']
  await Promise.all([...reports.map((one) => texting.status(text.attemptId, one)), text.settle('taken')])
  expect((await text.message())['status']).toBe('read')
  expect(await text.eventsOf('message.sent')).toHaveLength(1)
  expect(await text.eventsOf('message.delivered')).toHaveLength(1)
})
