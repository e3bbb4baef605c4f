import { describe, expect, test } from 'vitest'
import { conditionIssues } from './condition-issues.ts'

/** Issues by path. */
const asked = (condition: unknown) =>
  Object.fromEntries(
    conditionIssues(condition, 'it').map(({ path, message }) => [path.replace(/^it\./, ''), message]),
  )

describe('a test of a lead', () => {
  test.for<[string, object, string, RegExp | string]>([
    [
      'price, text',
      { field: 'price', operator: 'contains', value: '1' },
      'operator',
      /^is not allowed for price, which takes eq,/,
    ],
    ['text, number', { field: 'source', operator: 'gt', value: 1 }, 'operator', /^is not allowed for source/],
    [
      'tags',
      { field: 'tags', operator: 'eq', value: 'vip' },
      'operator',
      /which takes has_any, has_all, has_none/,
    ],
    [
      'time',
      { field: 'time', operator: 'between', value: ['09:00', '10:00'] },
      'operator',
      'is not allowed for time, which takes time_between',
    ],
    [
      'context',
      { field: 'context.x', operator: 'time_between', value: ['09:00', '10:00'] },
      'operator',
      /^is not allowed for context.x/,
    ],
    [
      'truth',
      { field: 'has_phone', operator: 'gt', value: true },
      'operator',
      /which takes eq, neq, exists, not_exists/,
    ],
    ['no value', { field: 'zip', operator: 'eq' }, 'value', 'is required'],
    [
      'value beside exists',
      { field: 'zip', operator: 'exists', value: true },
      'value',
      'is not allowed with exists',
    ],
    ['a number for a text', { field: 'zip', operator: 'eq', value: 60614 }, 'value', 'must be string'],
    ['a text for a number', { field: 'price', operator: 'gt', value: '5' }, 'value', 'must be number'],
    ['a text for a truth', { field: 'has_phone', operator: 'eq', value: 'yes' }, 'value', 'must be boolean'],
    ['a text for a list', { field: 'zip', operator: 'in', value: '60614' }, 'value', 'must be array'],
    ['an empty list', { field: 'zip', operator: 'in', value: [] }, 'value', 'must not be empty'],
    [
      'a long list',
      { field: 'zip', operator: 'in', value: Array.from({ length: 1001 }, () => 'x') },
      'value',
      'must have at most 1000 items',
    ],
    ['a bad item', { field: 'tags', operator: 'has_any', value: ['a', ' '] }, 'value.1', 'must not be empty'],
    [
      'between, backwards',
      { field: 'price', operator: 'between', value: [2, 1] },
      'value',
      'must be in ascending order',
    ],
    [
      'between, one',
      { field: 'price', operator: 'between', value: [2] },
      'value',
      'must have 2 items: from and to',
    ],
    [
      'no time',
      { field: 'time', operator: 'time_between', value: ['09:00', '25:00'] },
      'value.1',
      'must be a time of day, HH:MM',
    ],
    [
      'a list for one',
      { field: 'context.x', operator: 'eq', value: ['a'] },
      'value',
      'must be string, number or boolean',
    ],
    [
      'no such stage',
      { field: 'stage', operator: 'eq', value: 'HOTLEAD' },
      'value',
      /did you mean HOT_LEAD\?/,
    ],
    [
      'no such consent',
      { field: 'consent_status', operator: 'in', value: ['ok'] },
      'value.0',
      /one of none, insufficient, sufficient/,
    ],
    ['context alone', { field: 'context', operator: 'exists' }, 'field', /did you mean context\.…\?/],
    ['an empty path', { field: 'context.a..b', operator: 'exists' }, 'field', /did you mean context\.a\.b\?/],
    [
      'beside a group',
      { any: [{ field: 'zip', operator: 'exists' }], field: 'zip' },
      'field',
      'is not allowed beside any',
    ],
  ])('rejects %s', ([, condition, place, message]) => {
    expect(asked(condition)).toEqual({
      [place]: typeof message === 'string' ? message : expect.stringMatching(message),
    })
  })

  test.for<[string, string, unknown?]>([
    ['context.a.b', 'gte', 5],
    ['context.a', 'between', [1, 1]],
    ['context.a', 'contains', true],
    ['context.a', 'has_all', [1, 'x', false]],
    ['stage', 'eq', 'hot_lead'],
    ['stage', 'starts_with', 'HOT'],
    ['price', 'not_in', [1]],
    ['tags', 'not_exists'],
    ['time', 'time_between', ['22:00', '06:00']],
  ])('accepts %s %s %j', ([field, operator, value]) => {
    expect(asked({ field, operator, ...(value === undefined ? {} : { value }) })).toEqual({})
  })

  test('allows 8 levels, 100 tests, and no empty group except a top-level `all`', () => {
    const zip = { field: 'zip', operator: 'exists' }
    const nested = (depth: number): object => (depth === 0 ? zip : { all: [nested(depth - 1)] })
    expect(asked(nested(8))).toEqual({})
    expect(Object.values(asked(nested(9)))).toEqual(['is nested more than 8 levels deep'])
    expect(Object.values(asked(nested(40)))).toHaveLength(1)
    expect(asked({ any: Array.from({ length: 100 }, () => zip) })).toEqual({})
    expect(asked({ any: Array.from({ length: 101 }, () => zip) })).toEqual({
      it: 'must have at most 100 tests; it has 101',
    })
    expect(asked({ none: [] })).toEqual({ none: 'must not be empty' })
    expect(asked({ all: [] })).toEqual({})
    expect(asked({ any: [{ all: [] }] })).toEqual({ 'any.0.all': 'must not be empty' })
    expect(asked(zip)).toEqual({})
  })
})
