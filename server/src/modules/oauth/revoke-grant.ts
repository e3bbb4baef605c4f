import type { Ctx, Tx } from '#kernel/context.ts'
import { findAppState } from './app-queries.ts'
import { GrantNotFound } from './errors.ts'
import { GrantWasRevoked } from './events.ts'
import { type GrantRow, lockLiveGrant, markRevoked } from './grant-queries.ts'

/** The workspace takes back what it allowed the app. No token of it works from the next request on, and none ever again. */
export const revokeGrant = (ctx: Ctx, appId: string): Promise<GrantRow> =>
  ctx.transaction(async (tx) => {
    const grant = await lockLiveGrant(tx, appId)
    if (grant === undefined) throw GrantNotFound()
    return revokeGrantOf(tx, grant, (await findAppState(tx, appId))?.name ?? '')
  })

/** Revokes a grant that is locked. */
export async function revokeGrantOf(tx: Tx, grant: GrantRow, app_name: string): Promise<GrantRow> {
  const now = tx.clock.now()
  tx.write(markRevoked(grant.id, now))
  await tx.emit(GrantWasRevoked, { id: grant.id, app_id: grant.app_id, app_name })
  return { ...grant, revoked_at: now.toISOString(), updated_at: now.toISOString() }
}
