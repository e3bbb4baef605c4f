import type { Agent } from '@gable/server/src/modules/routing/decide/decision.ts'
import type { Facts } from '@gable/server/src/modules/routing/rules/facts.ts'
import { builtInRules } from '@gable/server/src/modules/routing/rules/parse-rules.ts'
import {
  type Condition,
  type RoutingMethod,
  type Pool,
  type Rule,
  type RuleSet,
  weekdays,
} from '@gable/server/src/modules/routing/rules/rule.ts'
import { seededRandom } from '@gable/server/src/seed/random.ts'

const idOf = (number: number) => `c${String(number).padStart(24, '0')}`

/** The number of rules that name each ZIP code. */
const rulesPerZip = 3
/** The number of rules that name no value by which they could be looked up. */
const unanchoredRules = 10
const teams = 10

const routingMethods: readonly RoutingMethod[] = [
  'round_robin',
  'weighted',
  'least_recently_assigned',
  'least_loaded',
]
const sources = ['Zillow', 'Web', 'Open house', 'Referral']

const emptyPool: Pool = { ...builtInRules.default.pool, everyone: false }

/**
 * Makes `count` rules for these agents, who are in ten teams. Whatever the number of rules, three of them name a
 * lead's ZIP code, and ten name no value and must be tried for every lead. So only the number of rules that cannot
 * match grows.
 */
export function someRules(count: number, agents: readonly Agent[]): RuleSet {
  const rules = Array.from({ length: count }, (_, i): Rule => {
    const isUnanchored = i % Math.ceil(count / unanchoredRules) === 0
    return {
      ...builtInRules.default,
      id: idOf(10_000 + i),
      name: `Rule ${i}`,
      priority: 100,
      conditions: isUnanchored
        ? above(3_000_000 + i)
        : inZip(zipOf(i % zipCount(count)), sources[i % 4] ?? ''),
      schedule: isUnanchored
        ? { days: [...weekdays], from: '08:00', to: '20:00', timezone: 'America/Chicago', outside: 'skip' }
        : null,
      method: routingMethods[i % routingMethods.length] ?? 'round_robin',
      pool: { ...emptyPool, team_id: idOf(i % teams) },
      weights: Object.fromEntries(agents.map(({ id }, at) => [id, 1 + (at % 5)])),
      caps: { open: null, per_hour: 30, per_day: 100 },
      fallback: [{ method: 'pond' }],
    }
  })
  return { ...builtInRules, version: 1, timezone: 'America/Chicago', rules }
}

const zipCount = (rules: number) => Math.floor(rules / rulesPerZip)
const zipOf = (number: number) => String(10_000 + number)

const above = (price: number): Condition => ({ all: [{ field: 'price', operator: 'gt', value: price }] })

const inZip = (zip: string, source: string): Condition => ({
  all: [
    { field: 'zip', operator: 'in', value: [zip, zip.replace('1', '9')] },
    { field: 'price', operator: 'between', value: [200_000, 2_000_000] },
    {
      any: [
        { field: 'source', operator: 'eq', value: source },
        { field: 'tags', operator: 'has_any', value: ['vip'] },
      ],
    },
  ],
})

export const someAgents = (count: number): Agent[] =>
  Array.from({ length: count }, (_, i) => ({
    id: idOf(i),
    role: 'agent',
    works_leads: true,
    active: i % 20 !== 0,
    office_id: null,
    team_ids: [idOf(i % teams)],
    paused_until: null,
    shifts: [{ days: [...weekdays], from: '07:00', to: '21:00' }],
    timezone: i % 2 === 0 ? 'America/Chicago' : 'America/New_York',
    open: i % 7,
    last_assigned_at: null,
    recent: [],
  }))

/** The same leads for the same number of rules. */
export function someLeads(count: number, rules: number): Facts[] {
  const random = seededRandom(7)
  return Array.from({ length: count }, () => ({
    source: random.pick(sources),
    tags: random.sample(['vip', 'buyer', 'seller', 'cash'], random.integer(0, 3)),
    zip: zipOf(random.integer(0, zipCount(rules) - 1)),
    city: 'Chicago',
    state: 'IL',
    area_code: '312',
    stage: 'LEAD',
    price: random.integer(100_000, 2_100_000),
    has_phone: true,
    has_email: random.chance(0.5),
    context: { form: { kind: 'valuation' } },
    owner_id: null,
  }))
}
