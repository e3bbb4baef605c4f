import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { closest, unlistedName, validator } from './validation.ts'

test('a misspelled choice gets the list and the one that was probably meant, at any depth', () => {
  const Choice = Type.Enum(['open', 'closed'])
  const validate = validator(Type.Object({ list: Type.Array(Type.Object({ 'a/b': Choice })), other: Choice }))
  const issuesOf = (value: unknown) => {
    try {
      return validate(value)
    } catch (error) {
      return error instanceof AppError ? error.body.details : error
    }
  }
  expect(issuesOf({ list: [{ 'a/b': 'open' }, { 'a/b': 'close' }], other: 7 })).toEqual([
    { path: 'list.1.a/b', message: 'must be one of open, closed; did you mean closed?' },
    { path: 'other', message: 'must be one of open, closed' },
  ])
})

test.for([
  ['nmae', 'name'],
  ['day', 'days'],
  ['Time_Zone', 'timezone'],
  ['statsu', 'status'],
  ['timezoen', 'timezone'],
  ['ny', undefined],
  ['nema', undefined],
  ['price', undefined],
] as const)('%s means %s', ([name, meant]) => {
  expect(closest(name, ['any', 'name', 'days', 'timezone', 'status'])).toBe(meant)
})

test('of names with a dot, the list has those that begin alike', () => {
  const known = ['contact.stage', 'contact.tags', 'lead.tags']
  expect(unlistedName('contact.stag', known)).toBe(
    'is not a known field; did you mean contact.stage? It is one of contact.stage, contact.tags',
  )
  expect(unlistedName('trigger.color', known)).toBe(
    'is not a known field; it is one of contact.stage, contact.tags, lead.tags',
  )
})
