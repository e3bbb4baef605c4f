import { createContext } from '#kernel/context.ts'
import { firstIdAt } from '#kernel/ids.ts'
import { periodicJob } from '#kernel/jobs/job.ts'
import { everyWorkspace } from '../workspaces/public.ts'
import { deleteOldBatches } from './queries.ts'

/** How long the log keeps a request. */
const keptMs = 30 * 24 * 3_600_000

/** Maximum batches that one transaction deletes. */
const mostDeleted = 500

/** Deletes what is older than 30 days, in small batches. */
export const deleteOldLog = periodicJob('delete-old-requests', {
  cron: '41 * * * *',
  async handle(runtime) {
    const actor = { type: 'system', id: null, name: 'sweep' }
    const before = firstIdAt(runtime.clock.now().getTime() - keptMs)
    for await (const { id: workspaceId } of everyWorkspace(runtime.database.directory)) {
      const ctx = createContext(runtime, { workspaceId, actor, scopes: new Set() })
      while ((await ctx.transaction((tx) => deleteOldBatches(tx, before, mostDeleted))) === mostDeleted);
    }
  },
})
