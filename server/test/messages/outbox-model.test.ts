import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginSends } from '../../src/modules/messages/outbox/begin-sends.ts'
import { type SendResult, settleSends } from '../../src/modules/messages/outbox/settle-sends.ts'
import { cancelUnsent } from '../../src/modules/messages/queue/cancel-waiting.ts'
import { lockContactsOfForShare } from '../../src/modules/messages/queue/lock-contacts.ts'
import {
  holdQueued,
  listHeldBack,
  releaseQueued,
  resumeRetries,
} from '../../src/modules/messages/queue/queries.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { asOwner } from '../support/database.ts'
import { type Texting, startTexting } from '../support/texting.ts'
import { later, rejected, unclear } from './scripted.ts'

let app: TestApp
let days = 0
let numbers = 0

beforeAll(async () => void (app = await testApp({ now: '2026-03-02T15:00:00.000Z' })))
afterAll(() => app[Symbol.asyncDispose]())

const seconds = (n: number) => n * 1000
const retries = [5, 30, 120, 600].map(seconds)

/** A message, what the queue knows of it, and the attempts to send it; the last one may be in flight. */
interface Queued {
  id: string
  to: string
  lane: number
  state: 'waiting' | 'sending' | 'unknown' | 'over'
  status: string
  /** Infinite while it is held. */
  due: number
  attempts: number
  onReturn: 'cancel' | 'hold' | undefined
  begunAt: number
  tried: string[]
}

const outcomes = {
  taken: { kind: 'taken', providerMessageId: '' },
  rejected,
  later,
  unknown: unclear,
  givenBack: { kind: 'givenBack' },
} satisfies Record<string, SendResult['outcome']>

const some = fc.array(fc.nat(9), { minLength: 1, maxLength: 3 })
const queue = fc.record({ what: fc.constant('queue' as const), to: fc.nat(1), lane: fc.nat(2) })
const deed = fc.oneof(
  { weight: 2, arbitrary: queue },
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constant('begin' as const), limit: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('settle' as const),
      which: fc.nat(9),
      outcome: fc.constantFrom('taken', 'rejected', 'later', 'later', 'later', 'unknown', 'givenBack'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('report' as const), which: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constantFrom('cancel', 'end'), some }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constantFrom('hold', 'release'), some }) },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('pass' as const),
      s: fc.constantFrom(1, 4, 6, 31, 59, 61, 121, 601),
    }),
  },
)
const histories = fc
  .tuple(fc.array(queue, { minLength: 3, maxLength: 6 }), fc.array(deed, { minLength: 15, maxLength: 40 }))
  .map((parts) => parts.flat())
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never

/** What may begin now: one at a time for each recipient, in the order of their IDs, and by lane. */
function next(all: readonly Queued[], now: number, limit: number): Queued[] {
  const holdsBack = (one: Queued, other: Queued) =>
    other.to === one.to &&
    other !== one &&
    (other.state === 'sending' ||
      (other.id < one.id &&
        ((other.state === 'waiting' && (other.due <= now || other.attempts > 0)) ||
          (other.state === 'unknown' && now < other.begunAt + seconds(60)))))
  return all
    .filter((one) => one.state === 'waiting' && one.due <= now)
    .filter((one) => !all.some((other) => holdsBack(one, other)))
    .toSorted((a, b) => a.lane - b.lane || a.due - b.due || byId(a, b))
    .slice(0, limit)
}

function settled(one: Queued, outcome: string, now: number): void {
  const { onReturn, attempts } = one
  const over = (status: string) => Object.assign(one, { state: 'over', status })
  const pause = retries[attempts - 1]
  if (outcome === 'taken') over('sent')
  else if (outcome === 'unknown') Object.assign(one, { state: 'unknown', status: 'unknown' })
  else if (outcome === 'rejected') over('failed')
  else if (onReturn === 'cancel') over('cancelled')
  else if (outcome === 'later' && pause === undefined) over('failed')
  else {
    const isHeld = onReturn === 'hold'
    const again =
      outcome === 'later' ? { due: now + (pause ?? 0), attempts } : { due: now, attempts: attempts - 1 }
    const held = isHeld ? { due: Number.POSITIVE_INFINITY, attempts: 0 } : again
    Object.assign(one, { state: 'waiting', status: 'queued', onReturn: undefined, ...held })
  }
}

/** What the database says of a message. When an unclear one is looked for is not of this model. */
const rowOf = ({ id, status, state, attempts, onReturn, due }: Queued) =>
  state === 'over'
    ? { id, status, queued: null, attempts: null, on_return: null, due: null }
    : {
        id,
        status,
        queued: state,
        attempts,
        on_return: onReturn ?? null,
        due: state === 'unknown' ? expect.anything() : finite(due),
      }

const finite = (time: number) => (Number.isFinite(time) ? time : null)

const byId = (one: Queued, other: Queued) => (one.id < other.id ? -1 : 1)

