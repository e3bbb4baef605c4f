import type { Static, TObject } from 'typebox'
import type { Ctx, House } from '../context.ts'
import { type Sql, sql } from '../db/sql.ts'

/** Work for later, in one workspace. Takes ids, re-reads, and is safe to run twice. */
export interface Job<P extends TObject = TObject> {
  readonly name: string
  readonly payload: P
  handle(ctx: Ctx, payload: Static<P>): Promise<void>
}

/** Work that comes round. Safe to run twice, and at the same time on several instances. */
export interface PeriodicJob {
  readonly name: string
  /** When, in cron's five fields, UTC. */
  readonly cron: string
  handle(house: House): Promise<void>
}

/** Declares a job in the `jobs.ts` of its module. */
export const job = <P extends TObject>(name: string, rest: Omit<Job<P>, 'name'>): Job<P> => ({
  name,
  ...rest,
})

/** Declares a periodic job in the `jobs.ts` of its module. */
export const periodicJob = (name: string, rest: Omit<PeriodicJob, 'name'>): PeriodicJob => ({ name, ...rest })

export interface EnqueueOptions {
  /** Not before; at once by default. */
  runAt?: Date
  /** Of jobs with the same key in the same workspace only the first that waits is kept, at its time. */
  key?: string
}

/** The statement that queues a job; runs inside the caller's transaction, so that job and change exist together. */
export const enqueueJob = (
  workspaceId: string,
  name: string,
  payload: unknown,
  { runAt, key }: EnqueueOptions,
): Sql => sql`
  select 1 from graphile_worker.add_job(
    ${name}, ${JSON.stringify({ workspaceId, payload })}::json, run_at => ${runAt ?? null}::timestamptz,
    job_key => ${key === undefined ? null : `${workspaceId} ${name} ${key}`}::text, job_key_mode => 'preserve_run_at')`
