import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { idOf } from '#test/support/fixtures.ts'

let app: TestApp
let agent: Client
let stages: Stage[]

interface Stage {
  id: string
  outcome: 'open' | 'won' | 'lost'
  probability: number
}

beforeAll(async () => {
  app = await testApp({ now: '2026-03-02T18:00:00.000Z' })
  agent = await app.credential()
  const { data } = (await agent.get('/pipelines')).body
  ;({ stages } = data.find((one: { is_default: boolean }) => one.is_default))
})
afterAll(() => app[Symbol.asyncDispose]())

const outcomes = ['open', 'won', 'lost'] as const
const amount = fc.integer({ min: 1000, max: 90_000_000 }).map((cents) => cents / 100)

/** One change of a deal, a minute to three days after the last one. */
const deed = fc.record({
  minutes: fc.integer({ min: 1, max: 4320 }),
  patch: fc.oneof(
    fc.record({ price: fc.option(amount) }),
    fc.record({ close_price: fc.option(amount) }),
    fc.record({ status: fc.constantFrom(...outcomes, 'cancelled' as const) }),
    fc.nat().map((stage) => ({ stage })),
    fc.record({ commission: fc.option(fc.record({ rate_percent: fc.integer({ min: 0, max: 90_000 }) })) }),
    fc.record({ close_date: fc.constantFrom(null, '2026-01-15') }),
    fc.record({ probability: fc.constantFrom(null, 35) }),
  ),
})
type Patch = (typeof deed extends fc.Arbitrary<infer T> ? T : never)['patch']

/** What is known of a deal. `rate` is in ten-thousandths of a percent, `gci` in cents. */
interface Known {
  stage: Stage
  status: Stage['outcome'] | 'cancelled'
  price: number | null
  close_price: number | null
  close_date: string | null
  probability: number | null
  rate: number | null
  gci: number | null
}

const cents = (dollars: number) => BigInt(Math.round(dollars * 100))
const gciOf = ({ rate, close_price, price }: Known): number | null => {
  const sale = close_price ?? price
  return rate === null || sale === null ? null : Number((cents(sale) * BigInt(rate) + 500_000n) / 1_000_000n)
}

/** What a deal is after a change: the rules in plain lines. */
function changed(before: Known, patch: Patch, today: string): Known {
  const after = { ...before, ...('stage' in patch || 'commission' in patch ? {} : patch) } as Known
  // A stage decides the status. A status leads to the first stage with that outcome; only `cancelled` stays where it is.
  if ('stage' in patch) after.stage = stages[patch.stage % stages.length] as Stage
  else if (after.status !== 'cancelled' && after.stage.outcome !== after.status)
    after.stage = stages.find(({ outcome }) => outcome === after.status) as Stage
  if ('stage' in patch && (after.stage !== before.stage || before.status !== 'cancelled'))
    after.status = after.stage.outcome
  // Winning fills an empty day. Nothing takes it back.
  if (after.status === 'won' && before.status !== 'won') after.close_date ??= today
  // What is won keeps its commission until it is lost or opened again, or the commission itself is set.
  if ('commission' in patch) after.rate = patch.commission?.rate_percent ?? null
  if ('commission' in patch || before.status !== 'won' || after.status !== 'won') after.gci = gciOf(after)
  return after
}

const shown = ({ stage, rate, gci, probability, ...known }: Known) => ({
  ...known,
  stage_id: stage.id,
  probability: probability ?? stage.probability,
  rate: rate === null ? null : rate / 10_000,
  gci: gci === null ? null : gci / 100,
})

test('a deal’s stage, status, price and commission follow from its history, through reopening', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 4, maxLength: 14 }), async (history) => {
      app.clock.set('2026-03-02T18:00:00.000Z')
      const id = idOf(await agent.post('/deals', { name: 'Elm' }))
      let known: Known = {
        stage: stages.find(({ outcome }) => outcome === 'open') as Stage,
        status: 'open',
        price: null,
        close_price: null,
        close_date: null,
        probability: null,
        rate: null,
        gci: null,
      }
      for (const { minutes, patch } of history) {
        app.clock.advance(minutes * 60_000)
        const { body: workspace } = await agent.get('/workspace')
        const today = new Intl.DateTimeFormat('en-CA', { timeZone: workspace['timezone'] }).format(
          app.clock.now(),
        )
        const stage = 'stage' in patch ? stages[patch.stage % stages.length]?.id : undefined
        const sent =
          'commission' in patch
            ? { commission: patch.commission && { rate_percent: patch.commission.rate_percent / 10_000 } }
            : patch
        const { status, body } = await agent.patch(
          `/deals/${id}`,
          stage === undefined ? sent : { stage_id: stage },
        )
        expect([status, body['error']]).toEqual([200, undefined])
        known = changed(known, patch, today)
        const { commission } = body
        expect({
          ...Object.fromEntries(Object.keys(shown(known)).map((name) => [name, body[name]])),
          rate: commission?.rate_percent ?? null,
          gci: commission?.gci ?? null,
        }).toEqual(shown(known))
      }
    }),
    { numRuns: 100 },
  )
})
