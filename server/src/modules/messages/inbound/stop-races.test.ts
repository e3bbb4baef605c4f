import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { asOwner } from '#test/support/database.ts'
import { type Texting, startTexting } from '#test/support/texting.ts'

let app: TestApp
let texting: Texting

beforeAll(async () => {
  app = await testApp({ now: '2026-03-02T18:00:00.000Z' })
  texting = await startTexting(app)
})
afterAll(() => app[Symbol.asyncDispose]())

/** Each round has a STOP among seven polls of the queue. `GABLE_STOP_ROUNDS` sets the number of rounds. */
const rounds = Number(process.env['GABLE_STOP_ROUNDS'] ?? 40)

/** Stays within the rate limit per minute, and skips the evening hours in which no text may be sent. */
function passMinute(): void {
  app.clock.advance(61_000)
  if (app.clock.now().getUTCHours() >= 23) app.clock.advance(18 * 3_600_000)
}

test('no message begins after a concurrent STOP commits, and none stays queued', async () => {
  for (let round = 0; round < rounds; round++) {
    const person = `+1312${String(5_550_000 + round)}`
    passMinute()
    await texting.lead(person)
    for (let i = 0; i < 3; i++) await texting.send(person)
    // The order of events in this process: when each poll began, and when the opt-out was known to be committed.
    let order = 0
    let stopped = Number.POSITIVE_INFINITY
    const begunAfter: string[] = []
    const look = async (afterMs: number) => {
      await new Promise((resolve) => setTimeout(resolve, afterMs))
      const at = order++
      for (const { messageId, attemptId, kind, to } of await texting.begin()) {
        if (at > stopped && to === person && kind === 'standard') begunAfter.push(messageId)
        await texting.taken(attemptId)
      }
    }
    const write = async (afterMs: number) => {
      await new Promise((resolve) => setTimeout(resolve, afterMs))
      await texting.agent.post('/messages', { channel: 'sms', to: person, body: 'One more.' })
    }
    const stop = async (afterMs: number) => {
      await new Promise((resolve) => setTimeout(resolve, afterMs))
      expect((await texting.text(person, 'STOP')).status).toBe(200)
      stopped = order++
    }
    const delays = [0, 1, 3, 6, 10, 15, 20].map((ms) => ms + (round % 5))
    await Promise.all([...delays.map(look), write(2), write(5), stop((round * 7) % 13)])
    for (let i = 0; i < 4; i++) await look(0)
    expect(begunAfter).toEqual([])
    const rows = await asOwner<{ status: string; attempts: number; queued: number; kind: string }>(
      app.databaseUrl,
      `select status, kind, (select count(*)::int from message_attempts a where a.message_id = m.id) as attempts,
         (select count(*)::int from outbox o where o.message_id = m.id) as queued
       from messages m where workspace_id = $1 and "to" = $2 and direction = 'OUTBOUND'`,
      [texting.workspace.id, person],
    )
    expect(rows.filter(({ queued }) => queued > 0)).toEqual([])
    expect(rows.filter(({ status, attempts }) => (status === 'sent') !== attempts > 0)).toEqual([])
    expect(
      rows.filter(({ kind, status }) => kind === 'opt_out_confirmation' && status === 'sent'),
    ).toHaveLength(1)
  }
})

test('a message cancelled while it begins is either cancelled or sent, never both', async () => {
  const person = '+13125559999'
  passMinute()
  await texting.lead(person)
  for (let round = 0; round < 20; round++) {
    passMinute()
    const id = await texting.send(person)
    const [cancelled, ...begun] = await Promise.all([
      texting.agent.post(`/messages/${id}/cancel`),
      texting.begin(),
      texting.begin(),
    ])
    const attempts = begun.flat()
    for (const { attemptId } of attempts) await texting.taken(attemptId)
    expect([cancelled.status, attempts.length]).toEqual(cancelled.status === 200 ? [200, 0] : [409, 1])
  }
})
