import { Compile } from 'typebox/compile'
import { describe, expect, test, vi } from 'vitest'
import { AppError } from '#kernel/errors.ts'
import { idOf } from '#test/support/routing.ts'
import { readRules } from './read-rules.ts'
import { RulesDocument } from './rule-schema.ts'

/** Issues by path. */
function issuesOf(document: unknown): Record<string, string> {
  try {
    readRules(document)
    return {}
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return Object.fromEntries((error.body.details ?? []).map(({ path, message }) => [path, message]))
  }
}

const plain = (more: object = {}) => ({
  name: 'Web',
  method: 'round_robin',
  pool: { everyone: true },
  ...more,
})
const one = (more: object) => issuesOf({ rules: [plain(more)] })

/** The message for an unknown name, with the suggestion and at least this of the list. */
const unknown = (what: string, meant: string, listed = meant) =>
  expect.stringMatching(
    new RegExp(`^is not a known ${what}; did you mean ${meant}\\? It is one of .*${listed}`),
  )

test('all issues are reported at once, with their paths and suggestions', () => {
  const issues = issuesOf({
    timezones: 'x',
    rules: [
      plain({ nmae: 'x', method: 'roundrobin', shedule: null, weights: { [idOf(1)]: -1 }, claim_seconds: 3 }),
      {
        method: 'weighted',
        pool: { member: [], everyone: 'yes' },
        fallback: [{}, { method: 'pond', member_id: idOf(1) }],
      },
      7,
      plain({
        name: '',
        conditions: {
          all: [
            { field: 'sorce', operator: 'eq', value: '1' },
            { field: 'zip', operator: 'equals', valu: 1 },
          ],
        },
        schedule: { from: '9:00', to: '24:00', days: ['mo', 'tue'], outside: 'wait' },
        caps: { perday: 1, open: 0 },
      }),
    ],
  })
  expect(issues).toEqual({
    timezones: unknown('field', 'timezone', 'version, timezone, default, rules'),
    'rules.0.nmae': unknown('field', 'name'),
    'rules.0.method': expect.stringMatching(/^must be one of direct, round_robin,/),
    'rules.0.shedule': unknown('field', 'schedule'),
    [`rules.0.weights.${idOf(1)}`]: 'must be at least 0',
    'rules.0.claim_seconds': 'must be at least 15',
    'rules.1.name': 'is required',
    'rules.1.pool.member': unknown('field', 'members'),
    'rules.1.pool.everyone': 'must be boolean',
    'rules.1.fallback.0': 'must not be empty',
    'rules.1.fallback.1': 'must have at most 1 of method, member_id',
    'rules.2': 'must be object',
    'rules.3.name': 'must not be empty',
    'rules.3.conditions.all.0.field': unknown('field', 'source'),
    'rules.3.conditions.all.1.valu': unknown('field', 'value'),
    'rules.3.conditions.all.1.operator': expect.stringMatching(
      /^is not a known operator; it is one of eq, neq/,
    ),
    'rules.3.schedule.from': 'must be a time of day, HH:MM',
    'rules.3.schedule.to': 'must be a time of day, HH:MM',
    'rules.3.schedule.days.0': expect.stringMatching(/^must be one of mon, tue/),
    'rules.3.schedule.outside': 'must be one of skip, hold',
    'rules.3.caps.perday': unknown('field', 'per_day'),
    'rules.3.caps.open': 'must be at least 1',
  })
})

describe('consistency of a rule:', () => {
  const [ann, bob] = [idOf(1), idOf(2)]

  test.for<[string, object, string, RegExp | string]>([
    [
      'an unknown time zone',
      { schedule: { from: '09:00', to: '10:00', timezone: 'America/Chcago' } },
      'schedule.timezone',
      'is not a known timezone; did you mean America/Chicago?',
    ],
    [
      'an offset',
      { schedule: { from: '09:00', to: '10:00', timezone: '-05:00' } },
      'schedule.timezone',
      /^is not a known timezone/,
    ],
    ['the pool is empty', { pool: { everyone: false, team_id: null } }, 'pool', /^must name members/],
    [
      'direct to several',
      { method: 'direct', pool: { members: [ann, bob] } },
      'pool',
      /^must be exactly one member/,
    ],
    [
      'direct to a team',
      { method: 'direct', pool: { members: [ann], team_id: bob } },
      'pool',
      /^must be exactly one member/,
    ],
    [
      'an offer that nothing follows',
      { method: 'first_to_claim' },
      'fallback',
      'must say what happens if the lead is not claimed',
    ],
    ['weights without a use', { weights: { [ann]: 1 } }, 'weights', /^require the method weighted/],
    [
      'weights of 0 alone',
      { method: 'weighted', pool: { members: [ann] }, weights: { [ann]: 0 } },
      'weights',
      'must not all be 0',
    ],
    [
      'weights of others',
      { method: 'weighted', pool: { members: [ann] }, weights: { [bob]: 1 } },
      `weights.${bob}`,
      'is not in the pool',
    ],
    [
      'something after a pond',
      { fallback: [{ method: 'pond' }, { member_id: ann }] },
      'fallback.1',
      /^is never reached/,
    ],
  ])('rejects (%s)', ([, more, place, message]) => {
    expect(one(more)).toEqual({
      [`rules.0.${place}`]: typeof message === 'string' ? message : expect.stringMatching(message),
    })
  })

  test('rejects duplicate names and ids', () => {
    expect(issuesOf({ rules: [plain({ id: ann }), plain({ name: 'Web ', id: ann })] })).toEqual({
      'rules.1.id': 'is the same as rules.0.id',
      'rules.1.name': 'is the same as rules.0.name',
    })
  })

  test('rejects an unknown time zone and settings that a default rule cannot have', () => {
    expect(
      issuesOf({ timezone: 'Mars', rules: [], default: { method: 'first_to_claim', pool: {}, priority: 1 } }),
    ).toEqual({
      timezone: 'is not a known timezone',
      'default.priority':
        'is not allowed in the default rule, which takes every lead that no other rule matches',
      'default.pool': expect.stringMatching(/^must name members/),
      'default.fallback': 'must say what happens if the lead is not claimed',
    })
  })

  test('accepts weights in a weighted fallback, a weight of 0 in a team, and fallbacks of a pond', () => {
    expect(one({ weights: { [ann]: 1 }, fallback: [{ method: 'weighted' }] })).toEqual({})
    expect(one({ method: 'weighted', pool: { team_id: bob }, weights: { [ann]: 0 } })).toEqual({})
    expect(one({ method: 'pond', fallback: [{ method: 'round_robin' }] })).toEqual({})
  })
})

