import fc from 'fast-check'
import { expect, test } from 'vitest'
import { momentAt } from '#kernel/conditions/hours.ts'
import { facts, moments, ruleSets, someAgents } from '#test/support/arbitrary-routing.ts'
import { frozen, idOf } from '#test/support/routing.ts'
import { compileRules } from '../rules/compile-rules.ts'
import type { RuleSet } from '../rules/rule.ts'
import { agentsNeeded, decideRoute, winnerOf } from './decide-route.ts'
import type { Agent, Cursor, Decision } from './decision.ts'
import { candidateOf, poolOf } from './eligibility.ts'

const cursors = fc
  .record(
    {
      after: fc.integer({ min: 1, max: 9 }).map(idOf),
      owed: fc.dictionary(
        fc.integer({ min: 1, max: 9 }).map(idOf),
        fc.double({ min: -1, max: 1, noNaN: true }),
      ),
      lately: fc.array(fc.integer({ min: 1, max: 9 }).map(idOf), { maxLength: 6 }),
    },
    { requiredKeys: [] },
  )
  .map((cursor) => cursor as Cursor)

const situations = fc.record({
  set: ruleSets,
  facts,
  agents: someAgents,
  cursor: cursors,
  at: moments,
  step: fc.nat({ max: 3 }),
})

const cursorsOf = (set: RuleSet, cursor: Cursor) =>
  new Map([...set.rules, set.default].map(({ id }) => [id, cursor]))

/** Whether an agent may get a lead under a decision’s own rule and method. */
const mayHave = (agent: Agent, set: RuleSet, { method, matched_rule }: Decision, at: Date): boolean => {
  const rule = [...set.rules, set.default].find(({ id }) => id === matched_rule.id) ?? set.default
  return candidateOf(agent, rule, method ?? 'direct', momentAt(at, set.timezone)).eligible
}

test('only eligible agents are assigned or offered a lead, and the inputs stay unchanged', () => {
  const seen = new Map<string, number>()
  fc.assert(
    fc.property(situations, ({ set, facts: lead, agents, cursor, at, step }) => {
      const rules = compileRules(frozen(set))
      const question = frozen({ facts: lead, agents, cursors: cursorsOf(set, cursor) })
      const resumed = step > 0 ? { rule: set.rules[0] ?? set.default, step } : {}
      const decision = decideRoute({ ...question, rules, at, ...resumed })
      seen.set(decision.outcome, (seen.get(decision.outcome) ?? 0) + 1)
      const chosen = [
        ...decision.offered_to,
        ...(decision.assignee_id === null ? [] : [decision.assignee_id]),
      ]
      for (const id of chosen) {
        const agent = agents.find((one) => one.id === id)
        expect(agent !== undefined && agent.active && mayHave(agent, set, decision, at)).toBe(true)
        expect(decision.candidates.find(({ member_id }) => member_id === id)?.eligible).toBe(true)
      }
      expect(chosen.length > 0).toBe(['assigned', 'offered', 'pond'].includes(decision.outcome))
      if (decision.outcome === 'assigned') {
        expect(decision.candidates.find(({ position }) => position === 1)?.member_id).toBe(
          decision.assignee_id,
        )
      }
      if (decision.outcome === 'held') expect(decision.until).toBeGreaterThan(at.getTime())
      expect(decision.cursor.before).toBe(cursor)
      expect(structuredClone(decision)).toEqual(decision)
    }),
    { numRuns: 1500 },
  )
  for (const outcome of ['assigned', 'offered', 'pond', 'held', 'unassigned']) {
    expect(seen.get(outcome), outcome).toBeGreaterThan(0)
  }
})

test('a lead is never left unassigned while the pool of its rule has an eligible agent', () => {
  let judged = 0
  fc.assert(
    fc.property(situations, ({ set, facts: lead, agents, cursor, at }) => {
      const decision = decideRoute({
        rules: compileRules(set),
        facts: lead,
        agents,
        cursors: cursorsOf(set, cursor),
        at,
      })
      if (decision.outcome !== 'unassigned') return
      const rule = winnerOf(compileRules(set), lead, at)
      if (rule.method === 'sticky' || rule.method === 'direct') return
      const moment = momentAt(at, set.timezone)
      for (const agent of poolOf(rule, agents)) {
        judged += 1
        expect(candidateOf(agent, rule, rule.method, moment).eligible).toBe(false)
      }
    }),
    { numRuns: 800 },
  )
  expect(judged).toBeGreaterThan(50)
})

test('`agentsNeeded` covers every agent that a decision depends on, in any order', () => {
  fc.assert(
    fc.property(situations, ({ set, facts: lead, agents, cursor, at }) => {
      const rules = compileRules(set)
      const question = { rules, facts: lead, cursors: cursorsOf(set, cursor), at }
      const needed = agentsNeeded(winnerOf(rules, lead, at), lead)
      const loaded = agents.filter(
        ({ id, team_ids, office_id, role }) =>
          needed.everyone ||
          needed.members.includes(id) ||
          (needed.team_id !== null && team_ids.includes(needed.team_id)) ||
          (needed.office_id !== null && needed.office_id === office_id) ||
          needed.role === role,
      )
      const decision = decideRoute({ ...question, agents })
      expect(decideRoute({ ...question, agents: loaded })).toEqual(decision)
      expect(decideRoute({ ...question, agents: agents.toReversed() })).toEqual(decision)
    }),
    { numRuns: 800 },
  )
})
