import fc from 'fast-check'
import { expect, test } from 'vitest'
import { facts, moments, ruleSets, someAgents } from '#test/support/arbitrary-routing.ts'
import { aRule, agents, frozen, idOf, poolOfMembers, rulesOf, someFacts } from '#test/support/routing.ts'
import { compileRules } from '../rules/compile-rules.ts'
import type { Facts } from '../rules/facts.ts'
import type { RuleSet } from '../rules/rule.ts'
import { openTally } from './backtest-tally.ts'
import { type MessageOutcome, type PastDecision, backtest } from './backtest.ts'
import { decideRoute } from './decide-route.ts'
import type { Agent, Cursor } from './decision.ts'

const emptyPool: MessageOutcome = {
  outcome: 'unassigned',
  assignee_id: null,
  rule_id: 'default',
  rule_name: 'Round robin',
  decided_at: '2026-03-02T15:00:00.000Z',
}

const past = (parts: Partial<PastDecision> = {}): PastDecision => ({
  lead_id: idOf(1),
  decided_at: emptyPool.decided_at,
  facts: someFacts(),
  by_hand: false,
  was: emptyPool,
  ...parts,
})

const all = (decisions: PastDecision[], set: RuleSet, people: readonly Agent[]) =>
  Array.fromAsync(backtest(decisions, compileRules(frozen(set)), frozen(people)))

const whose = async (decisions: PastDecision[], set: RuleSet, people: readonly Agent[]) =>
  (await all(decisions, set, people)).map(({ would_be }) => would_be?.assignee_id)

const [one, two, three] = [idOf(1), idOf(2), idOf(3)]
const hour = (n: number) => new Date(Date.parse(emptyPool.decided_at) + n * 3_600_000).toISOString()

test('a replay starts every rotation from the beginning and advances it', async () => {
  const set = rulesOf(aRule({ method: 'round_robin', pool: poolOfMembers(one, two, three) }))
  expect(await whose([past(), past(), past(), past()], set, agents(3))).toEqual([one, two, three, one])
})

test('a replay tracks loads, caps, and waits on its own', async () => {
  const busy = agents(2).map((agent) => ({ ...agent, open: 50, recent: [Date.parse(hour(-1))] }))
  const least = rulesOf(aRule({ method: 'least_loaded', pool: poolOfMembers(one, two) }))
  expect(await whose([past(), past(), past(), past()], least, busy)).toEqual([one, two, one, two])
  const caps = { open: null, per_hour: 1, per_day: null }
  const capped = rulesOf(aRule({ method: 'least_recently_assigned', pool: poolOfMembers(one, two), caps }))
  const moments3 = [past(), past({ decided_at: hour(0.5) }), past({ decided_at: hour(1.6) })]
  expect(await whose(moments3, capped, busy)).toEqual([one, two, one])
})

test('a waiting lead is retried when hours or a shift begin, but not forever', async () => {
  const schedule = { days: ['tue'], from: '08:00', to: '20:00', timezone: 'UTC', outside: 'hold' } as const
  const held = rulesOf(aRule({ schedule: { ...schedule, days: ['tue'] }, pool: poolOfMembers(one) }))
  expect((await all([past()], held, agents(1)))[0]?.would_be).toMatchObject({
    outcome: 'assigned',
    decided_at: '2026-03-03T08:00:00.000Z',
  })
  const shifts = [{ days: ['tue' as const], from: '06:00', to: '07:00' }]
  const early = agents(1).map((agent) => ({ ...agent, shifts, timezone: 'UTC' }))
  const plain = rulesOf(aRule({ pool: poolOfMembers(one) }))
  expect((await all([past()], plain, early))[0]?.would_be).toMatchObject({
    assignee_id: one,
    decided_at: '2026-03-03T06:00:00.000Z',
  })
  const gone = agents(1).map((agent) => ({ ...agent, active: false }))
  const [replayed] = await all([past()], plain, gone)
  expect(replayed).toMatchObject({ would_be: { outcome: 'unassigned', assignee_id: null }, differs: false })
})

