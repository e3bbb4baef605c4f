import { allScopes, expanded } from '../access/public.ts'

/**
 * The scopes that a request names, with spaces between them, once each and in the order of the table. Undefined when it
 * names none, or one that is unknown or beyond what is allowed; what an allowed scope implies is allowed as well.
 */
export function readScopes(text: string | undefined, allowed: readonly string[]): string[] | undefined {
  const asked = new Set((text ?? '').split(' ').filter((name) => name !== ''))
  const within = expanded(allowed)
  if (asked.size === 0 || ![...asked].every((name) => within.has(name))) return undefined
  return inOrder(asked)
}

/**
 * What is left of scopes for an app that may ask for less than it once might: themselves where it may still ask for all
 * of them, otherwise whatever of them and of what they imply it may still ask for.
 */
export function stillAllowed(
  scopes: readonly string[],
  { scopes: allowed }: { scopes: readonly string[] },
): string[] {
  const within = expanded(allowed)
  if (scopes.every((scope) => within.has(scope))) return [...scopes]
  return inOrder(expanded(scopes).intersection(within))
}

/** In the order of the table, each once. */
export function inOrder(names: Iterable<string>): string[] {
  const held = new Set(names)
  return allScopes.filter((scope) => held.has(scope))
}
