import { allScopes, expanded } from '../access/public.ts'

/**
 * Parses a space-separated list of scopes into table order, without duplicates. Undefined if it is empty or names a scope
 * that is not among `allowed` and the scopes that they imply.
 */
export function parseScopes(text: string | undefined, allowed: readonly string[]): string[] | undefined {
  const asked = new Set((text ?? '').split(' ').filter((name) => name !== ''))
  const within = expanded(allowed)
  if (asked.size === 0 || ![...asked].every((name) => within.has(name))) return undefined
  return inScopeOrder(asked)
}

/**
 * The part of `scopes` that the app may still request: `scopes` themselves if it may request all of them, otherwise those
 * of them and of the scopes they imply that it may request.
 */
export function allowedFor(
  scopes: readonly string[],
  { scopes: allowed }: { scopes: readonly string[] },
): string[] {
  const within = expanded(allowed)
  if (scopes.every((scope) => within.has(scope))) return [...scopes]
  return inScopeOrder(expanded(scopes).intersection(within))
}

/** Scopes in table order, without duplicates. */
export function inScopeOrder(names: Iterable<string>): string[] {
  const held = new Set(names)
  return allScopes.filter((scope) => held.has(scope))
}
