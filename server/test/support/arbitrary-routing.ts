import fc from 'fast-check'
import type { Agent } from '../../src/modules/routing/decide/decision.ts'
import type { Facts } from '../../src/modules/routing/rules/facts.ts'
import {
  type Condition,
  type Fallback,
  type Hours,
  type Pool,
  type Rule,
  type RuleSet,
  type Test,
  weekdays,
} from '../../src/modules/routing/rules/rule.ts'
import { roles } from '../../src/modules/workspaces/public.ts'
import { everyone, idOf, poolOfMembers } from './routing.ts'

const sources = ['Web', 'web ', 'Zillow', 'Café', 'cafe']
const zips = ['60601', '60602', '60614']
const tagNames = ['buyer', 'Seller', 'VIP', 'vip']
const teams = [idOf(101), idOf(102)]

const list = (values: readonly unknown[]) => fc.subarray([...values], { minLength: 1 })

/** Tests with few distinct values, so that they often pass, often fail, and overlap. */
const tests: fc.Arbitrary<Test> = fc.oneof(
  fc.record({
    field: fc.constant('source' as const),
    operator: fc.constantFrom('eq', 'neq', 'contains', 'starts_with'),
    value: fc.constantFrom(...sources),
  }),
  fc.record({
    field: fc.constant('zip' as const),
    operator: fc.constantFrom('in', 'not_in'),
    value: list(zips),
  }),
  fc.record({
    field: fc.constant('tags' as const),
    operator: fc.constantFrom('has_any', 'has_all', 'has_none'),
    value: list(tagNames),
  }),
  fc.record({
    field: fc.constant('price' as const),
    operator: fc.constantFrom('gt', 'gte', 'lt', 'lte', 'eq', 'neq'),
    value: fc.constantFrom(100, 200, 300),
  }),
  fc.constant({ field: 'price', operator: 'between', value: [100, 200] } as const),
  fc.record({
    field: fc.constantFrom('stage', 'team_id', 'tags', 'has_phone', 'context.form'),
    operator: fc.constantFrom('exists', 'not_exists'),
  }),
  fc.record({
    field: fc.constant('team_id' as const),
    operator: fc.constantFrom('eq', 'neq'),
    value: fc.constantFrom(...teams),
  }),
  fc.constant({ field: 'has_phone', operator: 'eq', value: true } as const),
  fc.constant({ field: 'time', operator: 'time_between', value: ['09:00', '18:00'] } as const),
  fc.record({
    field: fc.constant('context.form.kind' as const),
    operator: fc.constantFrom('eq', 'neq', 'has_any', 'contains'),
    value: fc.constantFrom('valuation', '300'),
  }),
)

/** Conditions without empty groups, which the parser rejects. */
export const conditions: fc.Arbitrary<Condition> = fc.letrec<{ condition: Condition }>((tie) => {
  const parts = fc.array(tie('condition'), { minLength: 1, maxLength: 3 })
  return {
    condition: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      { weight: 3, arbitrary: tests },
      { weight: 2, arbitrary: fc.record({ all: parts }) },
      { weight: 1, arbitrary: fc.record({ any: parts }) },
      { weight: 1, arbitrary: fc.record({ none: parts }) },
    ),
  }
}).condition

const optional = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined })

/** The value without its undefined members. */
const said = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T

export const facts: fc.Arbitrary<Facts> = fc
  .record({
    source: fc.constantFrom(...sources, 'Other'),
    stage: optional(['LEAD', 'NURTURE']),
    tags: fc.subarray(tagNames),
    zip: optional([...zips, '99999']),
    price: optional([50, 100, 150, 200, 400]),
    has_phone: optional([true, false]),
    team_id: optional(teams),
    context: fc.constantFrom({}, { form: { kind: 'Valuation' } }, { form: { kind: ['valuation', 300] } }),
    owner_id: fc.constantFrom(null, ...Array.from({ length: 8 }, (_, i) => idOf(i + 1))),
  })
  .map((value) => said(value) as Facts)

const time = fc.constantFrom('00:00', '06:30', '09:00', '18:00', '22:15')
const hours: fc.Arbitrary<Hours> = fc.record({
  days: fc.subarray([...weekdays], { minLength: 1 }),
  from: time,
  to: time,
})
const timezones = fc.constantFrom('America/Chicago', 'America/Phoenix')

