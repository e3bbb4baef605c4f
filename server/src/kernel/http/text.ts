import type { Issue } from '../errors.ts'

/** What PostgreSQL cannot store: NUL, and half a surrogate pair. */
const unstorable = /[\p{Cs}\0]/u

/** The issue of a text that cannot be stored. It names the character and where it is. */
function unstorableIn(text: string): string | undefined {
  const at = text.search(unstorable)
  if (at < 0) return undefined
  const code = text.charCodeAt(at)
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  const what = code === 0 ? name : `${name}, half of a surrogate pair,`
  return `contains ${what} at position ${at} (counted from 0), which cannot be stored`
}

const control = /[\p{Cs}\0-\x08\x0b-\x1f\x7f-\x9f]/u

/** The issue of a text that must be exactly what a person typed, such as a password, and has a control character. */
export const controlIssue = (text: string): string | undefined =>
  control.test(text) ? 'contains a control character or half a surrogate pair' : undefined

/** Maximum nesting depth of a body, unless its endpoint sets another. */
export const bodyLevels = 32

/** Maximum members of an object: more than a form has, and fewer than take long to check by name. */
const maxMembers = 5000

/** The first issue with the texts, the depth or the size of a JSON value. Undefined if there is none. */
export function textIssue(value: unknown, path = '', levels = bodyLevels): Issue | undefined {
  const found = faultIn(value, levels)
  if (found === undefined) return undefined
  const at = [...(path === '' ? [] : [path]), ...found.at.toReversed()].join('.')
  return found.message === undefined
    ? { path: at.split('.')[0] ?? '', message: `is nested more than ${levels} levels deep` }
    : { path: at, message: found.message }
}

/** `at`: the names on the way to it, the last one first. Without a message, it is nested too deep. */
interface Fault {
  at: (string | number)[]
  message?: string
}

/** A body may have 100,000 values, so this makes no path and no list of members until there is a fault. */
function faultIn(value: unknown, left: number): Fault | undefined {
  if (typeof value === 'string') {
    const message = unstorableIn(value)
    return message === undefined ? undefined : { at: [], message }
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (left === 0) return { at: [] }
  const within = (name: string | number, member: unknown): Fault | undefined => {
    const fault = faultIn(member, left - 1)
    fault?.at.push(name)
    return fault
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const fault = within(index, value[index])
      if (fault !== undefined) return fault
    }
    return undefined
  }
  const names = Object.keys(value)
  if (names.length > maxMembers) return { at: [], message: `has more than ${maxMembers} members` }
  for (const name of names) {
    if (name === '__proto__' || unstorable.test(name))
      return { at: [], message: 'contains a name that is not allowed' }
    const fault = within(name, (value as Record<string, unknown>)[name])
    if (fault !== undefined) return fault
  }
  return undefined
}
