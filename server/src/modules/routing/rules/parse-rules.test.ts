import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppError } from '#kernel/errors.ts'
import { ruleSets } from '#test/support/arbitrary-routing.ts'
import { idOf } from '#test/support/routing.ts'
import { builtInRules, exportRules, parseRules } from './parse-rules.ts'
import { readRules } from './read-rules.ts'
import { referencesOf } from './rule-references.ts'
import type { RulesDocument } from './rule-schema.ts'
import type { Rule, RuleSet } from './rule.ts'

const at = new Date('2026-03-02T15:15:00Z')
const parse = (document: unknown, previous: RuleSet = builtInRules) =>
  parseRules(readRules(document), previous, at)

const plain = (name: string, more: object = {}) => ({
  name,
  method: 'round_robin',
  pool: { everyone: true },
  ...more,
})

describe('a document becomes rules', () => {
  test('with defaults for what it leaves out', () => {
    const { rules, ...set } = parse({ rules: [plain(' Web ')] })
    expect(set).toEqual({ version: 1, timezone: 'America/New_York', default: builtInRules.default })
    expect(rules).toEqual([
      {
        id: expect.stringMatching(/^c[a-z0-9]{24}$/),
        version: 1,
        name: 'Web',
        enabled: true,
        priority: 100,
        conditions: { all: [] },
        schedule: null,
        method: 'round_robin',
        pool: { members: [], team_id: null, office_id: null, role: null, everyone: true },
        weights: {},
        caps: { open: null, per_hour: null, per_day: null },
        sticky: { existing_owner: false },
        claim_seconds: 300,
        on_match: { tags: [] },
        fallback: [],
      },
    ])
  })

  test('ordered by priority and age, new rules in the order of the document', () => {
    const first = parse({ rules: [plain('b'), plain('a'), plain('c', { priority: 1 })] })
    expect(first.rules.map(({ name }) => name)).toEqual(['c', 'b', 'a'])
    const second = parse({ rules: [plain('new'), plain('a'), plain('b')] }, first)
    expect(second.rules.map(({ name }) => name)).toEqual(['b', 'a', 'new'])
  })

  test('with hours in its time zone, on all days by default', () => {
    const schedule = { from: '09:00', to: '17:00' }
    const { rules } = parse({
      timezone: 'America/Chicago',
      rules: [
        plain('a', { schedule }),
        plain('b', {
          schedule: {
            ...schedule,
            days: ['sun', 'mon', 'sun'],
            timezone: 'America/Phoenix',
            outside: 'hold',
          },
        }),
      ],
    })
    expect(rules.map((rule) => rule.schedule)).toEqual([
      {
        ...schedule,
        days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
        timezone: 'America/Chicago',
        outside: 'skip',
      },
      { ...schedule, days: ['mon', 'sun'], timezone: 'America/Phoenix', outside: 'hold' },
    ])
  })

  test('with its own default rule or the built-in one', () => {
    const own = parse({ rules: [], default: { method: 'pond', pool: { role: 'agent' } } })
    expect(own.default).toMatchObject({
      id: 'default',
      version: 2,
      name: 'Default rule',
      method: 'pond',
      sticky: { existing_owner: false },
    })
    expect(parse({ rules: [] }, own).default).toEqual({ ...builtInRules.default, version: 3 })
  })
})

describe('an existing rule is matched', () => {
  const before = parse({ rules: [plain('a'), plain('b')] })
  const [a, b] = before.rules
  const after = (...rules: object[]) =>
    parse({ rules }, before).rules.map(({ id, version, name }) => ({ id, version, name }))

  test('by its name, and keeps its version if nothing changes', () => {
    expect(after(plain('a'), plain('b'))).toEqual([
      { id: a?.id, version: 1, name: 'a' },
      { id: b?.id, version: 1, name: 'b' },
    ])
  })

  test('by its id under another name, and its version increases', () => {
    expect(after(plain('c', { id: a?.id }), plain('b', { priority: 101 }))).toEqual([
      { id: a?.id, version: 2, name: 'c' },
      { id: b?.id, version: 2, name: 'b' },
    ])
  })

  test('by its id first: two rules can swap names', () => {
    expect(after(plain('b', { id: a?.id }), plain('a', { id: b?.id }))).toMatchObject([
      { id: a?.id, name: 'b' },
      { id: b?.id, name: 'a' },
    ])
    expect(after(plain('c', { id: a?.id }), plain('a'))[1]?.id).not.toBe(a?.id)
  })

  test('or is new and gets its own id, whatever id it came with', () => {
    const [rule] = after(plain('x', { id: idOf(5) }))
    expect(rule).toMatchObject({ version: 1, name: 'x' })
    expect([idOf(5), a?.id, b?.id]).not.toContain(rule?.id)
  })
})

