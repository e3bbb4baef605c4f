import { EventEmitter } from 'node:events'
import { Logger, type Task, type WorkerEvents, type WorkerPool, run } from 'graphile-worker'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { listenTo } from '../background/listening.ts'
import { earliest, pollLoop } from '../background/poll-loop.ts'
import { type Runtime, refreshed } from '../context.ts'
import { appRole } from '../db/tenant.ts'
import type { Log } from '../log.ts'
import { countWaitingJobs, jobWorkers } from './due-jobs.ts'
import type { DirectoryJob, Job, PeriodicJob, RunnerName } from './job.ts'
import { jobsSchema } from './migrate-jobs.ts'
import { patientPool } from './patient-pool.ts'
import { runPeriodicJobs } from './periodic-jobs.ts'

const Envelope = Compile(
  Type.Object({ workspaceId: Type.Union([Type.String(), Type.Null()]), payload: Type.Unknown() }),
)

export interface WorkerOptions {
  jobs: readonly (Job | DirectoryJob)[]
  periodicJobs: readonly PeriodicJob[]
  /** Maximum number of concurrent jobs in this process, except those with their own runner. */
  concurrency?: number
}

/** How many jobs each runner runs at once. The one without a name runs the periodic jobs, too. */
const concurrencies: Record<RunnerName, number> = { slow: 2, prompt: 4 }

/** The loop below wakes graphile-worker when a job is due. Its own polls, one for each of its workers, are for emergencies. */
const pollInterval = 300_000

/** The pause between looks while jobs are due. */
const busyMs = 500

/** Runs queued jobs until it is disposed of, then waits for running jobs. */
export async function startWorker(
  runtime: Runtime,
  { jobs, periodicJobs, concurrency = 4 }: WorkerOptions,
): Promise<AsyncDisposable> {
  const { pool, settle } = patientPool(runtime.database.pool, runtime.mayBegin)
  const logger = logThrough(runtime.log)
  const start = async (tasks: Record<string, Task>, concurrentJobs: number) => {
    const events = new EventEmitter() as WorkerEvents
    const created: WorkerPool[] = []
    events.on('pool:create', ({ workerPool }) => created.push(workerPool))
    const runner = await run({
      pgPool: pool,
      schema: jobsSchema,
      noHandleSignals: true,
      logger,
      pollInterval,
      concurrency: concurrentJobs,
      taskList: tasks,
      events,
    })
    return {
      names: new Set(Object.keys(tasks)),
      /** Makes as many idle workers look for a job. */
      nudge: (count: number) => created[0]?.nudge(count),
      stop: () => runner.stop(),
    }
  }
  const tasksOf = (runner: RunnerName | undefined) =>
    Object.fromEntries(
      jobs
        .filter((job) => job.runner === runner)
        .map((job): [string, Task] => [job.name, (envelope) => runJob(runtime, job, envelope)]),
    )
  const periodic = Object.fromEntries(
    periodicJobs.map((job): [string, Task] => [job.name, () => job.handle(runtime)]),
  )
  const runners = [await start({ ...tasksOf(undefined), ...periodic }, concurrency)]
  for (const name of ['slow', 'prompt'] as const) {
    const tasks = tasksOf(name)
    if (Object.keys(tasks).length > 0) runners.push(await start(tasks, concurrencies[name]))
  }

  const listening = listenTo(runtime, jobWorkers, { role: appRole })
  const options = { complaint: 'jobs not looked for', listening, pollMs: busyMs, eagerLooks: 1 }
  const waking = pollLoop(runtime, options, async () => {
    const waiting = await countWaitingJobs(listening.queue, runtime.clock)
    let found = false
    for (const { names, nudge } of runners) {
      const due = waiting.reduce((sum, one) => sum + (names.has(one.name) ? one.due : 0), 0)
      if (due > 0) nudge(due)
      found ||= due > 0
    }
    return { found, dueAt: earliest(waiting.map(({ dueAt }) => dueAt)) }
  })
  const periodicLoop = runPeriodicJobs(runtime, listening.queue, periodicJobs)
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all([waking[Symbol.asyncDispose](), periodicLoop[Symbol.asyncDispose]()])
      await Promise.all([listening[Symbol.asyncDispose](), ...runners.map((runner) => runner.stop())])
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
  await job.handle(await refreshed(runtime, { workspaceId, actor, scopes: new Set() }), input)
}

const logThrough = (log: Log) =>
  new Logger(() => (level, message) => {
    if (level === 'error') log.error({ source: 'jobs' }, message)
    else if (level === 'warning') log.warn({ source: 'jobs' }, message)
    else log.debug({ source: 'jobs' }, message)
  })