async function live({ agent, workspace, send, lead, senderId, status }: Texting, history: readonly Deed[]) {
  const { ctx } = workspace
  const all: Queued[] = []
  const people = Array.from({ length: 2 }, () => `+1312555${String(1000 + (numbers++ % 9000))}`)
  for (const phone of people) await lead(phone)
  const now = () => app.clock.now().getTime()
  const attempts: { id: string; of: Queued }[] = []
  const inTx = (ids: readonly string[], run: (tx: Parameters<typeof cancelUnsent>[0]) => unknown) =>
    ctx.transaction(async (tx) => {
      await lockContactsOfForShare(tx, ids)
      await run(tx)
    })
  for (const [place, one] of history.entries()) {
    app.clock.advance(100)
    const chosen =
      'some' in one ? [...new Set(one.some.flatMap((n) => all[n % Math.max(1, all.length)] ?? []))] : []
    const ids = chosen.map(({ id }) => id)
    const attempt = 'which' in one ? attempts.at(-1 - (one.which % Math.max(1, attempts.length))) : undefined
    if (one.what === 'queue') {
      const to = String(people[one.to])
      const id = await send(to)
      await asOwner(app.databaseUrl, 'update outbox set lane = $2 where message_id = $1', [id, one.lane])
      const [{ due } = { due: 0 }] = await asOwner<{ due: number }>(
        app.databaseUrl,
        'select (extract(epoch from due_at) * 1000)::float8 as due from outbox where message_id = $1',
        [id],
      )
      const fresh = { status: 'queued', state: 'waiting', attempts: 0, onReturn: undefined } as const
      all.push({ id, to, lane: one.lane, due, begunAt: 0, tried: [], ...fresh })
    } else if (one.what === 'begin') {
      const expected = next(all, now(), one.limit)
      const begun = await beginSends(app.runtime, { workspaceId: workspace.id, senderId }, one.limit)
      expect(begun.map(({ message }) => message.id)).toEqual(expected.map(({ id }) => id))
      for (const { message, attemptId } of begun) {
        const of = expected.find(({ id }) => id === message.id)
        if (of === undefined) continue
        attempts.push({ id: attemptId, of })
        of.tried.push(attemptId)
        Object.assign(of, { state: 'sending', status: 'sending', attempts: of.attempts + 1, begunAt: now() })
      }
    } else if (one.what === 'settle' && attempt !== undefined) {
      const outcome = { ...outcomes[one.outcome as keyof typeof outcomes] } as SendResult['outcome']
      if (outcome.kind === 'taken') outcome.providerMessageId = `SM${attempt.id}`
      await settleSends(app.runtime, workspace.id, [
        { messageId: attempt.of.id, attemptId: attempt.id, outcome },
      ])
      const isOpen = attempt.of.state === 'sending' || attempt.of.state === 'unknown'
      if (isOpen && attempt.of.tried.at(-1) === attempt.id) settled(attempt.of, one.outcome, now())
    } else if (one.what === 'report' && attempt !== undefined) {
      await status(attempt.id, 'delivered')
      if (attempt.of.status !== 'cancelled') Object.assign(attempt.of, { state: 'over', status: 'delivered' })
    } else if (one.what === 'cancel')
      for (const of of chosen) {
        const response = await agent.post(`/messages/${of.id}/cancel`)
        expect(response.status).toBe(of.state === 'waiting' ? 200 : 409)
        if (of.state === 'waiting') Object.assign(of, { state: 'over', status: 'cancelled' })
      }
    else if (one.what === 'end') {
      await inTx(ids, (tx) => cancelUnsent(tx, ids))
      for (const of of chosen)
        Object.assign(
          of,
          of.state === 'waiting' ? { state: 'over', status: 'cancelled' } : { onReturn: 'cancel' as const },
        )
    } else if (one.what === 'hold') {
      await inTx(ids, (tx) => holdQueued(tx, ids))
      for (const of of chosen)
        if (of.state === 'waiting') Object.assign(of, { due: Number.POSITIVE_INFINITY, attempts: 0 })
        else of.onReturn ??= 'hold'
    } else if (one.what === 'release') {
      const from = app.clock.now()
      await inTx(ids, async (tx) => {
        resumeRetries(tx, ids)
        const held = await listHeldBack(tx, ids)
        releaseQueued(
          tx,
          held.map((id, n) => ({ id, at: new Date(from.getTime() + n * 1000) })),
        )
      })
      for (const of of chosen) if (of.onReturn === 'hold') of.onReturn = undefined
      const held = chosen.filter(({ state, due }) => state === 'waiting' && due === Number.POSITIVE_INFINITY)
      for (const [n, of] of held.toSorted(byId).entries()) of.due = from.getTime() + n * 1000
    } else if (one.what === 'pass') app.clock.advance(seconds(one.s))
    const rows = await asOwner(
      app.databaseUrl,
      `select id, status, state as queued, attempts, on_return, (extract(epoch from nullif(due_at, 'infinity')) * 1000)::float8 as due
       from messages left join outbox on message_id = id where messages.workspace_id = $1 order by id`,
      [workspace.id],
    )
    expect(rows, `after ${place} ${one.what}`).toEqual(all.toSorted(byId).map(rowOf))
  }
}

test('a queue sends each message once, in order, and never what was cancelled or is held, whatever returns when', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      app.clock.set(new Date(Date.parse('2026-03-02T15:00:00.000Z') + days++ * 24 * 3_600_000))
      await live(await startTexting(app), history)
    }),
    { numRuns: 60 },
  )
})
