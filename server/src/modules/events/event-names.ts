import type { Ctx } from '#kernel/context.ts'
import { ValidationFailed } from '#kernel/errors.ts'
import { InsufficientScope } from '#kernel/http/http-errors.ts'
import { didYouMean } from '#kernel/http/validation.ts'

/** The holder of the scopes that events require, named as in error messages. */
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
 * Returns the names without duplicates. Throws `ValidationFailed` that lists every unknown event, and
 * `InsufficientScope` for an event whose scope the holder lacks. `path` is the field of a single name. Events without a
 * scope are internal and count as unknown.
 */
export function requireEventNames(
  { eventTypes }: Pick<Ctx, 'eventTypes'>,
  names: readonly string[],
  { who, scopes }: ScopeHolder,
  path?: string,
): string[] {
  const scopeOf = (name: string) => eventTypes.get(name)?.scope ?? null
  const known = [...eventTypes.keys()].filter((name) => scopeOf(name) !== null)
  const issues = names.flatMap((name, at) =>
    scopeOf(name) === null
      ? [
          {
            path: path ?? `event_types.${at}`,
            message: `"${name}" is not an event${didYouMean(name, known)}`,
          },
        ]
      : [],
  )
  if (issues.length > 0) throw ValidationFailed(issues)
  for (const name of names) {
    const scope = scopeOf(name)
    if (scope !== null && !scopes.has(scope)) throw InsufficientScope(scope, who)
  }
  return [...new Set(names)]
}
