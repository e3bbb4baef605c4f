import { type Static, Type } from 'typebox'
import { later } from '#kernel/clock.ts'
import type { Ctx } from '#kernel/context.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import { findHold } from '../installation/public.ts'
import { type Stop, listStoppedConnections, stopOf } from '../senders/public.ts'
import { type Message, maxHoldMs } from './message.ts'

/** Why a message waits for more than its turn, in words that reveal nothing about the connection. */
const reasons = {
  provider_unavailable: 'Gable cannot reach the provider of the sender, or read what it received.',
  credentials_rejected: 'The provider of the sender rejects the credentials of its connection.',
  not_connected: 'The sender belongs to a simulated connection, and the simulated carrier is not in effect.',
  restored: 'The database was restored, and a person must decide whether what waits may leave.',
} as const

export const Waiting = Type.Union(
  [
    Type.Object({
      code: Type.Enum(Object.keys(reasons) as (keyof typeof reasons)[], { title: 'WaitingReason' }),
      message: Type.String(),
      since: Type.String({ format: 'date-time', description: 'Since when nothing leaves for this reason.' }),
      fails_at: nullable({ ...Timestamp, description: 'When the message fails if nothing changes.' }),
    }),
    Type.Null(),
  ],
  {
    description:
      'Why a message that is due cannot leave: `provider_unavailable`, `credentials_rejected`, `not_connected`, or `restored`. Null if it only waits for its turn, and for all other messages. `GET /connections` says more (`stopped`).',
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

async function readStops({ directory, workspaceId }: Ctx) {
  const [hold, stopped] = await Promise.all([
    findHold(directory),
    listStoppedConnections(directory, workspaceId),
  ])
  return { hold, byConnection: new Map(stopped.map((one) => [one.id, stopOf(one)])) }
}

/** Why the message cannot leave although it is due; null if it can, or is not due. */
export async function waitingOf(
  ctx: Ctx,
  { status, direction, connection_id, scheduled_at, created_at }: Message,
): Promise<Waiting> {
  const dueAt = scheduled_at ?? created_at
  const isDue = status === 'queued' || (status === 'scheduled' && dueAt <= ctx.clock.now().toISOString())
  if (direction !== 'OUTBOUND' || !isDue) return null
  const stops = known.get(ctx) ?? readStops(ctx)
  known.set(ctx, stops)
  const { hold, byConnection } = await stops
  if (hold !== undefined)
    return { code: 'restored', message: reasons.restored, since: hold.since, fails_at: null }
  const stop = byConnection.get(connection_id ?? '') ?? null
  if (stop === null) return null
  const since = stop.since > dueAt ? stop.since : dueAt
  return {
    code: stop.code,
    message: reasons[stop.code],
    since: stop.since,
    fails_at: later(new Date(since), maxHoldMs).toISOString(),
  }
}
