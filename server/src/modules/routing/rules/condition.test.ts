import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { momentAt } from '#kernel/conditions/hours.ts'
import { foldText } from '#kernel/conditions/operators.ts'
import { conditions, facts, moments } from '#test/support/arbitrary-routing.ts'
import { codePoint } from '#test/support/code-point.ts'
import { someFacts } from '#test/support/routing.ts'
import { failingConditions, holds, prepareCondition } from './condition.ts'
import type { Facts } from './facts.ts'
import type { Condition, RuleField, Operator } from './rule.ts'

/** 10:15 in Chicago. */
const moment = momentAt(new Date('2026-03-02T16:15:00Z'), 'America/Chicago')

const isSo = (condition: Condition, lead: Partial<Facts>) =>
  holds(prepareCondition(condition), someFacts(lead), moment)

describe('the result of a test:', () => {
  test.for<[RuleField, Operator, unknown, Partial<Facts>, boolean]>([
    ['city', 'eq', 'evanston', { city: ' Evanston ' }, true],
    ['city', 'eq', 'San José', { city: 'SAN JOSE' }, true],
    ['city', 'eq', 'Evanston', { city: 'Evanston North' }, false],
    ['city', 'neq', 'Evanston', { city: 'EVANSTON' }, false],
    ['city', 'in', ['Skokie', 'Évanston'], { city: 'evanston' }, true],
    ['city', 'not_in', ['Skokie'], { city: 'Evanston' }, true],
    ['city', 'contains', 'VANS', { city: 'Evanston' }, true],
    ['zip', 'starts_with', '606', { zip: '60614' }, true],
    ['zip', 'starts_with', '606', { zip: '16061' }, false],
    ['zip', 'exists', undefined, { zip: '60614' }, true],
    ['zip', 'exists', undefined, { zip: ' ' }, false],
    ['zip', 'not_exists', undefined, {}, true],
    ['price', 'gt', 500, { price: 500 }, false],
    ['price', 'gte', 500, { price: 500 }, true],
    ['price', 'lt', 500, { price: 499.99 }, true],
    ['price', 'lte', 500, { price: 501 }, false],
    ['price', 'between', [100, 200], { price: 100 }, true],
    ['price', 'between', [100, 200], { price: 200 }, true],
    ['price', 'between', [100, 200], { price: 201 }, false],
    ['price', 'in', [1, 2], { price: 2 }, true],
    ['tags', 'has_any', ['vip', 'buyer'], { tags: ['VIP'] }, true],
    ['tags', 'has_all', ['vip', 'buyer'], { tags: ['VIP'] }, false],
    ['tags', 'has_all', ['vip', 'buyer'], { tags: ['Buyer', 'VIP', 'x'] }, true],
    ['tags', 'has_none', ['vip'], { tags: ['VIP'] }, false],
    ['tags', 'exists', undefined, { tags: [] }, false],
    ['has_phone', 'eq', true, { has_phone: true }, true],
    ['has_phone', 'eq', false, {}, false],
    ['time', 'time_between', ['10:15', '11:00'], {}, true],
    ['time', 'time_between', ['09:00', '10:15'], {}, false],
    ['time', 'time_between', ['22:00', '10:16'], {}, true],
    ['time', 'time_between', ['05:00', '05:00'], {}, true],
  ])('%s %s %j for %j: %j', ([field, operator, value, lead, expected]) => {
    expect(isSo({ field, operator, value }, lead)).toBe(expected)
  })
})

test.for<[Operator, unknown]>([
  ['neq', 'x'],
  ['not_in', ['x']],
  ['has_none', ['x']],
  ['not_exists', undefined],
])('a lead without a value passes %s', ([operator, value]) => {
  for (const absent of [{}, { form: null }, { form: '' }, { form: ' ' }, { form: [] }]) {
    expect(isSo({ field: 'context.form', operator, value }, { context: absent })).toBe(true)
  }
})

test.for<[Operator, unknown]>([
  ['eq', 'x'],
  ['in', ['x']],
  ['contains', 'x'],
  ['starts_with', 'x'],
  ['exists', undefined],
  ['gt', -1],
  ['gte', 0],
  ['lt', 1],
  ['lte', 0],
  ['between', [-1, 1]],
  ['has_any', ['x']],
  ['has_all', ['x']],
])('a lead without a value does not pass %s', ([operator, value]) => {
  for (const absent of [{}, { form: null }, { form: '' }, { form: ' ' }, { form: [] }]) {
    expect(isSo({ field: 'context.form', operator, value }, { context: absent })).toBe(false)
  }
})

