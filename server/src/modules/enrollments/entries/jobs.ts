import { later } from '#kernel/clock.ts'
import { createContext } from '#kernel/context.ts'
import { periodicJob } from '#kernel/jobs/job.ts'
import { everyWorkspace } from '../../workspaces/public.ts'
import { deleteEntriesBefore } from './queries.ts'

const keptMs = 30 * 86_400_000
/** Rows per statement. */
const batch = 5000

/** Deletes entries that are older than 30 days. A workspace that fails does not stop the others. */
export const deleteOldEntries = periodicJob('automation-entry-retention', {
  cron: '23 * * * *',
  async handle(runtime) {
    const actor = { type: 'system', id: null, name: 'automation-entry-retention' }
    for await (const { id: workspaceId } of everyWorkspace(runtime.database.directory)) {
      try {
        const ctx = createContext(runtime, { workspaceId, actor, scopes: new Set() })
        const before = later(ctx.clock.now(), -keptMs)
        while ((await ctx.transaction((tx) => deleteEntriesBefore(tx, before, batch))) === batch);
      } catch (error) {
        runtime.log.warn({ err: error, workspaceId }, 'old entries of automations not deleted')
      }
    }
  },
})
