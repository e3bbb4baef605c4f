import { periodicJob } from '#kernel/jobs/job.ts'
import { everyWorkspace } from '../workspaces/public.ts'
import { assignEarlier } from './assign-earlier.ts'

/** Assigns what earlier versions stored to the holders of its numbers and addresses, once in each workspace. */
export const assignHolders = periodicJob('assign-holders', {
  cron: '*/10 * * * *',
  async handle(runtime) {
    for await (const { id: workspaceId } of everyWorkspace(runtime.database.directory)) {
      try {
        const assigned = await assignEarlier(runtime, workspaceId)
        if (assigned > 0) runtime.log.info({ workspaceId, assigned }, 'earlier messages and calls assigned')
      } catch (error) {
        runtime.log.warn({ err: error, workspaceId }, 'earlier messages and calls not assigned')
      }
    }
  },
})
