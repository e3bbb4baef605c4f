import { createContext } from '#kernel/context.ts'
import { defineFollowUp } from '#kernel/jobs/follow-up.ts'
import { periodicJob } from '#kernel/jobs/job.ts'
import { everyWorkspace } from '../workspaces/public.ts'
import { eraseOldRecordings } from './erase-calls.ts'
import type { CallDependencies } from './ports.ts'
import { callFollowUp } from './process-call-at.ts'
import { processCall } from './process-call.ts'
import { listRemovals } from './queries.ts'
import { removeFromProvider } from './recordings/remove-from-provider.ts'

/** Removals per run in a workspace. */
const perRun = 200

/** One job removes all that is due in a workspace. */
export const removals = defineFollowUp('remove-erased-calls', {
  listDue: async (db, at) => ((await listRemovals(db, at, 1)).length > 0 ? ['due'] : []),
})

export const callFollowUps = [callFollowUp, removals]

export const callJobs = (dependencies: CallDependencies) => [
  callFollowUp.job((ctx, id) => processCall(ctx, dependencies, id)),
  removals.job(async (ctx) => {
    for (const one of await listRemovals(ctx.db, ctx.clock.now(), perRun))
      await removeFromProvider(ctx, dependencies.voice, one)
  }),
]

export const applyRecordingRetention = periodicJob('recording-retention', {
  cron: '23 * * * *',
  async handle(runtime) {
    const actor = { type: 'system', id: null, name: 'recording-retention' }
    for await (const { id: workspaceId } of everyWorkspace(runtime.database.directory)) {
      await eraseOldRecordings(createContext(runtime, { workspaceId, actor, scopes: new Set() })).catch(
        (error: unknown) => runtime.log.warn({ err: error, workspaceId }, 'old recordings not erased'),
      )
    }
  },
})
