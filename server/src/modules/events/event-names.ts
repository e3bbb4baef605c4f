import type { Ctx } from '#kernel/context.ts'
import { ValidationFailed } from '#kernel/errors.ts'
import { InsufficientScope } from '#kernel/http/answer.ts'
import { closest } from '#kernel/http/validation.ts'

/** Who must hold the scopes of events, in the words of a refusal. */
export interface ScopeHolder {
  who: string
  scopes: ReadonlySet<string>
}

export const theCredential = ({ scopes }: Pick<Ctx, 'scopes'>): ScopeHolder => ({
  who: 'This credential',
  scopes,
})

export const theWebhook = ({ scopes }: { scopes: readonly string[] }): ScopeHolder => ({
  who: 'This webhook',
  scopes: new Set(scopes),
})

/**
 * The names once each. Throws ValidationFailed that names every one that is no event, and InsufficientScope for an
 * event that the holder may not see; `path` is where a single name stands. Events without a scope stay inside the house
 * and are none for outsiders.
 */
export function requireEventNames(
  { eventTypes }: Pick<Ctx, 'eventTypes'>,
  names: readonly string[],
  { who, scopes }: ScopeHolder,
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
    if (scope !== null && !scopes.has(scope)) throw InsufficientScope(scope, who)
  }
  return [...new Set(names)]
}

const unknown = (name: string, meant: string | undefined) =>
  `"${name}" is not an event${meant === undefined ? '' : `; did you mean ${meant}?`}`
