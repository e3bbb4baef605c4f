import type { Ctx } from '#kernel/context.ts'
import { ValidationFailed } from '#kernel/errors.ts'
import { InsufficientScope } from '#kernel/http/answer.ts'
import { closest } from '#kernel/http/validation.ts'

/**
 * The names once each. Throws ValidationFailed that names every one that is no event, and InsufficientScope for an
 * event that the scopes do not cover; `path` is where a single name stands. Events without a scope stay inside the house and are none for outsiders.
 */
export function requireEventNames(
  { eventTypes }: Pick<Ctx, 'eventTypes'>,
  names: readonly string[],
  scopes: ReadonlySet<string>,
  path?: string,
): string[] {
  const scopeOf = (name: string) => eventTypes.get(name)?.scope ?? null
  const known = [...eventTypes.keys()].filter((name) => scopeOf(name) !== null)
  const faults = names.flatMap((name, at) =>
    scopeOf(name) === null
      ? [{ path: path ?? `event_types.${at}`, message: unknown(name, closest(name, known)) }]
      : [],
  )
  if (faults.length > 0) throw ValidationFailed(faults)
  for (const name of names) {
    const scope = scopeOf(name)
    if (scope !== null && !scopes.has(scope)) throw InsufficientScope(scope)
  }
  return [...new Set(names)]
}

const unknown = (name: string, meant: string | undefined) =>
  `"${name}" is not an event${meant === undefined ? '' : `; did you mean ${meant}?`}`
