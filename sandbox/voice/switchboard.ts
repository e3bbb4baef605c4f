import type { Calls } from '../calls.ts'
import {
  type SpokenLine,
  type VoiceBehavior,
  firstLine,
  linesFor,
  pressing,
  reply,
  voiceBehaviorOf,
} from './script.ts'

export type CallEnd = 'hung_up' | 'no_answer' | 'declined' | 'bad_number' | 'voicemail'

export interface CarriedCall {
  id: string
  account: string
  from: string
  to: string
  state: 'ringing' | 'talking' | 'ended'
  end: CallEnd | null
  startedAt: Date
  answeredAt: Date | null
  endedAt: Date | null
  lines: (SpokenLine & { at: Date })[]
  /** The opening, if the call specifies one. */
  opening?: string
  /** Protocol-specific data. */
  more: Record<string, unknown>
  /** Passes a handset's action to the call. */
  press(what: Press): void
}

export type Press =
  | { kind: 'answer' | 'decline' | 'hang up' }
  | { kind: 'say'; text: string }
  | { kind: 'key'; key: string }

/** Hooks through which the protocol reports what happens in a call. */
export interface CallHooks {
  answered(call: CarriedCall): Promise<void> | void
  ended(call: CarriedCall): Promise<void> | void
}

/** The legs of one conversation. Their actions arrive in one queue. */
export interface Party {
  /** Adds a ringing leg. */
  join(given: Leg): CarriedCall
  /** The next action on any leg, or undefined if there is none within `ms`. */
  next(ms: number): Promise<{ call: CarriedCall; what: Press } | undefined>
}

type Leg = Pick<CarriedCall, 'id' | 'account' | 'from' | 'to' | 'more' | 'opening'>

export interface Switchboard {
  open(): Party
  /** How long a phone rings before it picks up by itself: longer while its page is open. */
  ringMs(number: string): number
  /** How long a person who picked up may say nothing. */
  readonly patienceMs: number
  /** Rings a number and plays the script or conversation in the background. */
  ring(call: Leg, hooks: CallHooks): { call: CarriedCall; behavior: VoiceBehavior }
  /** Starts a call from a handset, which is answered at once. */
  answer(call: Leg, hooks: CallHooks): void
  find(id: string): CarriedCall | undefined
  /** All calls, newest first. */
  all(): CarriedCall[]
  remove(id: string): void
  /** Notes that the page of a number is open, so that its phone doesn't pick up by itself yet. */
  watch(number: string): void
}

const maxCalls = 1_000

/** An open page refreshes every second. */
const watchMs = 5_000

/**
 * Multiples of `deliveryMs`: ringing before the script picks up, the length of a line, and how long a handset that
 * picked up may say nothing.
 */
const [rings, lineTakes, patience] = [10, 2, 200]

/** Rings handsets. If no one picks up on a page, a script plays within seconds. */
export function createSwitchboard({
  calls,
  now,
  deliveryMs,
}: {
  calls: Calls
  now: () => Date
  deliveryMs: number
}): Switchboard {
  const known = new Map<string, CarriedCall>()
  /** When each number's page was last read. */
  const watched = new Map<string, number>()

  const patienceMs = deliveryMs * patience
  const ringMs = (number: string) =>
    now().getTime() - (watched.get(number) ?? 0) < watchMs ? patienceMs : deliveryMs * rings

  async function play(
    call: CarriedCall,
    behavior: VoiceBehavior,
    hooks: CallHooks,
    { next }: Party,
  ): Promise<void> {
    const end = await ringAndTalk(call, behavior, hooks, next)
    call.state = 'ended'
    call.end = end
    call.endedAt = now()
    await hooks.ended(call)
  }

  async function ringAndTalk(
    call: CarriedCall,
    behavior: VoiceBehavior,
    hooks: CallHooks,
    next: Party['next'],
  ): Promise<CallEnd> {
    if (behavior.end === 'bad_number') return 'bad_number'
    const pressed = await next(ringMs(call.to))
    if (pressed?.what.kind === 'decline') return 'declined'
    if (behavior.end === 'no_answer' && pressed === undefined) return 'no_answer'
    call.state = 'talking'
    call.answeredAt = now()
    await hooks.answered(call)
    if (pressed !== undefined) return talk(call, next)
    for (const line of linesFor(behavior, call.opening)) {
      await calls.pause(deliveryMs * lineTakes)
      call.lines.push({ ...line, at: now() })
    }
    return behavior.end === 'voicemail' ? 'voicemail' : 'hung_up'
  }

  /** Talks with the handset: responds to each line until the handset hangs up or says nothing for too long. */
  async function talk(call: CarriedCall, next: Party['next']): Promise<CallEnd> {
    call.lines.push({ ...firstLine(call.opening), at: now() })
    for (;;) {
      const pressed = await next(patienceMs)
      if (pressed?.what.kind === 'key') {
        call.lines.push({ ...pressing(pressed.what.key), at: now() })
        continue
      }
      if (pressed?.what.kind !== 'say') return 'hung_up'
      call.lines.push({ speaker: 'user', text: pressed.what.text, at: now() }, { ...reply, at: now() })
    }
  }

  function open(): Party {
    const waiting: { call: CarriedCall; what: Press }[] = []
    let wake = () => {}
    return {
      join(given) {
        const call: CarriedCall = {
          ...given,
          state: 'ringing',
          end: null,
          startedAt: now(),
          answeredAt: null,
          endedAt: null,
          lines: [],
          press(what) {
            waiting.push({ call, what })
            wake()
          },
        }
        known.set(call.id, call)
        const [oldest] = known.keys()
        if (known.size > maxCalls && oldest !== undefined) known.delete(oldest)
        return call
      },
      async next(ms) {
        if (waiting.length === 0)
          await Promise.race([calls.pause(ms), new Promise<void>((resolve) => (wake = resolve))])
        return waiting.shift()
      },
    }
  }

  return {
    open,
    ringMs,
    patienceMs,
    ring(given, hooks) {
      const party = open()
      const call = party.join(given)
      const behavior = voiceBehaviorOf(call.to)
      calls.run(() => play(call, behavior, hooks, party))
      return { call, behavior }
    },
    answer(given, hooks) {
      const party = open()
      const call = party.join(given)
      calls.run(async () => {
        call.state = 'talking'
        call.answeredAt = now()
        await hooks.answered(call)
        call.end = await talk(call, party.next)
        call.state = 'ended'
        call.endedAt = now()
        await hooks.ended(call)
      })
    },
    find: (id) => known.get(id),
    all: () => [...known.values()].toReversed(),
    remove: (id) => void known.delete(id),
    watch(number) {
      watched.set(number, now().getTime())
      const [oldest] = watched.keys()
      if (watched.size > maxCalls && oldest !== undefined) watched.delete(oldest)
    },
  }
}

export const secondsOf = ({ answeredAt, endedAt }: CarriedCall): number =>
  answeredAt === null || endedAt === null ? 0 : Math.ceil((endedAt.getTime() - answeredAt.getTime()) / 1000)
