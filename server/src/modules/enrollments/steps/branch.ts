import { holds, prepareFor } from '#kernel/conditions/condition.ts'
import { momentAt } from '#kernel/conditions/hours.ts'
import { type BranchStep, conditionFields } from '../../automations/public.ts'
import { loadFacts } from '../facts/load-facts.ts'
import { type AskedStep, type JudgeScene, type StepResult, result } from './scene.ts'

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
