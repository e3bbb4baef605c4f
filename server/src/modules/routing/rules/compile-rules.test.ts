import fc from 'fast-check'
import { expect, test } from 'vitest'
import { momentAt } from '#kernel/conditions/hours.ts'
import { facts, moments, ruleSets } from '#test/support/arbitrary-routing.ts'
import { aRule, idOf, rulesOf, someFacts } from '#test/support/routing.ts'
import { explain, winnerOf } from '../decide/decide-route.ts'
import { compileRules, possibleRules } from './compile-rules.ts'
import { holds } from './condition.ts'
import type { Condition, Rule } from './rule.ts'

const ruleNamed = (name: string, conditions: Condition, parts: Partial<Rule> = {}) =>
  aRule({ id: idOf(name.charCodeAt(0)), name, conditions, ...parts })

const zip = (value: string): Condition => ({ field: 'zip', operator: 'eq', value })
const source = (value: string): Condition => ({ field: 'source', operator: 'eq', value })

const tried = (rules: Rule[], ...[lead]: Parameters<typeof someFacts>) =>
  [...possibleRules(compileRules(rulesOf(...rules)), someFacts(lead))].map(({ rule }) => rule.name)

test('only rules that could match are tried, in order', () => {
  const rules = [
    ruleNamed('a', zip('60601')),
    ruleNamed('b', { all: [zip('60602'), { field: 'price', operator: 'gt', value: 1 }] }),
    ruleNamed('c', { all: [] }),
    ruleNamed('d', { none: [zip('60601')] }),
    ruleNamed('e', { field: 'tags', operator: 'has_any', value: ['VIP', 'Buyer'] }),
    ruleNamed('f', { any: [zip('60601'), source('web')] }),
    ruleNamed('g', { any: [zip('60602'), { field: 'price', operator: 'gt', value: 1 }] }),
    ruleNamed('h', zip('60601'), { enabled: false }),
  ]
  expect(tried(rules, { source: 'Fair', zip: '60601' })).toEqual(['a', 'c', 'd', 'f', 'g'])
  expect(tried(rules, { source: ' WEB ', zip: '60602' })).toEqual(['b', 'c', 'd', 'f', 'g'])
  expect(tried(rules, { source: 'Fair', tags: ['buyer', 'vip'] })).toEqual(['c', 'd', 'e', 'g'])
})

test('a rule is indexed by the value that the fewest rules share', () => {
  const rules = ['1', '2', '3', '4'].map((value) =>
    ruleNamed(value, { all: [source('Zillow'), { all: [zip(value)] }] }),
  )
  expect(tried(rules, { source: 'Zillow', zip: '3' })).toEqual(['3'])
  expect(tried(rules, { source: 'Zillow' })).toEqual([])
})

test('only one of a thousand rules by ZIP code is tried', () => {
  const rules = Array.from({ length: 1000 }, (_, i) =>
    aRule({ id: idOf(i), name: `Rule ${i}`, conditions: { all: [zip(`${i}`), source('Zillow')] } }),
  )
  expect(tried(rules, { source: 'Zillow', zip: '777' })).toEqual(['Rule 777'])
})

test('no matching rule is skipped', () => {
  let matched = 0
  fc.assert(
    fc.property(ruleSets, facts, moments, (set, lead, at) => {
      const rules = compileRules(set)
      const moment = momentAt(at, set.timezone)
      const winner = winnerOf(rules, lead, at)
      const first = explain(rules, lead, at).find((one) => one.matched)
      expect(winner.id).toBe(first?.rule_id ?? 'default')
      if (first !== undefined) matched++
      const possible = new Set([...possibleRules(rules, lead)].map(({ rule }) => rule.id))
      for (const { rule, condition } of rules.rules) {
        if (rule.enabled && holds(condition, lead, moment)) expect(possible).toContain(rule.id)
      }
      expect([...possible]).toEqual(set.rules.map(({ id }) => id).filter((id) => possible.has(id)))
    }),
    { numRuns: 1500 },
  )
  expect(matched).toBeGreaterThan(300)
})