test('the tally counts erased and manual leads separately and keeps offers', async () => {
  const claim = aRule({
    id: idOf(901),
    name: 'Pool',
    method: 'first_to_claim',
    pool: poolOfMembers(one, two),
    conditions: { field: 'source', operator: 'eq', value: 'Partner' },
  })
  const set = rulesOf(claim, aRule({ name: 'Rest', method: 'direct', pool: poolOfMembers(two) }))
  const mine = { ...emptyPool, outcome: 'assigned' as const, assignee_id: one }
  const decisions = [
    past({ facts: someFacts({ source: 'Partner' }), was: { ...emptyPool, outcome: 'offered' } }),
    past({ was: mine }),
    past({ was: { ...mine, assignee_id: two } }),
    past({ facts: null, was: mine }),
    past({ facts: null, by_hand: true, was: { ...mine, rule_id: null } }),
  ]
  const tally = openTally()
  for (const replayed of await all(decisions, set, agents(2))) tally.add(replayed)
  expect(tally.result()).toEqual({
    total: 5,
    differ: 1,
    erased: 1,
    by_hand: 1,
    outcomes: {
      assigned: { was: 2, would_be: 2 },
      offered: { was: 1, would_be: 1 },
      pond: { was: 0, would_be: 0 },
      held: { was: 0, would_be: 0 },
      unassigned: { was: 0, would_be: 0 },
    },
    members: [
      { member_id: two, was: 1, would_be: 2 },
      { member_id: one, was: 1, would_be: 0 },
    ],
    rules: [
      { rule_id: idOf(900_000), name: 'Rest', was: 0, would_be: 2 },
      { rule_id: idOf(901), name: 'Pool', was: 0, would_be: 1 },
      { rule_id: 'default', name: 'Round robin', was: 3, would_be: 0 },
    ],
  })
})

test('replaying the original rules gives the original results, and reads lazily', async () => {
  const moment = fc.tuple(facts, moments)
  const inputs = fc.tuple(ruleSets, someAgents, fc.array(moment, { maxLength: 12 }))
  await fc.assert(
    fc.asyncProperty(inputs, async ([set, people, leads]) => {
      const begun = people.map((agent) => ({ ...agent, open: 0, last_assigned_at: null, recent: [] }))
      const decisions = live(
        set,
        begun,
        leads.toSorted(([, a], [, b]) => a.getTime() - b.getTime()),
      )
      const replayed = await all(decisions, set, people)
      expect(replayed.map(({ differs }) => differs)).toEqual(decisions.map(() => false))
    }),
    { numRuns: 300 },
  )
  let read = 0
  function* endless() {
    for (;;) {
      read++
      yield past()
    }
  }
  const stream = backtest(endless(), compileRules(rulesOf()), agents(2))
  await stream.next()
  await stream.next()
  expect(read).toBe(2)
})

/** What a server would have decided for each lead in turn, up to the first lead that has to wait. */
function live(set: RuleSet, begun: readonly Agent[], leads: readonly [Facts, Date][]): PastDecision[] {
  const rules = compileRules(set)
  const cursors = new Map<string, Cursor>()
  let people = begun
  const decisions: PastDecision[] = []
  for (const [lead, at] of leads) {
    const decision = decideRoute({ facts: lead, rules, agents: people, cursors, at })
    const { outcome, assignee_id, matched_rule: rule } = decision
    if (outcome === 'held' || outcome === 'unassigned') return decisions
    cursors.set(rule.id, decision.cursor.after)
    const [ms, decided_at] = [at.getTime(), at.toISOString()]
    people = people.map((agent) =>
      agent.id === assignee_id
        ? { ...agent, open: agent.open + 1, last_assigned_at: ms, recent: [ms, ...agent.recent] }
        : agent,
    )
    const was = { outcome, assignee_id, rule_id: rule.id, rule_name: rule.name, decided_at }
    decisions.push(past({ facts: lead, decided_at, was }))
  }
  return decisions
}
