import { Logger, run } from 'graphile-worker'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { type Runtime, createContext } from '../context.ts'
import type { Log } from '../log.ts'
import type { DirectoryJob, Job, PeriodicJob, RunnerName } from './job.ts'
import { jobsSchema } from './migrate-jobs.ts'
import { patientPool } from './patient-pool.ts'

const Envelope = Compile(
  Type.Object({ workspaceId: Type.Union([Type.String(), Type.Null()]), payload: Type.Unknown() }),
)

export interface WorkerOptions {
  jobs: readonly (Job | DirectoryJob)[]
  periodicJobs: readonly PeriodicJob[]
  /** Maximum number of concurrent jobs in this process, except those with their own runner. */
  concurrency?: number
}

/** For each runner: the maximum number of concurrent jobs, and how often it polls for due jobs, in milliseconds. */
const runnerOptions: Record<RunnerName, { concurrency: number; pollInterval: number }> = {
  slow: { concurrency: 2, pollInterval: 2000 },
  prompt: { concurrency: 4, pollInterval: 500 },
}

/** Runs queued jobs until it is disposed of, then waits for running jobs. */
export async function startWorker(
  runtime: Runtime,
  { jobs, periodicJobs, concurrency = 4 }: WorkerOptions,
): Promise<AsyncDisposable> {
  const { pool, settle } = patientPool(runtime.database.pool)
  const tasksOf = (some: WorkerOptions['jobs']) =>
    Object.fromEntries(some.map((job) => [job.name, (envelope: unknown) => runJob(runtime, job, envelope)]))
  const shared = {
    pgPool: pool,
    schema: jobsSchema,
    noHandleSignals: true,
    logger: logThrough(runtime.log),
  }
  const jobsOf = (runner: RunnerName | undefined) => jobs.filter((job) => job.runner === runner)
  const runners = [
    await run({
      ...shared,
      concurrency,
      pollInterval: 2000,
      crontab: periodicJobs.map(({ name, cron }) => `${cron} ${name}`).join('\n'),
      taskList: {
        ...tasksOf(jobsOf(undefined)),
        ...Object.fromEntries(periodicJobs.map((job) => [job.name, () => job.handle(runtime)])),
      },
    }),
  ]
  for (const name of ['slow', 'prompt'] as const)
    if (jobsOf(name).length > 0)
      runners.push(
        await run({ ...shared, ...runnerOptions[name], crontab: '', taskList: tasksOf(jobsOf(name)) }),
      )
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all(runners.map((runner) => runner.stop()))
      await settle()
    },
  }
}

async function runJob(runtime: Runtime, job: Job | DirectoryJob, envelope: unknown): Promise<void> {
  const { workspaceId, payload } = Envelope.Parse(envelope)
  const input = Compile(job.payload).Parse(payload)
  if (job.scope === 'directory') return job.handle(runtime, input)
  if (workspaceId === null) throw new Error(`The job ${job.name} was queued without a workspace.`)
  const actor = { type: 'system', id: null, name: job.name }
  await job.handle(createContext(runtime, { workspaceId, actor, scopes: new Set() }), input)
}

const logThrough = (log: Log) =>
  new Logger(() => (level, message) => {
    if (level === 'error') log.error({ source: 'jobs' }, message)
    else if (level === 'warning') log.warn({ source: 'jobs' }, message)
    else log.debug({ source: 'jobs' }, message)
  })
