import { createContext } from '#kernel/context.ts'
import { periodicJob } from '#kernel/jobs/job.ts'
import { everyWorkspace } from '../workspaces/public.ts'
import { eraseOldRecordings } from './erase-calls.ts'

/** Applies the retention of recordings. One workspace whose recordings cannot be removed stops no other. */
export const applyRecordingRetention = periodicJob('recording-retention', {
  cron: '23 * * * *',
  async handle(runtime) {
    const actor = { type: 'system', id: null, name: 'recording-retention' }
    for await (const { id: workspaceId } of everyWorkspace(runtime.database.directory)) {
      try {
        await eraseOldRecordings(createContext(runtime, { workspaceId, actor, scopes: new Set() }))
      } catch (error) {
        runtime.log.warn({ err: error, workspaceId }, 'old recordings not removed')
      }
    }
  },
})
