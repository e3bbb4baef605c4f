import { later } from '#kernel/clock.ts'
import { type Runtime, createContext } from '#kernel/context.ts'
import type { AppError } from '#kernel/errors.ts'
import { hashSecret } from '../../access/public.ts'
import type { AppRow } from '../apps/app.ts'
import { InvalidGrant, InvalidScope, NoScopesLeft } from '../errors.ts'
import { parseScopes, allowedFor } from '../scope-list.ts'
import { actorOf } from './client.ts'
import { type TokenResponseBody, issueTokens } from './issue-tokens.ts'
import { idleMs } from './lifetimes.ts'
import { findRefreshToken, lockRefreshToken, retireRefreshToken, saveFamilyExpiry } from './queries.ts'
import { revokeTokens } from './revoke-tokens.ts'

/**
 * Issues a new access token and a new refresh token, and retires the old refresh token. If a retired refresh token is
 * presented again, its family is revoked: two parties hold the token, and only one of them is the app. `scope` can
 * narrow the new access token. Throws `InvalidGrant`, `NoScopesLeft` and `InvalidScope`; returns `unknown` if the token
 * does not exist.
 */
export async function refreshTokens(
  runtime: Runtime,
  app: AppRow,
  token: string,
  scope: string | undefined,
): Promise<TokenResponseBody | 'unknown'> {
  const hash = hashSecret(token)
  const known = await findRefreshToken(runtime.database.directory, hash, runtime.clock.now())
  if (known === undefined) return 'unknown'
  if (known.app_id !== app.id) throw InvalidGrant()
  const ctx = createContext(runtime, {
    workspaceId: known.workspace_id,
    actor: actorOf(app),
    scopes: new Set(),
  })
  // The revocation after a replay must be committed, so errors are thrown after the transaction.
  const result = await ctx.transaction(async (tx): Promise<TokenResponseBody | AppError> => {
    const now = runtime.clock.now()
    const locked = await lockRefreshToken(tx, hash, now)
    if (locked === undefined) return InvalidGrant()
    if (locked.retired) {
      await revokeTokens(tx, locked, 'token_replayed')
      return InvalidGrant()
    }
    if (locked.family_revoked || locked.grant_revoked || locked.expired) return InvalidGrant()
    const held = allowedFor(locked.scopes, app)
    if (held.length === 0) return NoScopesLeft()
    const scopes = scope === undefined ? held : parseScopes(scope, held)
    if (scopes === undefined)
      return InvalidScope('scope may name only scopes that the refresh token was issued for.')
    const endsAt = locked.ends_at === null ? null : new Date(locked.ends_at)
    const idle = later(now, idleMs(app.confidential))
    saveFamilyExpiry(tx, locked.family_id, endsAt !== null && endsAt < idle ? endsAt : idle)
    retireRefreshToken(tx, hash, now)
    return issueTokens(tx, { familyId: locked.family_id, scopes, endsAt, refreshable: true }, now)
  })
  if (result instanceof Error) throw result
  return result
}
