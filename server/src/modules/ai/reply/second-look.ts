import type { Ctx } from '#kernel/context.ts'
import type { HandoffReason } from '../events.ts'
import { askModel } from '../model/ask-model.ts'
import { digestOf } from '../model/digest.ts'
import type { Responder } from '../model/responder.ts'
import { reviewForm, reviewPromptOf } from '../model/review.ts'
import { reserve, settle } from '../model/spending.ts'
import { addCost, saveReviewed } from '../queries.ts'
import { type BegunGeneration, recordFault } from './generation.ts'
import type { WritingScene } from './read-scene.ts'

/** The result of a second look: checks for the generation, and a fault if the look failed. */
export interface SecondLook {
  checks: string[]
  fault?: HandoffReason
}

/**
 * Has the model judge a text that passed the rules, outside any transaction. It can add findings but never lift any,
 * because a text that fails the rules never gets here.
 */
export async function lookAgain(
  ctx: Ctx,
  { persona }: Pick<WritingScene, 'persona'>,
  { id, question }: BegunGeneration,
  text: string,
  { model, breaker }: Responder,
): Promise<SecondLook> {
  const failed = (fault: HandoffReason) => ({ checks: ['second_look_failed'], fault })
  if (model === undefined) return failed('model_down')
  const { facts, said } = question
  const prompt = reviewPromptOf({ text, facts, said, topics: persona.prohibited_topics }, id)
  const startedAt = ctx.clock.now()
  const reserved = await ctx.transaction(async (tx) => {
    const amount = await reserve(tx, model, prompt, reviewForm, startedAt)
    if (amount !== undefined) saveReviewed(tx, id, text, digestOf(prompt))
    return amount
  })
  if (reserved === undefined) return failed('budget')
  const asked = await askModel(model, breaker, prompt, reviewForm)
  recordFault(ctx, id, asked)
  await ctx.transaction(async (tx) =>
    addCost(tx, id, {
      ...asked.usage,
      price: settle(tx, model, { reserved, startedAt, asked }),
    }),
  )
  if (asked.kind === 'fault') return failed(asked.reason)
  const codes = [...new Set(asked.proposal.findings.map(({ code }) => code))]
  return { checks: codes.length === 0 ? ['second_look_passed'] : ['second_look_raised', ...codes] }
}