test('invalid input of any kind yields issues, not other exceptions', () => {
  for (const input of [
    undefined,
    null,
    1,
    'x',
    [],
    {},
    { rules: {} },
    { rules: [null, []] },
    { rules: [], default: 1 },
  ]) {
    expect(Object.keys(issuesOf(input)).length, JSON.stringify(input)).toBeGreaterThan(0)
  }
  expect(issuesOf({ rules: Array.from({ length: 1001 }, (_, i) => plain({ name: `${i}` })) })).toEqual({
    rules: 'must have at most 1000 items',
  })
  expect(issuesOf({ rules: [plain({ name: 'a\u0000' })] })).toEqual({
    'rules.0.name': 'contains U+0000 at position 1 (counted from 0), which cannot be stored',
  })
})

describe('limits on the work per document:', () => {
  const rules = (more: (i: number) => object) => ({
    rules: Array.from({ length: 1000 }, (_, i) => plain({ name: `Rule ${i}`, ...more(i) })),
  })
  const hours = (timezone: string) => ({ schedule: { from: '09:00', to: '17:00', timezone } })
  const cased = (text: string, i: number) =>
    Array.from(text, (letter, at) => ((i >> at) & 1 ? letter.toUpperCase() : letter)).join('')

  test.for<[string, object]>([
    ['members', rules(() => ({ nmae: 'x' }))],
    ['time zones', rules((i) => hours(`Americ/Chi${i}`))],
    ['duplicate names', rules(() => ({ name: 'Web' }))],
    [
      'tests',
      { rules: [plain({ conditions: { all: Array.from({ length: 20_000 }, () => ({ fiel: 1 })) } })] },
    ],
    [
      'values',
      { rules: [plain({ conditions: { field: 'zip', operator: 'in', value: Array(1000).fill(1) } })] },
    ],
  ])('stops at 100 issues about %s', ([, document]) => {
    expect(Object.keys(issuesOf(document))).toHaveLength(100)
  })

  test.for<[string, object, number]>([
    ['that many rules share', rules(() => hours('america/chicago')), 1],
    ['in a thousand spellings', rules((i) => hours(cased('us/eastern', i))), 1],
    ['that do not exist', rules((i) => hours(`Americ/Chi${i}`)), 100],
  ])('looks up each time zone at most once: zones %s', ([, document, lookups]) => {
    using formats = vi.spyOn(Intl, 'DateTimeFormat')
    using lists = vi.spyOn(Intl, 'supportedValuesOf')
    issuesOf(document)
    expect(formats.mock.calls.length).toBeLessThanOrEqual(lookups)
    expect(lists).not.toHaveBeenCalled()
  })

  test('rejects a name that only looks like a time zone', () => {
    expect(one(hours('America/New_Yor\u212a'))).toHaveProperty(['rules.0.schedule.timezone'])
    expect(one(hours('US/Eastern'))).toEqual({})
    expect(one(hours('us/eastern\u0130'))).toHaveProperty(['rules.0.schedule.timezone'])
  })

  test('reports too many tests, however many other issues there are', () => {
    const conditions = { all: Array.from({ length: 20_000 }, () => ({ fiel: 1 })) }
    expect(one({ conditions })).toMatchObject({
      'rules.0.conditions': 'must have at most 100 tests; it has 20000',
    })
  })
})

test('the published schema agrees with the parser on shapes', () => {
  const published = Compile(RulesDocument)
  const sound = [
    ...((RulesDocument as { examples?: unknown[] }).examples ?? []),
    {
      rules: [
        plain({
          conditions: { any: [{ none: [{ field: 'context.a', operator: 'exists' }] }] },
          schedule: null,
        }),
      ],
    },
    { version: 0, rules: [], default: { method: 'pond', pool: { role: null, team_id: idOf(1) } } },
  ]
  for (const document of sound) {
    expect(issuesOf(document)).toEqual({})
    expect(published.Check(document)).toBe(true)
  }
  const shapeIssues: object[] = [
    { conditions: { al: [] } },
    { conditions: { any: [] } },
    { conditions: { all: [{ field: 'x', operator: 'eq' }] } },
    { conditions: { all: [], any: [] } },
    { schedule: { from: '9', to: '10:00' } },
    { fallback: [{}] },
    { pool: { members: ['x'] } },
    { priority: 0.5 },
    { caps: { open: 0 } },
    { weights: { [idOf(1)]: 'many' } },
  ]
  for (const more of shapeIssues) {
    expect(Object.keys(one(more)).length, JSON.stringify(more)).toBeGreaterThan(0)
    expect(published.Check({ rules: [plain(more)] }), JSON.stringify(more)).toBe(false)
  }
})
