import type { Ctx, Tx } from '#kernel/context.ts'
import { expanded } from '../../access/public.ts'
import { findAppState } from '../apps/queries.ts'
import { GrantNotFound, InvalidToken } from '../errors.ts'
import { GrantRevoked } from '../events.ts'
import { type GrantRow, lockLiveGrant, markGrantRevoked } from './queries.ts'

/** Disconnects the app from the workspace. Its tokens stop working with the next request, for good. */
export const revokeGrant = (ctx: Ctx, appId: string): Promise<GrantRow> =>
  ctx.transaction(async (tx) => {
    const grant = await lockLiveGrant(tx, appId)
    if (grant === undefined) throw GrantNotFound()
    return revokeLockedGrant(tx, grant, (await findAppState(tx, appId))?.name ?? '')
  })

export async function revokeLockedGrant(tx: Tx, grant: GrantRow, app_name: string): Promise<GrantRow> {
  const now = tx.clock.now()
  markGrantRevoked(tx, grant.id, now)
  await tx.emit(GrantRevoked, { id: grant.id, app_id: grant.app_id, app_name })
  return { ...grant, revoked_at: now.toISOString(), updated_at: now.toISOString() }
}

/**
 * Returns the scopes that the app may request, expanded, and locks its grant until the transaction ends: a revocation
 * then either precedes what is created for the app, or finds it. Throws `InvalidToken` if the app may no longer act for
 * the workspace.
 */
export async function requireGrant(tx: Tx, appId: string): Promise<ReadonlySet<string>> {
  const grant = await lockLiveGrant(tx, appId)
  const app = await findAppState(tx, appId)
  if (grant === undefined || app === undefined || app.disabled || app.deleted)
    throw InvalidToken('This access token has been revoked.')
  return expanded(app.scopes)
}
