import { parseCrontab } from 'graphile-worker'
import { Type } from 'typebox'
import { type PollLoop, pollLoop } from '../background/poll-loop.ts'
import { later } from '../clock.ts'
import type { Runtime } from '../context.ts'
import type { Queries } from '../db/handles.ts'
import { sharedNow } from '../db/shared-now.ts'
import type { PeriodicJob } from './job.ts'

const minuteMs = 60_000

/** The most minutes that a process makes up for, such as after PostgreSQL was away. */
const madeUpFor = 5

/** Jobs run on PostgreSQL's clock, in tests as well. */
const present = sharedNow({})

const NowRow = Type.Object({ now: Type.String() })
const NameRow = Type.Object({ name: Type.String() })

/** Which of the jobs are due in a minute. */
export function createSchedule(jobs: readonly PeriodicJob[]): (minute: Date) => string[] {
  const items = parseCrontab(jobs.map(({ name, cron }) => `${cron} ${name}`).join('\n'))
  return (minute) => {
    const digest = {
      min: minute.getUTCMinutes(),
      hour: minute.getUTCHours(),
      date: minute.getUTCDate(),
      month: minute.getUTCMonth() + 1,
      dow: minute.getUTCDay(),
    }
    return items.filter(({ match }) => match(digest)).map(({ task }) => task)
  }
}

/**
 * Queues those of these jobs that no other process has queued for this minute, and returns their names. A last execution in
 * the future comes from a clock that was wrong, and does not count.
 */
export async function queuePeriodic(
  queue: Queries,
  names: readonly string[],
  minute: Date,
): Promise<readonly string[]> {
  const rows = await queue.many(NameRow)`
    with queued as materialized (
      insert into graphile_worker._private_known_crontabs as known (identifier, known_since, last_execution)
      select name, ${minute}::timestamptz, ${minute}::timestamptz from unnest(${names}::text[]) as name
      on conflict (identifier) do update set last_execution = excluded.last_execution
      where known.last_execution is null or known.last_execution < excluded.last_execution
        or known.last_execution > ${present} + interval '1 minute'
      returning identifier
    )
    select identifier as name from queued cross join lateral (
      select id from graphile_worker.add_job(identifier, '{}'::json)) added`
  return rows.map(({ name }) => name)
}

/**
 * Queues what was due in the minutes after `last` up to `minute`, counted since 1970. Each job once, for its own last minute:
 * another process may have queued it for that one. Returns the names.
 */
export async function queueMissed(
  queue: Queries,
  scheduleOf: (minute: Date) => string[],
  last: number,
  minute: number,
): Promise<string[]> {
  const minutes = Array.from({ length: minute - last }, (_, i) => new Date((last + 1 + i) * minuteMs))
  const due = new Map(minutes.flatMap((one) => scheduleOf(one).map((name) => [name, one] as const)))
  const queued: string[] = []
  for (const one of new Set(due.values())) {
    const names = [...due].flatMap(([name, minuteOf]) => (minuteOf === one ? [name] : []))
    queued.push(...(await queuePeriodic(queue, names, one)))
  }
  return queued
}

/**
 * Queues periodic jobs when they are due by PostgreSQL's clock, until disposed. graphile-worker would go by the clock of
 * each machine: after it was ahead, no periodic job ran until that time came.
 */
export function runPeriodicJobs(runtime: Runtime, queue: Queries, jobs: readonly PeriodicJob[]): PollLoop {
  const scheduleOf = createSchedule(jobs)
  let last: number | undefined
  return pollLoop(runtime, { complaint: 'periodic jobs not queued', eagerLooks: 0 }, async () => {
    const { now } = await queue.one(NowRow)`select ${present} as now`
    const at = Date.parse(now)
    const minute = Math.floor(at / minuteMs)
    // The minute in which a process starts is over.
    last ??= minute
    const missed = minute - last
    if (missed < 0 || missed > madeUpFor) last = minute - 1
    await queueMissed(queue, scheduleOf, last, minute)
    last = minute
    return { found: false, dueAt: later(runtime.clock.now(), (minute + 1) * minuteMs - at) }
  })
}
