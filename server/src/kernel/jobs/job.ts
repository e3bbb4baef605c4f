import type { Static, TObject } from 'typebox'
import type { Ctx, Runtime } from '../context.ts'
import type { DirectoryTx } from '../db/handles.ts'

/**
 * The separate runner of a job. `slow`: for jobs that wait seconds for other systems, such as a language model, so
 * that they hold up only each other. `prompt`: for results that a person waits for; its queue is polled twice a
 * second.
 */
export type RunnerName = 'slow' | 'prompt'

/**
 * Deferred work in one workspace. The payload should contain ids, and `handle` should reread the records. Must be
 * idempotent.
 */
export interface Job<P extends TObject = TObject> {
  readonly scope: 'workspace'
  readonly name: string
  readonly runner?: RunnerName
  readonly payload: P
  handle(ctx: Ctx, payload: Static<P>): Promise<void>
}

/**
 * Deferred work on directory tables, in no workspace. The payload should contain ids, and `handle` should reread the
 * records. Must be idempotent.
 */
export interface DirectoryJob<P extends TObject = TObject> {
  readonly scope: 'directory'
  readonly name: string
  readonly runner?: RunnerName
  readonly payload: P
  handle(runtime: Runtime, payload: Static<P>): Promise<void>
}

/** Scheduled work. Must be safe to run twice, and on several instances at the same time. */
export interface PeriodicJob {
  readonly name: string
  /** Schedule in cron's five fields, in UTC. */
  readonly cron: string
  handle(runtime: Runtime): Promise<void>
}

/** Declares a job in its module's `jobs.ts`. */
export const job = <P extends TObject>(name: string, rest: Omit<Job<P>, 'name' | 'scope'>): Job<P> => ({
  scope: 'workspace',
  name,
  ...rest,
})

/** Declares a directory job in its module's `jobs.ts`. */
export const directoryJob = <P extends TObject>(
  name: string,
  rest: Omit<DirectoryJob<P>, 'name' | 'scope'>,
): DirectoryJob<P> => ({ scope: 'directory', name, ...rest })

/** Declares a periodic job in its module's `jobs.ts`. */
export const periodicJob = (name: string, rest: Omit<PeriodicJob, 'name'>): PeriodicJob => ({ name, ...rest })

export interface EnqueueOptions {
  /** The earliest time to run. Now by default. */
  runAt?: Date
  /** Replaces a waiting job with the same key in the same workspace. The new job keeps the old one's time. */
  key?: string
}

/**
 * Queues a job that exists only if this transaction commits. `workspaceId` is null for a directory job. Use cases
 * call `tx.enqueue` instead; this is for jobs of other workspaces and of the directory.
 */
export const enqueueJob = (
  tx: DirectoryTx,
  workspaceId: string | null,
  name: string,
  payload: unknown,
  { runAt, key }: EnqueueOptions = {},
): void =>
  tx.write`
    select 1 from graphile_worker.add_job(
      ${name}, ${JSON.stringify({ workspaceId, payload })}::json, run_at => ${runAt ?? null}::timestamptz,
      job_key => ${key === undefined ? null : `${workspaceId} ${name} ${key}`}::text, job_key_mode => 'preserve_run_at')`
