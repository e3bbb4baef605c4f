import { describe, expect, test } from 'vitest'
import {
  aRule,
  agents,
  decide,
  idOf,
  mondayMorning,
  poolOfMembers,
  rulesOf,
  someFacts,
} from '#test/support/routing.ts'
import { compileRules } from '../rules/compile-rules.ts'
import { builtInRules } from '../rules/parse-rules.ts'
import type { Rule } from '../rules/rule.ts'
import { agentsNeeded, explain, previewReason } from './decide-route.ts'

const at = mondayMorning
const [ann, bob, cid] = [1, 2, 3].map(idOf)

describe('rule selection', () => {
  const zipRule = (number: number, parts: Partial<Rule> = {}) =>
    aRule({
      id: idOf(1000 + number),
      name: `Rule ${number}`,
      conditions: { field: 'zip', operator: 'eq', value: '60614' },
      ...parts,
    })

  test('the first match decides, even if it finds no agent', () => {
    const rules = rulesOf(zipRule(1, { pool: poolOfMembers(idOf(99)) }), zipRule(2))
    expect(decide(rules, agents(3), { lead: { zip: '60614' } })).toMatchObject({
      outcome: 'unassigned',
      matched_rule: { id: idOf(1001), name: 'Rule 1' },
      method: null,
      assignee_id: null,
      fallback_used: ['round_robin: the pool is empty'],
      reason: '“Rule 1” matched (round_robin: the pool is empty), but no member can take the lead now.',
    })
  })

  test('disabled rules are skipped, and the default rule takes the rest', () => {
    const rules = rulesOf(zipRule(1, { enabled: false }), zipRule(2))
    expect(decide(rules, agents(3), { lead: { zip: '60614' } }).matched_rule.id).toBe(idOf(1002))
    expect(decide(rules)).toMatchObject({
      matched_rule: { id: 'default' },
      assignee_id: ann,
      reason: `No rule matched, so the default rule decides, and it is the turn of member ${ann}.`,
    })
  })

  test('the built-in rules are round robin, contact owners first', () => {
    const [first, second] = [
      decide(builtInRules),
      decide(builtInRules, agents(3), { cursors: new Map([['default', { after: ann ?? '' }]]) }),
    ]
    expect([first.assignee_id, second.assignee_id]).toEqual([ann, bob])
    expect(decide(builtInRules, agents(3), { lead: { owner_id: cid ?? null } })).toMatchObject({
      assignee_id: cid,
      method: 'sticky',
      cursor: { before: {}, after: {} },
    })
  })

  test('outside its hours a rule is skipped or holds the lead', () => {
    const schedule = { days: ['mon' as const], from: '12:00', to: '13:00', timezone: 'America/New_York' }
    expect(decide({ schedule: { ...schedule, outside: 'skip' } }).matched_rule.id).toBe('default')
    expect(decide({ name: 'Noon', schedule: { ...schedule, outside: 'hold' } })).toMatchObject({
      outcome: 'held',
      method: null,
      candidates: [],
      until: Date.parse('2026-03-02T17:00:00Z'),
      reason: '“Noon” matched, and keeps the lead until its hours begin at 2026-03-02T17:00:00.000Z.',
    })
    const noon = new Date('2026-03-02T17:00:00Z')
    expect(decide({ schedule: { ...schedule, outside: 'hold' } }, agents(3), { at: noon })).toMatchObject({
      outcome: 'assigned',
    })
  })

  test('every rule is explained with its failing conditions', () => {
    const schedule = {
      days: ['tue' as const],
      from: '12:00',
      to: '13:00',
      timezone: 'America/Chicago',
      outside: 'skip' as const,
    }
    const rules = rulesOf(zipRule(1, { enabled: false }), zipRule(2, { schedule }), zipRule(3), zipRule(4))
    const considered = explain(compileRules(rules), someFacts({ zip: '60614' }), at)
    expect(considered.map(({ matched }) => matched)).toEqual([false, false, true, true])
    expect(considered[0]?.failing_conditions).toEqual([
      { field: 'enabled', operator: 'eq', expected: true, actual: false },
    ])
    expect(considered[1]?.failing_conditions).toEqual([
      {
        field: 'schedule',
        operator: 'time_between',
        expected: { days: ['tue'], from: '12:00', to: '13:00', timezone: 'America/Chicago' },
        actual: 'mon 09:15',
      },
    ])
  })
})

test('a preview of a rotation says that the live pick may differ', () => {
  expect(previewReason(decide({}))).toMatch(/turn of member .* The live pick may differ/)
  const direct = decide({ method: 'direct', pool: poolOfMembers(ann ?? '') })
  expect(previewReason(direct)).toBe(direct.reason)
})

test('agentsNeeded lists the agents of the pool, the fallbacks, and the contact', () => {
  const rule = aRule({
    pool: { ...poolOfMembers(ann ?? ''), team_id: idOf(7) },
    fallback: [{ member_id: bob ?? '' }, { method: 'pond' }],
  })
  expect(agentsNeeded(rule, someFacts({ owner_id: cid ?? '' }))).toEqual({
    members: [ann, bob, cid],
    team_id: idOf(7),
    office_id: null,
    role: null,
    everyone: false,
  })
})
