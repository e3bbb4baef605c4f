import type { Issue } from '../errors.ts'

/**
 * Control characters other than tab and newline, and lone surrogates. PostgreSQL stores some of them; screens show
 * none.
 */
const forbidden = /[\p{Cs}\0-\x08\x0b-\x1f\x7f-\x9f]/u

/** Maximum nesting depth of a body, unless its endpoint sets another. */
export const bodyLevels = 32

/** The first issue with the texts or the depth of a JSON value. Undefined if there is none. */
export const textIssue = (value: unknown, path = '', levels = bodyLevels): Issue | undefined =>
  issueWithin(value, path, levels, levels)

function issueWithin(value: unknown, path: string, left: number, levels: number): Issue | undefined {
  if (typeof value === 'string') {
    return forbidden.test(value)
      ? { path, message: 'contains a control character or half a surrogate pair' }
      : undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (left === 0)
    return { path: path.split('.')[0] ?? '', message: `is nested more than ${levels} levels deep` }
  for (const [name, member] of Object.entries(value)) {
    const at = path === '' ? name : `${path}.${name}`
    if (name === '__proto__' || forbidden.test(name))
      return { path, message: 'contains a name that is not allowed' }
    const issue = issueWithin(member, at, left - 1, levels)
    if (issue !== undefined) return issue
  }
  return undefined
}
