import type { Fault } from '../errors.ts'

/** Control characters other than tab and newline, and halves of surrogate pairs: PostgreSQL refuses some, screens the rest. */
const forbidden = /[\p{Cs}\0-\x08\x0b-\x1f\x7f-\x9f]/u

const maxDepth = 32

/** What is wrong with the texts and the depth of a JSON value; undefined when nothing is. */
export function hygieneFault(value: unknown, path = '', depth = 0): Fault | undefined {
  if (typeof value === 'string') {
    return forbidden.test(value)
      ? { path, message: 'contains a control character or half a surrogate pair' }
      : undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (depth === maxDepth)
    return { path: path.split('.')[0] ?? '', message: `is nested more than ${maxDepth} levels deep` }
  for (const [name, member] of Object.entries(value)) {
    const at = path === '' ? name : `${path}.${name}`
    if (name === '__proto__' || forbidden.test(name))
      return { path, message: 'contains a name that is not allowed' }
    const fault = hygieneFault(member, at, depth + 1)
    if (fault !== undefined) return fault
  }
  return undefined
}
