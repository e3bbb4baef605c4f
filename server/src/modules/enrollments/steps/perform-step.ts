import { holds, prepareFor } from '#kernel/conditions/condition.ts'
import { momentAt } from '#kernel/conditions/hours.ts'
import { AppError } from '#kernel/errors.ts'
import { conditionFields, type AskableStep, type BranchStep } from '../../automations/public.ts'
import { loadFacts } from '../facts/load-facts.ts'
import { act } from './act.ts'
import { askOutside } from './outside/ask-outside.ts'
import { callWebhook } from './outside/call-webhook.ts'
import { type AskedStep, type JudgeScene, type MoveScene, type StepResult, result } from './scene.ts'
import { performSend } from './send.ts'
import { waitForEvent } from './wait-for.ts'
import { waitUntil } from './wait-until.ts'

/** Takes a step in the transaction of the scene. If the owning module rejects an action, the step has failed and the next one follows. */
export async function performStep(scene: MoveScene, asked: AskedStep<AskableStep>): Promise<StepResult> {
  const { step } = asked
  if (step.type === 'branch') return chooseBranch(scene, { ...asked, step })
  if (step.type === 'wait_until') return waitUntil(scene, { ...asked, step })
  if (step.type === 'wait_for') return waitForEvent(scene, { ...asked, step })
  if (step.type === 'webhook')
    return askOutside(scene, asked, (at, options) => scene.tx.enqueue(callWebhook, at, options))
  if (step.type === 'send' || step.type === 'appointment_reminder' || step.type === 'ai_message')
    return performSend(scene, { ...asked, step })
  try {
    return await act(scene, { ...asked, step })
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return result('failed', error.code)
  }
}

/** Chooses the first branch whose conditions hold, or else `else`. */
export async function chooseBranch(
  { ctx, tx, now, timezone }: JudgeScene,
  { step, facts: known }: Pick<AskedStep<BranchStep>, 'step' | 'facts'>,
): Promise<StepResult> {
  const moment = momentAt(now, timezone)
  const asked = step.branches.map(({ conditions }) => conditions)
  const facts = await loadFacts({ db: tx, keys: ctx.keys }, known, asked, now)
  const index = step.branches.findIndex(({ conditions }) =>
    holds(prepareFor(conditionFields, conditions), facts, moment),
  )
  const steps = index === -1 ? step.else : step.branches[index]?.steps
  const reason = index === -1 ? 'else' : `branch ${index + 1}`
  return { ...result('done', reason), reply: { kind: 'branch', steps: steps?.[0]?.key ?? null } }
}
