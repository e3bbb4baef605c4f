import { Type } from 'typebox'
import type { Clock } from '../clock.ts'
import { type Ctx, type Runtime, type Tx, refreshed } from '../context.ts'
import type { Db, DirectoryDb } from '../db/handles.ts'
import { type EnqueueOptions, enqueueJob } from '../enqueue.ts'
import { type Job, type PeriodicJob, type RunnerName, job, periodicJob } from './job.ts'

/**
 * Work on one kind of record that must reach an end although others are involved: providers that do not respond,
 * callbacks that do not come, processes that are killed. A job does it, and the record has a time at which it is queued
 * again in any case.
 */
export interface FollowUp {
  readonly name: string
  /** IDs of records that are due, longest overdue first. */
  listDue(db: Db, at: Date, limit: number, clock: Clock): Promise<string[]>
  /** Queues the job of a record, once by default: not if it waits already. */
  queue(tx: Tx, id: string, options?: EnqueueOptions): void
  /** The job. Separate, because only a worker has what `handle` needs. */
  job(handle: (ctx: Ctx, id: string) => Promise<void>): Job
}

const payload = Type.Object({ id: Type.String() })

export const defineFollowUp = (
  name: string,
  { listDue, runner }: Pick<FollowUp, 'listDue'> & { runner?: RunnerName },
): FollowUp => ({
  name,
  listDue,
  queue: (tx, id, options) => enqueueJob(tx, tx.workspaceId, name, { id }, options ?? { key: id }),
  job: (handle) =>
    job(name, { payload, ...(runner && { runner }), handle: (ctx, { id }) => handle(ctx, id) }) as Job,
})

/** Maximum records of a kind in one run in one workspace. */
const perRun = 200

/** Queues what is due in a workspace. What nothing is due of costs one round trip together. */
export async function queueDue(ctx: Ctx, followUps: readonly FollowUp[]): Promise<void> {
  const at = ctx.clock.now()
  const due = await Promise.all(followUps.map(({ listDue }) => listDue(ctx.db, at, perRun, ctx.clock)))
  if (due.every((ids) => ids.length === 0)) return
  await ctx.transaction(async (tx) => {
    for (const [i, { queue }] of followUps.entries()) for (const id of due[i] ?? []) queue(tx, id)
  })
}

/** Queues what is due in all workspaces every minute. A failure in one does not stop the others. */
export const queueDueEverywhere = (
  followUps: readonly FollowUp[],
  workspaces: (directory: DirectoryDb) => AsyncIterable<{ id: string }>,
): PeriodicJob =>
  periodicJob('follow-up', {
    cron: '* * * * *',
    async handle(runtime: Runtime) {
      const actor = { type: 'system', id: null, name: 'follow-up' }
      for await (const { id: workspaceId } of workspaces(runtime.database.directory)) {
        const ctx = await refreshed(runtime, { workspaceId, actor, scopes: new Set() })
        await queueDue(ctx, followUps).catch((error: unknown) =>
          runtime.log.warn({ err: error, workspaceId }, 'what is due was not queued'),
        )
      }
    },
  })
