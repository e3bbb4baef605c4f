import { Type } from 'typebox'
import { job, periodicJob } from '#kernel/jobs/job.ts'
import { findAppState } from './app-queries.ts'
import { GrantWasNarrowed, GrantWasResumed, GrantWasSuspended } from './events.ts'
import { lockLiveGrant } from './grant-queries.ts'
import { expiredMs, later, replayMs } from './lifetimes.ts'
import { revokeGrantOf } from './revoke-grant.ts'
import { stillAllowed } from './scope-list.ts'
import { deleteEnded, deleteExpired } from './token-queries.ts'

/** Tells a workspace what has become of an app that it has authorized: deleted, disabled, or enabled again. */
export const followApp = job('follow-oauth-app', {
  payload: Type.Object({ app_id: Type.String() }),
  handle: (ctx, { app_id }) =>
    ctx.transaction(async (tx) => {
      const app = await findAppState(tx, app_id)
      const grant = await lockLiveGrant(tx, app_id)
      if (app === undefined || grant === undefined) return
      if (app.deleted) await revokeGrantOf(tx, grant, app.name)
      else
        await tx.emit(app.disabled ? GrantWasSuspended : GrantWasResumed, {
          id: grant.id,
          app_id,
          app_name: app.name,
        })
    }),
})

/** Tells a workspace that an app that it has authorized may ask for less than the workspace allows it. */
export const narrowGrant = job('narrow-oauth-grant', {
  payload: Type.Object({ app_id: Type.String() }),
  handle: (ctx, { app_id }) =>
    ctx.transaction(async (tx) => {
      // The grant first: whatever is kept for the app is made under its lock.
      const grant = await lockLiveGrant(tx, app_id)
      const app = await findAppState(tx, app_id)
      if (app === undefined || app.deleted || grant === undefined) return
      const scopes = stillAllowed(grant.scopes, app)
      if (scopes.length === grant.scopes.length && scopes.every((scope) => grant.scopes.includes(scope)))
        return
      await tx.emit(GrantWasNarrowed, { id: grant.id, app_id, app_name: app.name, scopes })
    }),
})

/** Rows of one statement. */
const some = 1000

/** Deletes what is of no use any more: expired tokens, unused codes, and families once no replay can matter. */
export const sweepTokens = periodicJob('sweep-oauth-tokens', {
  cron: '41 * * * *',
  async handle({ database: { directory }, clock }) {
    const now = clock.now()
    while ((await deleteExpired(directory, later(now, -expiredMs), some)) > 0);
    while ((await deleteEnded(directory, later(now, -replayMs), some)) > 0);
  },
})