/** Times in the first ten days of March 2026. Daylight saving time starts on the 8th. */
export const moments = fc
  .integer({ min: Date.UTC(2026, 2, 1), max: Date.UTC(2026, 2, 11) })
  .map((ms) => new Date(ms))

export const someAgents: fc.Arbitrary<Agent[]> = fc
  .array(
    fc.record({
      role: fc.constantFrom(...roles),
      works_leads: fc.boolean(),
      active: fc.constantFrom(true, true, true, false),
      office_id: fc.constantFrom(null, idOf(201)),
      team_ids: fc.subarray(teams),
      paused_until: fc.constantFrom(null, null, null, Infinity, Date.UTC(2026, 2, 5)),
      shifts: fc.oneof(fc.constant([]), fc.array(hours, { minLength: 1, maxLength: 2 })),
      timezone: fc.option(timezones),
      open: fc.nat({ max: 4 }),
      last_assigned_at: fc.option(fc.integer({ min: Date.UTC(2026, 1, 1), max: Date.UTC(2026, 2, 1) })),
      recent: fc.array(fc.integer({ min: Date.UTC(2026, 2, 1), max: Date.UTC(2026, 2, 11) }), {
        maxLength: 4,
      }),
    }),
    { maxLength: 8 },
  )
  .map((all) => all.map((one, i) => ({ ...one, id: idOf(i + 1), recent: one.recent.sort((a, b) => b - a) })))

const member = fc.integer({ min: 1, max: 9 }).map(idOf)

const fallbacks: fc.Arbitrary<Fallback> = fc.oneof(
  fc.record({
    method: fc.constantFrom(
      'round_robin',
      'weighted',
      'least_recently_assigned',
      'least_loaded',
      'sticky',
      'pond',
    ),
  }),
  fc.record({ member_id: member }),
)

const cap = fc.option(fc.integer({ min: 1, max: 3 }), { freq: 2 })

const rules: fc.Arbitrary<Rule> = fc.record({
  id: fc.constant(''),
  version: fc.integer({ min: 1, max: 9 }),
  name: fc.constant(''),
  enabled: fc.constantFrom(true, true, true, false),
  priority: fc.constantFrom(10, 20, 30),
  conditions: fc.oneof(fc.constant<Condition>({ all: [] }), conditions, conditions, conditions),
  schedule: fc.option(
    fc
      .tuple(hours, timezones, fc.constantFrom('skip', 'hold'))
      .map(([spans, timezone, outside]) => ({ ...spans, timezone, outside }) as const),
    { freq: 2 },
  ),
  method: fc.constantFrom(
    'round_robin',
    'weighted',
    'least_recently_assigned',
    'least_loaded',
    'direct',
    'sticky',
    'first_to_claim',
    'pond',
  ),
  pool: fc.oneof(
    fc.constant(everyone),
    fc.uniqueArray(member, { minLength: 1, maxLength: 5 }).map((ids) => poolOfMembers(...ids)),
    fc.constantFrom(...teams).map((team_id): Pool => ({ ...poolOfMembers(), team_id })),
    fc.constant<Pool>({ ...poolOfMembers(), role: 'agent', office_id: idOf(201) }),
  ),
  weights: fc.dictionary(member, fc.nat({ max: 3 }), { maxKeys: 4 }),
  caps: fc.record({ open: cap, per_hour: cap, per_day: cap }),
  sticky: fc.record({ existing_owner: fc.boolean() }),
  claim_seconds: fc.constant(300),
  on_match: fc.record({ tags: fc.subarray(['routed', 'fast']) }),
  fallback: fc.array(fallbacks, { maxLength: 3 }),
})

/** Rule sets whose rules are in the order in which they are tried. */
export const ruleSets: fc.Arbitrary<RuleSet> = fc
  .tuple(fc.array(rules, { maxLength: 12 }), rules, timezones)
  .map(([all, fallback, timezone]) => ({
    version: 3,
    timezone,
    rules: all
      .map((rule, i) => ({ ...rule, id: idOf(1000 + i), name: `Rule ${i}` }))
      .sort((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1)),
    default: { ...fallback, id: 'default', enabled: true, conditions: { all: [] }, schedule: null },
  }))
