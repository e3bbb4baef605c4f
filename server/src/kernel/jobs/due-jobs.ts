import { Type } from 'typebox'
import type { IdleWorkers } from '../background/idle-workers.ts'
import { type Clock, later } from '../clock.ts'
import type { Queries } from '../db/handles.ts'
import { raw, sql } from '../db/sql.ts'
import { jobsSchema } from './migrate-jobs.ts'

/** graphile-worker notifies this channel of every job, whether it is due now or later. */
export const jobWorkers: IdleWorkers = {
  channel: 'jobs:insert',
  wake: sql`null`,
  async becomeIdle(connection) {
    await connection.run(raw('listen "jobs:insert"'))
    return true
  },
  becomeBusy: (connection) => connection.run(raw('unlisten "jobs:insert"')),
}

const WaitingRow = Type.Object({
  name: Type.String(),
  due: Type.Integer(),
  in_ms: Type.Union([Type.Number(), Type.Null()]),
})

interface WaitingJobs {
  name: string
  /** How many of them are due. */
  due: number
  /** When the next one will be. */
  dueAt: Date | undefined
}

/** The jobs that wait, by name. PostgreSQL's clock decides what is due. */
export async function countWaitingJobs(queue: Queries, clock: Clock): Promise<WaitingJobs[]> {
  const rows = await queue.many(WaitingRow)`
    select identifier as name, (count(*) filter (where run_at <= statement_timestamp()))::integer as due,
      extract(epoch from min(run_at) filter (where run_at > statement_timestamp()) - statement_timestamp())::float8 * 1000 as in_ms
    from ${raw(jobsSchema)}._private_jobs jobs join ${raw(jobsSchema)}._private_tasks tasks on tasks.id = jobs.task_id
    where is_available group by identifier`
  const now = clock.now()
  return rows.map(({ name, due, in_ms }) => ({
    name,
    due,
    dueAt: in_ms === null ? undefined : later(now, Math.ceil(in_ms)),
  }))
}
