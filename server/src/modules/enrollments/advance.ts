import { spanMs } from '#kernel/steps/span.ts'
import { type AskableStep, type Definition, nextAfter, stepOf } from '../automations/public.ts'

/** Where an enrollment is: at its next step, or waiting at one. */
export interface State {
  /** Null after the last step. */
  at: string | null
  /** When it continues, in epoch milliseconds. Null if it does not wait, or if its step is to be asked again. */
  until: number | null
}

/** The result of the step that was asked. */
export type StepReply =
  | { kind: 'done' }
  /** The key of the first step in the chosen branch. Null if that branch is empty, or if none applies. */
  | { kind: 'branch'; steps: string | null }
  /** Not yet: the step is asked again at that time, or earlier. */
  | { kind: 'retry'; at: number }
  | { kind: 'end'; reason: string }

export type Move =
  | { kind: 'ask'; step: AskableStep }
  | { kind: 'wait'; until: number }
  | { kind: 'end'; reason: string | null }

export interface Advance {
  state: State
  move: Move
  /** The key of the `wait` that has just ended; a wait is a step of its own. */
  ended?: string
}

export const beginning = ({ steps }: Definition): State => ({
  at: steps[0]?.key ?? null,
  until: null,
})

/**
 * The next move of an enrollment. `reply` is the result of the step that the previous move asked. A pure function: it knows neither clock
 * nor database. Every tree of steps ends, because no step leads back.
 */
export function advance(
  definition: Definition,
  state: State,
  reply: StepReply | undefined,
  now: number,
): Advance {
  const after = (key: string): State => ({ at: nextAfter(definition.steps, key), until: null })
  const { at, until } = state
  if (at === null) return { state, move: { kind: 'end', reason: null } }
  if (reply?.kind === 'end') return { state, move: { kind: 'end', reason: reply.reason } }
  if (reply?.kind === 'retry') {
    return { state: { at, until: reply.at }, move: { kind: 'wait', until: reply.at } }
  }
  if (reply?.kind === 'branch')
    return advance(
      definition,
      reply.steps === null ? after(at) : { at: reply.steps, until: null },
      undefined,
      now,
    )
  if (reply?.kind === 'done') return advance(definition, after(at), undefined, now)
  if (until !== null && now < until) return { state, move: { kind: 'wait', until } }
  const step = stepOf(definition, at)
  if (step === undefined) return { state: { ...state, at: null }, move: { kind: 'end', reason: null } }
  if (step.type !== 'wait') return { state: { at, until: null }, move: { kind: 'ask', step } }
  if (until !== null) return { ...advance(definition, after(at), undefined, now), ended: at }
  const end = now + spanMs(step.for)
  return { state: { at, until: end }, move: { kind: 'wait', until: end } }
}
