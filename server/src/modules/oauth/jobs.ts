import { Type } from 'typebox'
import { later } from '#kernel/clock.ts'
import { job, periodicJob } from '#kernel/jobs/job.ts'
import { deletePreviousClientSecrets, findAppState } from './apps/queries.ts'
import { GrantNarrowed, GrantResumed, GrantSuspended } from './events.ts'
import { lockLiveGrant } from './grants/queries.ts'
import { revokeLockedGrant } from './grants/revoke-grant.ts'
import { allowedFor } from './scope-list.ts'
import { expiredMs, replayMs } from './tokens/lifetimes.ts'
import { deleteEnded, deleteExpired } from './tokens/queries.ts'

/** Updates a workspace's grant after its app was deleted, disabled or enabled. */
export const syncGrant = job('sync-oauth-grant', {
  payload: Type.Object({ app_id: Type.String() }),
  handle: (ctx, { app_id }) =>
    ctx.transaction(async (tx) => {
      const app = await findAppState(tx, app_id)
      const grant = await lockLiveGrant(tx, app_id)
      if (app === undefined || grant === undefined) return
      if (app.deleted) await revokeLockedGrant(tx, grant, app.name)
      else
        await tx.emit(app.disabled ? GrantSuspended : GrantResumed, {
          id: grant.id,
          app_id,
          app_name: app.name,
        })
    }),
})

/** Updates a workspace's grant after its app lost scopes. */
export const narrowGrant = job('narrow-oauth-grant', {
  payload: Type.Object({ app_id: Type.String() }),
  handle: (ctx, { app_id }) =>
    ctx.transaction(async (tx) => {
      // Lock the grant before reading the app: modules create records for the app under this lock.
      const grant = await lockLiveGrant(tx, app_id)
      const app = await findAppState(tx, app_id)
      if (app === undefined || app.deleted || grant === undefined) return
      const scopes = allowedFor(grant.scopes, app)
      if (scopes.length === grant.scopes.length && scopes.every((scope) => grant.scopes.includes(scope)))
        return
      await tx.emit(GrantNarrowed, { id: grant.id, app_id, app_name: app.name, scopes })
    }),
})

/** Rows per statement. */
const batchSize = 1000

/** Deletes expired tokens, unused codes, expired previous secrets, and families so old that a replay no longer matters. */
export const sweepTokens = periodicJob('sweep-oauth-tokens', {
  cron: '41 * * * *',
  async handle({ database: { directory }, clock }) {
    const now = clock.now()
    await deletePreviousClientSecrets(directory, now)
    while ((await deleteExpired(directory, later(now, -expiredMs), batchSize)) > 0);
    while ((await deleteEnded(directory, later(now, -replayMs), batchSize)) > 0);
  },
})
