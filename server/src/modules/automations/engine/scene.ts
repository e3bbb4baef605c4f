import type { Ctx, Tx } from '#kernel/context.ts'
import type { Db } from '#kernel/db/handles.ts'
import type { JournalRow } from '#kernel/events/journal.ts'
import type { Contact } from '../../contacts/public.ts'
import type { Automation } from '../automation.ts'
import type { Backfill } from '../backfill/backfill.ts'
import type { StepReply } from '../definition/advance.ts'
import type { EnrollmentFacts } from '../definition/condition-fields.ts'
import type { Definition } from '../definition/definition.ts'
import type { Enrollment, StepRecord, WaitingFor } from '../enrollment.ts'
import type { findVersion } from '../queries.ts'

/** What is known where a step is judged. */
export interface JudgeScene {
  ctx: Ctx
  tx: Db
  timezone: string
  workspaceName: string
  now: Date
}

/** What a move knows: the transaction as a context for use cases of other modules, and the contact, locked. */
export interface MoveScene extends JudgeScene {
  tx: Tx
  /** A version, read once: none ever changes. */
  versionOf: (automationId: string, version: number) => ReturnType<typeof findVersion>
  /** Whether steps of an enrollment are taken. Without, contacts enter and leave only. */
  takesStepsOf: (enrollmentId: string) => boolean
  /** Of the campaigns in which the contacts are: how they stand, until the transaction ends. */
  runs: ReadonlyMap<string, Backfill['status']>
}

/** What a step of an enrollment is to be taken with. */
export interface AskedStep<S> {
  step: S
  enrollment: Enrollment
  automation: Automation
  definition: Definition
  facts: EnrollmentFacts
  chain: readonly string[]
  /** What has been done, in order. */
  history: () => Promise<readonly StepRecord[]>
  /** What has happened since the engine last looked, other than by automations. */
  news: readonly JournalRow[]
}

/** What the history says of a step. */
type Fact = Pick<StepRecord, 'outcome' | 'reason' | 'refs'>

export interface StepResult {
  reply: StepReply
  /** Null if there is nothing to add to the history. */
  fact: Fact | null
  /** With `retry`: what it waits for meanwhile. */
  waiting?: WaitingFor
  /** As the step left it, if it is known. */
  contact?: Contact
  /** When it was due, if that differs from what the enrollment knew. */
  due?: string
}

export const result = (
  outcome: Fact['outcome'],
  reason: string | null = null,
  refs: Fact['refs'] = {},
): StepResult => ({ reply: { kind: 'done' }, fact: { outcome, reason, refs } })

/** Goes on without another entry in the history. */
export const proceed: StepResult = { reply: { kind: 'done' }, fact: null }

/** The step is looked at again when what it waits for has come, and at the latest at its end. */
export const waitFor = (waiting: WaitingFor & { until: string }, fact: Fact | null = null): StepResult => ({
  reply: { kind: 'retry', at: Date.parse(waiting.until) },
  fact,
  waiting,
})

/** A context for use cases of other modules, all in the transaction of a move. */
export function contextIn(base: Ctx, tx: MoveScene['tx']): Ctx {
  const ctx: Ctx = {
    ...base,
    actor: tx.actor,
    db: tx,
    lookups: () => tx,
    transaction: (work) => work(tx),
    unrestricted: () => ctx,
  }
  return ctx
}
