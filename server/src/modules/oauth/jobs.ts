import { Type } from 'typebox'
import { job, periodicJob } from '#kernel/jobs/job.ts'
import { findAppState } from './app-queries.ts'
import { GrantWasResumed, GrantWasSuspended } from './events.ts'
import { lockLiveGrant } from './grant-queries.ts'
import { expiredMs, later, replayMs } from './lifetimes.ts'
import { revokeGrantOf } from './revoke-grant.ts'
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
