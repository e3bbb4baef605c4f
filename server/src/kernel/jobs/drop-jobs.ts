import { Type } from 'typebox'
import type { DirectoryDb } from '../db/handles.ts'

const CountRow = Type.Object({ count: Type.Integer() })

/** Removes the jobs of these names that were queued before a time and do not run. Returns how many. */
export const dropJobs = async (
  directory: DirectoryDb,
  names: readonly string[],
  before: Date,
): Promise<number> => {
  const { count } = await directory.one(CountRow)`
    select count(*)::integer as count from graphile_worker.complete_jobs(array(
      select jobs.id from graphile_worker._private_jobs jobs
      join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
      where identifier = any (${names}::text[]) and jobs.created_at < ${before}))`
  return count
}
