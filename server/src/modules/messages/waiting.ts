import { type Static, Type } from 'typebox'
import { later } from '#kernel/clock.ts'
import type { Ctx } from '#kernel/context.ts'
import { wrongMs } from '#kernel/db/clock-watch.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import { findHold, findWorkers } from '../installation/public.ts'
import { type Stop, listStoppedConnections, stopOf } from '../senders/public.ts'
import { type Message, maxHoldMs } from './message.ts'
import { type UsedUp, findUsedUp } from './pace/daily-limit.ts'

/** Why a message waits for more than its turn, in words that reveal nothing about the connection. */
const reasons = {
  provider_unavailable: 'Gable cannot reach the provider of the sender, or read what it received.',
  credentials_rejected: 'The provider of the sender rejects the credentials of its connection.',
  not_connected: 'The sender belongs to a simulated connection, and the simulated carrier is not in effect.',
  restored: 'The database was restored, and a person must decide whether what waits may leave.',
  clock_wrong: 'The clocks of the workers are wrong by more than 30 seconds.',
  no_worker: 'No worker is running.',
  daily_limit: 'The daily limit of the brand is used up. A new day begins at midnight Pacific Time.',
} as const

export const Waiting = Type.Union(
  [
    Type.Object({
      code: Type.Enum(Object.keys(reasons) as (keyof typeof reasons)[], { title: 'WaitingReason' }),
      message: Type.String(),
      since: Type.String({
        format: 'date-time',
        description:
          'Since when nothing leaves for this reason; for `clock_wrong` and `no_worker`, since when the message is due.',
      }),
      fails_at: nullable({
        ...Timestamp,
        description: 'When the message fails if nothing changes. Null if it waits for as long as it takes.',
      }),
    }),
    Type.Null(),
  ],
  {
    description: `Why a message that is due cannot leave: ${Object.keys(reasons)
      .map((code) => `\`${code}\``)
      .join(
        ', ',
      )}. Null if it only waits for its turn, and for all other messages. \`GET /connections\` says more about a connection (\`stopped\`).`,
  },
)
type Waiting = Static<typeof Waiting>

/** The failure of a message that has waited too long for a connection. */
export const stoppedFailure = ({ code }: Pick<Stop, 'code'>) => ({
  code,
  carrierCode: null,
  message: `The message waited for ${maxHoldMs / 3_600_000} hours. ${reasons[code]}`,
})

/** Read once for all messages of a request. */
const known = new WeakMap<Ctx, ReturnType<typeof readStops>>()

async function readStops({ directory, workspaceId, clock }: Ctx) {
  const [hold, workers, stopped] = await Promise.all([
    findHold(directory),
    findWorkers(directory, clock.real),
    listStoppedConnections(directory, workspaceId),
  ])
  return {
    hold,
    workers: workers.count,
    isClockWrong:
      workers.are_wrong ?? Math.abs(clock.real.now().getTime() - Date.parse(workers.now)) > wrongMs,
    byConnection: new Map(stopped.map((one) => [one.id, stopOf(one)])),
    bySender: new Map<string, Promise<UsedUp | undefined>>(),
  }
}

/** A worker that was just started, or that lost its connection, is back within this time. */
const absentMs = 120_000

/** Why the message cannot leave although it is due; null if it can, or is not due. */
export async function waitingOf(
  ctx: Ctx,
  { status, direction, connection_id, sender_id, segments, scheduled_at, created_at }: Message,
): Promise<Waiting> {
  const dueAt = scheduled_at ?? created_at
  const isDue = status === 'queued' || (status === 'scheduled' && dueAt <= ctx.clock.now().toISOString())
  if (direction !== 'OUTBOUND' || !isDue) return null
  const stops = known.get(ctx) ?? readStops(ctx)
  known.set(ctx, stops)
  const { hold, workers, isClockWrong, byConnection, bySender } = await stops
  const give = (code: keyof typeof reasons, since: string): Waiting => ({
    code,
    message: reasons[code],
    since,
    fails_at: null,
  })
  if (hold !== undefined) return give('restored', hold.since)
  if (isClockWrong) return give('clock_wrong', dueAt)
  if (workers === 0 && later(new Date(dueAt), absentMs) <= ctx.clock.now()) return give('no_worker', dueAt)
  const stop = byConnection.get(connection_id ?? '') ?? null
  if (stop === null) {
    if (sender_id === null) return null
    const found = bySender.get(sender_id) ?? findUsedUp(ctx, sender_id)
    bySender.set(sender_id, found)
    const usedUp = await found
    return usedUp === undefined || usedUp.left >= (segments ?? 1) ? null : give('daily_limit', usedUp.since)
  }
  const since = stop.since > dueAt ? stop.since : dueAt
  return {
    code: stop.code,
    message: reasons[stop.code],
    since: stop.since,
    fails_at: later(new Date(since), maxHoldMs).toISOString(),
  }
}
