import { defineFollowUp } from '#kernel/jobs/follow-up.ts'
import { periodicJob } from '#kernel/jobs/job.ts'
import { everyWorkspace } from '../../workspaces/public.ts'
import type { Carriers } from '../ports.ts'
import { eraseOldMessages } from './erase-old-messages.ts'
import { hasDueRemovals } from './removal-queries.ts'
import { removeFromProviders } from './remove-from-providers.ts'

/** Applies message retention in all workspaces. A failure in one workspace does not stop the others. */
export const applyRetention = periodicJob('message-retention', {
  cron: '*/10 * * * *',
  async handle(runtime) {
    for await (const { id: workspaceId } of everyWorkspace(runtime.database.directory)) {
      try {
        const erased = await eraseOldMessages(runtime, workspaceId)
        if (erased > 0) runtime.log.info({ workspaceId, erased }, 'old messages erased')
      } catch (error) {
        runtime.log.warn({ err: error, workspaceId }, 'old messages not erased')
      }
    }
  },
})

/** One job removes all that is due in a workspace. */
export const messageRemovals = defineFollowUp('remove-erased-messages', {
  listDue: async (db, at) => ((await hasDueRemovals(db, at)) ? ['due'] : []),
})

export const removeErased = (carriers: Carriers) =>
  messageRemovals.job((ctx) => removeFromProviders(ctx, carriers))
