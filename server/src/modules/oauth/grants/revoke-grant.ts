import type { Ctx, Tx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { timeAfter } from '#kernel/records/record.ts'
import { findAppState } from '../apps/queries.ts'
import { GrantRevoked } from '../events.ts'
import type { GrantRow } from './grant.ts'
import { lockGrant, saveGrant } from './queries.ts'

/** Disconnects the app of the grant. Its tokens stop working with their next request, for good. */
export const revokeGrant = (ctx: Ctx, id: string): Promise<GrantRow> =>
  ctx.transaction(async (tx) => {
    const grant = orNotFound(await lockGrant(tx, id))
    return revokeLockedGrant(tx, grant, (await findAppState(tx, grant.app_id))?.name ?? '')
  })

export async function revokeLockedGrant(tx: Tx, grant: GrantRow, app_name: string): Promise<GrantRow> {
  const now = tx.clock.real.now()
  const changed = { revoked_at: now.toISOString(), updated_at: timeAfter(grant.updated_at, now) }
  saveGrant(tx, grant.id, changed)
  await tx.emit(GrantRevoked, { id: grant.id, app_id: grant.app_id, app_name })
  return { ...grant, ...changed }
}
