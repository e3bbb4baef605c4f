import { type House, createContext } from '#kernel/context.ts'
import type { AppError } from '#kernel/errors.ts'
import { hashSecret } from '../access/public.ts'
import type { AppRow } from './app-queries.ts'
import { actorOf } from './client.ts'
import { InvalidGrant, InvalidScope, NothingLeft } from './errors.ts'
import { type TokenAnswer, issueTokens } from './issue-tokens.ts'
import { idleMs, later } from './lifetimes.ts'
import { revokeTokens } from './revoke-tokens.ts'
import { readScopes, stillAllowed } from './scope-list.ts'
import { findRefreshToken, lockRefreshToken, retireRefreshToken, saveFamilyExpiry } from './token-queries.ts'

/**
 * A new access token and a new refresh token for one that is retired by this. Showing a retired one revokes its family:
 * two hold it, and nobody knows which of them is the app. `scope` may ask for less than before, for this access token.
 * Throws InvalidGrant and InvalidScope; `unknown` says that there is no such token.
 */
export async function refreshTokens(
  house: House,
  app: AppRow,
  token: string,
  scope: string | undefined,
): Promise<TokenAnswer | 'unknown'> {
  const hash = hashSecret(token)
  const known = await findRefreshToken(house.database.directory, hash, house.clock.now())
  if (known === undefined) return 'unknown'
  if (known.app_id !== app.id) throw InvalidGrant()
  const ctx = createContext(house, {
    workspaceId: known.workspace_id,
    actor: actorOf(app),
    scopes: new Set(),
  })
  // A replay must stay revoked: refusals are thrown after the commit.
  const verdict = await ctx.transaction(async (tx): Promise<TokenAnswer | AppError> => {
    const now = house.clock.now()
    const locked = await lockRefreshToken(tx, hash, now)
    if (locked === undefined) return InvalidGrant()
    if (locked.retired) {
      await revokeTokens(tx, locked, 'token_replayed')
      return InvalidGrant()
    }
    if (locked.family_revoked || locked.grant_revoked || locked.expired) return InvalidGrant()
    const held = stillAllowed(locked.scopes, app)
    if (held.length === 0) return NothingLeft()
    const scopes = scope === undefined ? held : readScopes(scope, held)
    if (scopes === undefined)
      return InvalidScope('scope may name only scopes that the refresh token was issued for.')
    const endsAt = locked.ends_at === null ? null : new Date(locked.ends_at)
    const idle = later(now, idleMs(app.confidential))
    tx.write(saveFamilyExpiry(locked.family_id, endsAt !== null && endsAt < idle ? endsAt : idle))
    tx.write(retireRefreshToken(hash, now))
    return issueTokens(tx, { familyId: locked.family_id, scopes, endsAt, refreshable: true }, now)
  })
  if (verdict instanceof Error) throw verdict
  return verdict
}
