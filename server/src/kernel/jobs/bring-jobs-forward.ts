import type { WorkspaceTx } from '../db/handles.ts'
import { jobWorkers } from './due-jobs.ts'

/** Makes the jobs of the workspace that do not run yet due earlier by so many milliseconds. */
export function bringJobsForward(tx: WorkspaceTx, ms: number): void {
  tx.write`
    select count(*) from (
      select id, run_at from graphile_worker._private_jobs
      where locked_at is null and payload ->> 'workspaceId' = ${tx.workspaceId}) waiting,
      lateral graphile_worker.reschedule_jobs(array[waiting.id], waiting.run_at - ${ms} * interval '1 millisecond') moved`
  tx.write`select pg_notify(${jobWorkers.channel}, '')`
}
