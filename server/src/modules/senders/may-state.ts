import type { Ctx } from '#kernel/context.ts'
import { ValidationFailed } from '#kernel/errors.ts'
import type { ConnectionRow } from './connection.ts'

/**
 * Throws `ValidationFailed` if the caller may not set the states of a sender or template. Only the provider reports the
 * states of a connection that is not simulated. The operator may set what they have read at the provider.
 */
export function requireMayState({ actor }: Ctx, { simulated }: ConnectionRow, field: string): void {
  if (simulated || actor.type === 'operator' || actor.type === 'system') return
  throw ValidationFailed([
    { path: field, message: 'is reported by the provider, unless the connection is simulated' },
  ])
}
