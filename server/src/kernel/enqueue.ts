import type { TObject } from 'typebox'
import type { DirectoryTx } from './db/handles.ts'
import type { WorkspaceClock } from './workspace-clock.ts'

/** What a queue knows of a job: its name, and the schema of its payload. */
export interface Deferred<P extends TObject = TObject> {
  readonly name: string
  readonly payload: P
}

export interface EnqueueOptions {
  /** The earliest time to run, in the workspace's time. Now by default. */
  runAt?: Date
  /** Replaces a waiting job with the same key in the same workspace. The new job keeps the old one's time. */
  key?: string
}

/**
 * Queues a job that exists only if this transaction commits. `workspaceId` is null for a directory job. Use cases
 * call `tx.enqueue` instead; this is for jobs of other workspaces and of the directory.
 */
export const enqueueJob = (
  tx: DirectoryTx & { clock?: WorkspaceClock },
  workspaceId: string | null,
  name: string,
  payload: unknown,
  { runAt, key }: EnqueueOptions = {},
): void =>
  tx.write`
    select 1 from graphile_worker.add_job(
      ${name}, ${JSON.stringify({ workspaceId, payload })}::json, run_at => ${runAt === undefined ? null : (tx.clock?.due(runAt) ?? runAt)}::timestamptz,
      job_key => ${key === undefined ? null : `${workspaceId} ${name} ${key}`}::text, job_key_mode => 'preserve_run_at')`
