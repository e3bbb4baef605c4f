import { expect, test } from 'vitest'
import { textIssue } from './text.ts'

const members = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, 0]))
const nested = (levels: number): unknown => (levels === 0 ? 0 : { a: nested(levels - 1) })

test.for<[what: string, value: unknown, issue: object | undefined]>([
  ['a text', { a: [{ b: 'x' }] }, undefined],
  ['control characters', { a: '\x01\r\x1b\x7f\x9f\ufeff' }, undefined],
  [
    'NUL in a list',
    { a: [{ b: 'x' }, { b: 'a😀\0' }] },
    { path: 'a.1.b', message: 'contains U+0000 at position 3 (counted from 0), which cannot be stored' },
  ],
  [
    'half a surrogate pair',
    'a\ud800',
    {
      path: '',
      message:
        'contains U+D800, half of a surrogate pair, at position 1 (counted from 0), which cannot be stored',
    },
  ],
  ['the other half', '😀\ude00', { path: '' }],
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