describe('a value in the context', () => {
  const context = { a: { b: 'Deep', list: ['X', 2], 'odd name': 1 }, price: '$450,000.00', yes: true, n: 7 }
  const asked = (path: string, operator: Operator, value?: unknown) =>
    isSo({ field: `context.${path}`, operator, value }, { context })

  test('is found by its path', () => {
    expect(asked('a.b', 'eq', 'deep')).toBe(true)
    expect(asked('a.odd name', 'eq', 1)).toBe(true)
    expect(asked('a.b.c', 'exists')).toBe(false)
    expect(asked('a', 'exists')).toBe(true)
  })

  test('must be an own property, not one of the prototype', () => {
    for (const path of ['constructor', '__proto__', 'a.toString', 'a.__proto__.toString', 'a.list.length'])
      expect(asked(path, 'exists'), path).toBe(false)
  })

  test('can be a number as text, unless it is ambiguous', () => {
    expect(asked('price', 'gte', 450_000)).toBe(true)
    expect(asked('price', 'eq', 450_000)).toBe(true)
    expect(asked('n', 'eq', '7')).toBe(true)
    for (const text of ['450,000', '450000', ' $ 450,000 '])
      expect(isSo({ field: 'context.p', operator: 'eq', value: 450_000 }, { context: { p: text } })).toBe(
        true,
      )
    for (const text of ['450k', '450.000,00', '45,00', '400,000 - 500,000', '€450000', '1e6', ''])
      expect(isSo({ field: 'context.p', operator: 'gt', value: -1 }, { context: { p: text } })).toBe(false)
  })

  test('can be a list; a single value is a list of one', () => {
    expect(asked('a.list', 'has_any', ['x', 'y'])).toBe(true)
    expect(asked('a.list', 'has_all', ['x', 2])).toBe(true)
    expect(asked('a.list', 'contains', 'x')).toBe(true)
    expect(asked('a.list', 'contains', 'x2')).toBe(false)
    expect(asked('a.b', 'has_any', ['deep'])).toBe(true)
    expect(asked('a.list', 'eq', 'x')).toBe(false)
  })

  test('can be true or false', () => {
    expect(asked('yes', 'eq', true)).toBe(true)
    expect(asked('yes', 'eq', false)).toBe(false)
    expect(isSo({ field: 'context.yes', operator: 'eq', value: true }, { context: { yes: 'TRUE' } })).toBe(
      true,
    )
  })
})

describe('failing conditions', () => {
  const zip: Condition = { field: 'zip', operator: 'eq', value: '1' }
  const city: Condition = { field: 'city', operator: 'eq', value: 'Evanston' }
  const failing = (condition: Condition, lead: Partial<Facts> = {}) =>
    failingConditions(prepareCondition(condition), someFacts(lead), moment)

  test('show what was expected, and null for a lead without a value', () => {
    expect(failing({ all: [zip, city] }, { zip: '1' })).toEqual([
      { field: 'city', operator: 'eq', expected: 'Evanston', actual: null },
    ])
  })

  test('are all tests of an `any`', () => {
    expect(failing({ any: [zip, city] }, { zip: '2' })).toMatchObject([
      { field: 'zip', actual: '2' },
      { field: 'city', actual: null },
    ])
  })

  test('are the passing tests of a `none`, marked as negated', () => {
    expect(failing({ none: [zip, city] }, { zip: '1' })).toEqual([
      { field: 'zip', operator: 'eq', expected: '1', actual: '1', negated: true },
    ])
    expect(failing({ none: [{ none: [zip] }] })).toEqual([
      { field: 'zip', operator: 'eq', expected: '1', actual: null },
    ])
  })

  test('are empty if and only if the condition holds', () => {
    const seen = { held: 0, failed: 0 }
    fc.assert(
      fc.property(conditions, facts, moments, (condition, lead, at) => {
        const prepared = prepareCondition(condition)
        const now = momentAt(at, 'America/Chicago')
        const held = holds(prepared, lead, now)
        expect(failingConditions(prepared, lead, now).length === 0).toBe(held)
        seen[held ? 'held' : 'failed']++
      }),
      { numRuns: 4000 },
    )
    expect(Math.min(seen.held, seen.failed)).toBeGreaterThan(400)
  })
})

test('folding is idempotent and ignores case, accents, and surrounding whitespace', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (text) => {
      expect(foldText(foldText(text))).toBe(foldText(text))
      expect(foldText(` ${text}\n`)).toBe(foldText(text))
    }),
    { numRuns: 600 },
  )
  expect(foldText(' ÉVANSTON ')).toBe('evanston')
  expect(foldText('İ')).toBe('i')
})
