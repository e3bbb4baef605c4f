import { type Ctx, type Runtime, createContext } from '#kernel/context.ts'
import { job, periodicJob } from '#kernel/jobs/job.ts'
import { everyWorkspace } from '../workspaces/public.ts'
import { eraseOldRecordings } from './erase-calls.ts'
import type { CallDependencies } from './ports.ts'
import { processCallJob } from './process-call-at.ts'
import { processCall } from './process-call.ts'
import { listDueCalls, listRemovals } from './queries.ts'
import { removeFromProvider } from './recordings/remove-from-provider.ts'

export const callJobs = (dependencies: CallDependencies) => [
  job(processCallJob.name, {
    payload: processCallJob.payload,
    handle: (ctx, { call_id }) => processCall(ctx, dependencies, call_id),
  }),
]

/** Maximum calls per workspace in one run. */
const perRun = 200

const everyMinute = '* * * * *'

async function inEachWorkspace(runtime: Runtime, name: string, work: (ctx: Ctx) => Promise<void>) {
  const actor = { type: 'system', id: null, name }
  for await (const { id: workspaceId } of everyWorkspace(runtime.database.directory)) {
    try {
      await work(createContext(runtime, { workspaceId, actor, scopes: new Set() }))
    } catch (error) {
      runtime.log.warn({ err: error, workspaceId }, `${name} failed`)
    }
  }
}

export const callPeriodicJobs = (dependencies: CallDependencies) => [
  /** Requeues calls whose job was lost when its process died. */
  periodicJob('process-calls', {
    cron: everyMinute,
    handle: (runtime) =>
      inEachWorkspace(runtime, 'process-calls', async (ctx) => {
        const due = await listDueCalls(ctx.db, runtime.clock.now(), perRun)
        if (due.length > 0)
          await ctx.transaction(async (tx) => {
            for (const id of due) tx.enqueue(processCallJob, { call_id: id }, { key: id })
          })
      }),
  }),
  periodicJob('remove-erased-calls', {
    cron: everyMinute,
    handle: (runtime) =>
      inEachWorkspace(runtime, 'remove-erased-calls', async (ctx) => {
        for (const one of await listRemovals(ctx.db, runtime.clock.now(), perRun))
          await removeFromProvider(ctx, dependencies.voice, one)
      }),
  }),
  periodicJob('recording-retention', {
    cron: '23 * * * *',
    handle: (runtime) =>
      inEachWorkspace(runtime, 'recording-retention', async (ctx) => void (await eraseOldRecordings(ctx))),
  }),
]
