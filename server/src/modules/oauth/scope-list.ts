import { allScopes, expanded } from '../access/public.ts'

/**
 * Parses a space-separated list of scopes. Returns them in table order, without duplicates. Returns undefined if the
 * list is empty or contains a scope that is neither in `allowed` nor implied by it.
 */
export function parseScopes(text: string | undefined, allowed: readonly string[]): string[] | undefined {
  const asked = new Set((text ?? '').split(' ').filter((name) => name !== ''))
  const within = expanded(allowed)
  if (asked.size === 0 || ![...asked].every((name) => within.has(name))) return undefined
  return inScopeOrder(asked)
}

/**
 * Returns the part of `scopes` that the app may still request. If it may request all of them, returns `scopes` as they
 * are; otherwise expands them and returns the ones that the app may request.
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
