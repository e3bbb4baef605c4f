import type { Ctx, Tx } from '#kernel/context.ts'
import type { Automation } from '../automation.ts'
import type { StepReply } from '../definition/advance.ts'
import type { EnrollmentFacts } from '../definition/condition-fields.ts'
import type { Definition } from '../definition/definition.ts'
import type { Enrollment, StepRecord } from '../enrollment.ts'

/** What a move knows: the transaction as a context for use cases of other modules, and the contact, locked. */
export interface MoveScene {
  ctx: Ctx
  tx: Tx
  timezone: string
  workspaceName: string
  now: Date
  takesSteps: boolean
}

/** What a step of an enrollment is to be taken with. */
export interface AskedStep<S> {
  step: S
  enrollment: Enrollment
  automation: Automation
  definition: Definition
  facts: EnrollmentFacts
  chain: readonly string[]
}

export interface StepResult extends Pick<StepRecord, 'outcome' | 'reason' | 'refs'> {
  reply: StepReply
}

export const result = (
  outcome: StepResult['outcome'],
  reason: string | null = null,
  refs: StepResult['refs'] = {},
): StepResult => ({ reply: { kind: 'done' }, outcome, reason, refs })

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
