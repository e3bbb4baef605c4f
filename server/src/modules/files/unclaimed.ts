import { createContext } from '#kernel/context.ts'
import { periodicJob } from '#kernel/jobs/job.ts'
import { everyWorkspace } from '../workspaces/public.ts'
import { eraseFile } from './erase-file.ts'
import { listUnclaimedFiles } from './queries.ts'

/** Erases files that were stored for a record that was then not created. */
export const eraseUnclaimedFiles = periodicJob('erase-unclaimed-files', {
  cron: '47 * * * *',
  async handle(runtime) {
    const actor = { type: 'system', id: null, name: 'erase-unclaimed-files' }
    for await (const { id: workspaceId } of everyWorkspace(runtime.database.directory)) {
      const ctx = createContext(runtime, { workspaceId, actor, scopes: new Set() })
      for (const id of await listUnclaimedFiles(ctx.db, ctx.clock.now()))
        await ctx.transaction((tx) => eraseFile(tx, id))
    }
  },
})
