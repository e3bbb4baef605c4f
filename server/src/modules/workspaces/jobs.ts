import { createContext } from '#kernel/context.ts'
import { deleteExpiredReplies } from '#kernel/http/idempotency.ts'
import { periodicJob } from '#kernel/jobs/job.ts'
import { everyWorkspace } from './queries.ts'

/** Responses to POST requests are kept for a day; each workspace's are swept in a transaction of its own. */
export const sweepIdempotencyReplies = periodicJob('sweep-idempotency-replies', {
  cron: '17 * * * *',
  async handle(runtime) {
    const actor = { type: 'system', id: null, name: 'sweep' }
    for await (const { id } of everyWorkspace(runtime.database.directory)) {
      const ctx = createContext(runtime, { workspaceId: id, actor, scopes: new Set() })
      // A little at a time: no statement may run long, and what is done stays done.
      while ((await ctx.transaction((tx) => deleteExpiredReplies(tx, runtime.clock.now()))) > 0);
    }
  },
})
