import { expect, test } from 'vitest'
import { textIssue } from './text.ts'

const members = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, 0]))
const nested = (levels: number): unknown => (levels === 0 ? 0 : { a: nested(levels - 1) })

test.for<[what: string, value: unknown, issue: object | undefined]>([
  ['a text', { a: [{ b: 'x' }] }, undefined],
  ['a control character in a list', { a: [{ b: 'x' }, { b: '\0' }] }, { path: 'a.1.b' }],
  ['half a surrogate pair', '\ud800', { path: '' }],
  ['a name that is not allowed', { a: { '\0': 1 } }, { path: 'a' }],
  ['32 levels', nested(32), undefined],
  [
    '33 levels',
    { b: 0, ...(nested(33) as object) },
    { path: 'a', message: 'is nested more than 32 levels deep' },
  ],
  ['5000 members', { a: members(5000) }, undefined],
  ['5001 members', { a: members(5001) }, { path: 'a', message: 'has more than 5000 members' }],
])('finds what is wrong with a JSON value: %s', ([, value, issue]) => {
  if (issue === undefined) expect(textIssue(value)).toBeUndefined()
  else expect(textIssue(value)).toMatchObject(issue)
})
