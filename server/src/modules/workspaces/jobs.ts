import { createContext } from '#kernel/context.ts'
import { deleteExpiredReplies } from '#kernel/http/idempotency.ts'
import { periodicJob } from '#kernel/jobs/job.ts'
import { everyWorkspace } from './queries.ts'

/**
 * Deletes stored idempotent responses that have expired. They are kept for a day. Each workspace is swept in its own
 * transactions.
 */
export const sweepIdempotencyReplies = periodicJob('sweep-idempotency-replies', {
  cron: '17 * * * *',
  async handle(runtime) {
    const actor = { type: 'system', id: null, name: 'sweep' }
    for await (const { id } of everyWorkspace(runtime.database.directory)) {
      const ctx = createContext(runtime, { workspaceId: id, actor, scopes: new Set() })
      // Deletes in small batches, so that no statement runs long and completed batches persist.
      while ((await ctx.transaction((tx) => deleteExpiredReplies(tx, runtime.clock.now()))) > 0);
    }
  },
})
