import { Type } from 'typebox'
import type { DirectoryDb } from '../db/handles.ts'
import { sql } from '../db/sql.ts'

const CountRow = Type.Object({ count: Type.Integer() })

const queuedBefore = (names: readonly string[], before: Date) => sql`
  graphile_worker._private_jobs jobs
  join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
  where identifier = any (${names}::text[]) and jobs.created_at < ${before}`

/** How many jobs of these names were queued before a time. */
export const countJobs = async (
  directory: DirectoryDb,
  names: readonly string[],
  before: Date,
): Promise<number> =>
  (await directory.one(CountRow)`select count(*)::integer as count from ${queuedBefore(names, before)}`).count

/** Removes the jobs of these names that were queued before a time and do not run. Returns how many. */
export const dropJobs = async (
  directory: DirectoryDb,
  names: readonly string[],
  before: Date,
): Promise<number> => {
  const { count } = await directory.one(CountRow)`
    select count(*)::integer as count from graphile_worker.complete_jobs(array(
      select jobs.id from ${queuedBefore(names, before)}))`
  return count
}
