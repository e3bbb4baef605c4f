import type { Static, TObject } from 'typebox'
import type { Ctx, Runtime } from '../context.ts'
import type { DirectoryTx } from '../db/handles.ts'

/**
 * Where a job runs that waits for others for seconds, such as a language model: `slow`, where it holds up none that does not; or
 * `prompt`, for what a person waits for, which is looked for twice a second.
 */
export type RunnerName = 'slow' | 'prompt'

/** Deferred work in one workspace. Takes ids, re-reads, and is safe to run twice. */
export interface Job<P extends TObject = TObject> {
  readonly scope: 'workspace'
  readonly name: string
  readonly runner?: RunnerName
  readonly payload: P
  handle(ctx: Ctx, payload: Static<P>): Promise<void>
}

/** Deferred work on directory tables, in no workspace. Takes ids, re-reads, and is safe to run twice. */
export interface DirectoryJob<P extends TObject = TObject> {
  readonly scope: 'directory'
  readonly name: string
  readonly runner?: RunnerName
  readonly payload: P
  handle(runtime: Runtime, payload: Static<P>): Promise<void>
}

/** Scheduled work. Safe to run twice, and at the same time on several instances. */
export interface PeriodicJob {
  readonly name: string
  /** Schedule in the five fields of cron, in UTC. */
  readonly cron: string
  handle(runtime: Runtime): Promise<void>
}

/** Declares a job in the `jobs.ts` of its module. */
export const job = <P extends TObject>(name: string, rest: Omit<Job<P>, 'name' | 'scope'>): Job<P> => ({
  scope: 'workspace',
  name,
  ...rest,
})

/** Declares a directory job in the `jobs.ts` of its module. */
export const directoryJob = <P extends TObject>(
  name: string,
  rest: Omit<DirectoryJob<P>, 'name' | 'scope'>,
): DirectoryJob<P> => ({ scope: 'directory', name, ...rest })

/** Declares a periodic job in the `jobs.ts` of its module. */
export const periodicJob = (name: string, rest: Omit<PeriodicJob, 'name'>): PeriodicJob => ({ name, ...rest })

export interface EnqueueOptions {
  /** Earliest time to run; now by default. */
  runAt?: Date
  /** A waiting job with the same key in the same workspace is replaced and keeps its time. */
  key?: string
}

/**
 * Queues a job that exists only if this transaction commits. `workspaceId` is null for a directory job. Use cases call
 * `tx.enqueue`; this is for jobs of other workspaces and of the directory.
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
