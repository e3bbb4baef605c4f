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

/** A call that the carrier has. */
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
  /** What is to be said first, if the call says so. */
  opening?: string
  /** What its protocol knows of it. */
  more: Record<string, unknown>
  /** What a handset does. */
  press(what: Press): void
}

export type Press =
  | { kind: 'answer' | 'decline' | 'hang up' }
  | { kind: 'say'; text: string }
  | { kind: 'key'; key: string }

/** What happens in a call, for the protocol to report. */
export interface CallHooks {
  answered(call: CarriedCall): Promise<void> | void
  ended(call: CarriedCall): Promise<void> | void
}

/** The legs of one conversation: what anyone in it presses is heard in turn. */
export interface Party {
  /** Adds a leg, which rings. */
  join(given: Leg): CarriedCall
  /** What someone presses next; undefined if no one does anything for so long. */
  next(ms: number): Promise<{ call: CarriedCall; what: Press } | undefined>
}

type Leg = Pick<CarriedCall, 'id' | 'account' | 'from' | 'to' | 'more' | 'opening'>

export interface Switchboard {
  open(): Party
  /** How long a phone rings before it picks up by itself: longer while someone looks at its page. */
  ringMs(number: string): number
  /** How long who picked up may stay silent. */
  readonly patienceMs: number
  /** Rings a number and plays what follows, in the background. */
  ring(call: Leg, hooks: CallHooks): { call: CarriedCall; behavior: VoiceBehavior }
  /** A call that a handset places, and that is answered at once. */
  answer(call: Leg, hooks: CallHooks): void
  find(id: string): CarriedCall | undefined
  /** Newest first. */
  all(): CarriedCall[]
  remove(id: string): void
  /** Someone looks at the page of a number: it does not pick up by itself. */
  watch(number: string): void
}

const maxCalls = 1_000

/** A page that is open is read each second. */
const watchMs = 5_000

/** How often `deliveryMs` a phone rings before the script picks up, a line lasts, and a handset that picked up may stay silent. */
const [rings, lineTakes, patience] = [10, 2, 200]

/** Rings handsets. If none picks up on its page, a script talks, in seconds. */
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
  /** When someone last looked at the page of a number. */
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

  /** With the handset: what it says is answered, until it hangs up or falls silent. */
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