test('a document based on another version is rejected; one without a version replaces any', () => {
  const first = parse({ rules: [] })
  expect(parse({ version: 1, rules: [] }, first).version).toBe(2)
  expect(parse({ rules: [] }, first).version).toBe(2)
  const rejected = (() => {
    try {
      return parse({ version: 0, rules: [] }, first)
    } catch (error) {
      return error
    }
  })()
  expect(rejected).toBeInstanceOf(AppError)
  expect(rejected).toMatchObject({
    code: 'conflict',
    status: 409,
    message: 'The rules have changed in the meantime. The current version is 1.',
  })
})

const full: RulesDocument = {
  timezone: 'America/Chicago',
  default: { name: 'Everyone else', method: 'pond', pool: { role: 'agent' }, on_match: { tags: ['pond'] } },
  rules: [
    {
      name: 'Weighted',
      priority: 5,
      conditions: {
        all: [
          { field: 'team_id', operator: 'in', value: [idOf(11)] },
          { any: [{ field: 'office_id', operator: 'neq', value: idOf(21) }] },
        ],
      },
      schedule: { days: ['mon'], from: '22:00', to: '06:00', timezone: 'America/Phoenix', outside: 'hold' },
      method: 'weighted',
      pool: { team_id: idOf(11), office_id: idOf(21), members: [idOf(1)] },
      weights: { [idOf(1)]: 3 },
      caps: { per_day: 4 },
      sticky: { existing_owner: true },
      fallback: [{ method: 'least_loaded' }, { member_id: idOf(2) }],
    },
    {
      name: 'Off',
      enabled: false,
      method: 'first_to_claim',
      claim_seconds: 60,
      pool: { everyone: true },
      fallback: [{ method: 'pond' }],
    },
  ],
}

test('an export restores the same rules and leaves out defaults', () => {
  const set = parse(full)
  const document = exportRules(set)
  expect(parse(document, set)).toEqual({ ...set, version: 2 })
  expect(parse(JSON.parse(JSON.stringify(document)), set)).toEqual({ ...set, version: 2 })
  expect(document).toEqual({
    version: 1,
    ...full,
    rules: full.rules.map((rule, i) => ({ id: set.rules[i]?.id, ...rule })),
  })
  expect(parse(exportRules(builtInRules))).toEqual({ ...builtInRules, version: 1 })
})

test('an export of arbitrary rules restores them', () => {
  let compared = 0
  const isAccepted = (rule: Rule) => {
    try {
      return readRules({ rules: exportRules({ ...builtInRules, rules: [rule] }).rules }).rules.length === 1
    } catch {
      return false
    }
  }
  fc.assert(
    fc.property(ruleSets, ({ rules, timezone }) => {
      const stored: Rule[] = JSON.parse(JSON.stringify(rules.filter(isAccepted)))
      const set = { ...builtInRules, version: 7, timezone, rules: stored }
      compared += set.rules.length
      const written: unknown = JSON.parse(JSON.stringify(exportRules(set)))
      expect(parse(written, set)).toEqual({ ...set, version: 8 })
    }),
    { numRuns: 150 },
  )
  // A low bound that random variation does not reach: about 185 rules are accepted.
  expect(compared).toBeGreaterThan(40)
})

test('references are listed with their paths', () => {
  expect(referencesOf(full).map(({ path, kind, id }) => `${path} ${kind} ${Number(id.slice(1))}`)).toEqual([
    'rules.0.conditions.all.0.value.0 team 11',
    'rules.0.conditions.all.1.any.0.value office 21',
    'rules.0.pool.members.0 member 1',
    'rules.0.pool.team_id team 11',
    'rules.0.pool.office_id office 21',
    `rules.0.weights.${idOf(1)} member 1`,
    'rules.0.fallback.1.member_id member 2',
  ])
  expect(referencesOf(parse(full))).toHaveLength(7)
})
