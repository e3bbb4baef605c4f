import type { Random } from '../../src/seed/random.ts'

/** A receiver's response to a request: its delay and whether it is a 2xx. */
export interface Reply {
  afterMs: number
  ok: boolean
}

/** The egress promises to cut off an exchange after this time. The simulation allows up to 0.3 s more. */
const timeoutMs = 10_000
const timeoutSlackMs = 300
export const exchangeMs = timeoutMs + timeoutSlackMs

type Manner = (random: Random) => Reply

const prompt: Manner = (random) => ({ afterMs: random.integer(2, 150), ok: true })
const slow: Manner = (random) => ({ afterMs: random.integer(1500, 6000), ok: true })
const hanging: Manner = () => ({ afterMs: Number.POSITIVE_INFINITY, ok: false })
const rejecting: Manner = (random) => ({ afterMs: random.integer(1, 200), ok: false })

const manners = {
  prompt,
  slow,
  hanging,
  rejecting,
  tooLate: (random) => ({ afterMs: random.integer(timeoutMs, 20_000), ok: true }),
  flaky: (random) =>
    random.weighted([
      [prompt, 5],
      [rejecting, 3],
      [hanging, 1],
      [slow, 1],
    ])(random),
} satisfies Record<string, Manner>

export type MannerName = keyof typeof manners

/** How a receiver behaves at first, and from `changesAt` on: it recovers, breaks, or stays the same. */
export interface Behavior {
  first: MannerName
  later: MannerName
  changesAt: number
}

export const healthy: readonly MannerName[] = ['prompt']

/** Whether the receiver keeps requests open for as long as it can. */
export const holdsLong = (manner: MannerName): boolean => manner === 'hanging' || manner === 'tooLate'

/** The receiver's response, at the latest when the exchange is cut off. */
export function responseOf({ first, later, changesAt }: Behavior, now: number, random: Random): Reply {
  const manner: Manner = manners[now < changesAt ? first : later]
  const reply = manner(random)
  return reply.afterMs < timeoutMs
    ? reply
    : { afterMs: timeoutMs + random.integer(0, timeoutSlackMs), ok: false }
}
