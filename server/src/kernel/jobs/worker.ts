import { Logger, run } from 'graphile-worker'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { type House, createContext } from '../context.ts'
import type { Log } from '../log.ts'
import type { Job, PeriodicJob } from './job.ts'
import { jobsSchema } from './migrate-jobs.ts'

const Envelope = Compile(Type.Object({ workspaceId: Type.String(), payload: Type.Unknown() }))

export interface WorkerOptions {
  jobs: readonly Job[]
  periodicJobs: readonly PeriodicJob[]
  /** Jobs at once in this process. */
  concurrency?: number
}

/** Works the queue until disposed; then it takes nothing new and waits for what runs. */
export async function startWorker(
  house: House,
  { jobs, periodicJobs, concurrency = 4 }: WorkerOptions,
): Promise<AsyncDisposable> {
  const runner = await run({
    pgPool: house.database.pool,
    schema: jobsSchema,
    concurrency,
    noHandleSignals: true,
    pollInterval: 1000,
    logger: logThrough(house.log),
    crontab: periodicJobs.map(({ name, cron }) => `${cron} ${name}`).join('\n'),
    taskList: {
      ...Object.fromEntries(
        jobs.map((job) => [job.name, (envelope: unknown) => runJob(house, job, envelope)]),
      ),
      ...Object.fromEntries(periodicJobs.map((job) => [job.name, () => job.handle(house)])),
    },
  })
  return { [Symbol.asyncDispose]: () => runner.stop() }
}

async function runJob(house: House, job: Job, envelope: unknown): Promise<void> {
  if (!Envelope.Check(envelope)) throw new Error(`The job ${job.name} came without its workspace.`)
  const ctx = createContext(house, {
    workspaceId: envelope.workspaceId,
    actor: { type: 'system', id: null, name: job.name },
    scopes: new Set(),
  })
  await job.handle(ctx, Compile(job.payload).Parse(envelope.payload))
}

const logThrough = (log: Log) =>
  new Logger(() => (level, message) => {
    if (level === 'error') log.error({ source: 'jobs' }, message)
    else if (level === 'warning') log.warn({ source: 'jobs' }, message)
    else log.debug({ source: 'jobs' }, message)
  })
