import { later } from '#kernel/clock.ts'
import { type Ctx, turningLock } from '#kernel/context.ts'
import { lock } from '#kernel/db/lock.ts'
import { ValidationFailed, defineError } from '#kernel/errors.ts'
import { bringJobsForward } from '#kernel/jobs/bring-jobs-forward.ts'
import { TestClockTurned } from './events.ts'
import { findClockAhead, saveClockAhead } from './queries.ts'

const NotATestWorkspace = defineError('not_a_test_workspace', 409, () => ({
  message:
    'Only the clock of a workspace in test mode can be turned. Create one: gable workspaces create --test',
}))

const dayMs = 86_400_000

/** How far one call may turn the clock. */
const atOnceMs = 366 * dayMs

/** How far the clock may be ahead. IDs and times stay valid. */
const inAllMs = 10 * 366 * dayMs

/** The time in the workspace, and by how many seconds it is ahead. */
export function readClock({ clock }: Pick<Ctx, 'clock'>) {
  const [now, real] = [clock.now(), clock.real.now()]
  return { now: now.toISOString(), ahead_seconds: (now.getTime() - real.getTime()) / 1000 }
}

/** How to turn it: either by an ISO 8601 duration, such as `PT2H`, or to a time. */
interface Turn {
  advance?: string
  now?: string
}

const unitsMs = { W: 7 * dayMs, D: dayMs, H: 3_600_000, M: 60_000, S: 1000 }

/** `duration`: of weeks, days, hours, minutes, and seconds. */
const durationMs = (duration: string): number =>
  [...duration.matchAll(/(\d{1,9})([WDHMS])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * unitsMs[unit as keyof typeof unitsMs],
    0,
  )

/**
 * Turns the clock of a workspace in test mode forward. What is due until then becomes due at once, also in queues, in the
 * same transaction. Waits for the workspace's transactions in progress. Throws `NotATestWorkspace`, and 400 for a turn that
 * goes back or too far.
 */
export const turnClock = (ctx: Ctx, { advance, now: to }: Turn) =>
  ctx.transaction(async (tx) => {
    if (!tx.testMode) throw NotATestWorkspace()
    lock(tx, turningLock)
    const before = (await findClockAhead(tx, tx.workspaceId)) ?? 0
    const now = later(tx.clock.real.now(), before)
    const fault = (message: string, path = advance === undefined ? 'now' : 'advance') =>
      ValidationFailed([{ path, message }])
    if ((advance === undefined) === (to === undefined))
      throw fault('must be the only one of advance and now', 'advance')
    const ms = to === undefined ? durationMs(advance ?? '') : Date.parse(to) - now.getTime()
    if (ms < 0) throw fault(`must not be before the workspace's time, ${now.toISOString()}`)
    if (ms > atOnceMs)
      throw fault('must be at most 366 days ahead of the present; turn the clock in several calls')
    if (before + ms > inAllMs) throw fault('would put the clock more than ten years ahead')
    saveClockAhead(tx, tx.workspaceId, before + ms)
    bringJobsForward(tx, ms)
    const turned = later(now, ms).toISOString()
    await tx.emit(TestClockTurned, { id: tx.workspaceId, ms, now: turned })
    return { now: turned, ahead_seconds: (before + ms) / 1000 }
  })
