import type { Ctx } from '#kernel/context.ts'
import { newId } from '#kernel/ids.ts'
import { findAiSettings } from '../../personas/public.ts'
import { type Asked, maxTokens } from '../model/ask-model.ts'
import type { LanguageModel, Usage } from '../ports.ts'
import { correctSpending, insertGeneration, reserveSpending, saveGeneration } from '../queries.ts'
import { materialOf } from './material.ts'
import { type Question, promptOf } from './prompt.ts'
import type { ReplyScene } from './read-scene.ts'

/** A model that is being asked: what was reserved for it, and since when. */
export interface BegunGeneration {
  id: string
  question: Question
  reserved: number
  startedAt: Date
}

const microdollars = 1e6

/** In millionths of a dollar. */
const priceOf = ({ price }: LanguageModel, { promptTokens, completionTokens }: Usage): number =>
  Math.ceil((promptTokens * price.input + completionTokens * price.output) / 1e6)

/** Records that a model is asked, and reserves what it may cost at most. Undefined if the day's budget does not cover it. */
export const beginGeneration = (
  ctx: Ctx,
  scene: ReplyScene,
  model: LanguageModel,
): Promise<BegunGeneration | undefined> =>
  ctx.transaction(async (tx) => {
    const startedAt = tx.clock.now()
    const id = newId(startedAt)
    const question = promptOf(materialOf(scene), id, startedAt)
    const letters = JSON.stringify(question).length
    // A token has at least two letters, and a proposal may be asked for twice.
    const reserved = priceOf(model, { promptTokens: letters, completionTokens: 2 * maxTokens })
    const { daily_budget } = await findAiSettings(tx)
    const budget = Math.round(daily_budget * microdollars)
    if (!(await reserveSpending(tx, { day: dayOf(startedAt), amount: reserved, budget }))) return undefined
    const time = startedAt.toISOString()
    insertGeneration(tx, {
      id,
      persona_id: scene.persona.id,
      persona_version: scene.persona.version,
      conversation_id: scene.conversationId,
      contact_id: scene.contact.id,
      last_message_id: scene.last.id,
      model: model.name,
      prompt_digest: question.digest,
      prompt_tokens: 0,
      completion_tokens: 0,
      reserved,
      created_at: time,
      updated_at: time,
    })
    return { id, question, reserved, startedAt }
  })

/** Records what a model said and what it has cost. */
export const settleGeneration = (
  ctx: Ctx,
  { id, reserved, startedAt }: BegunGeneration,
  model: LanguageModel,
  asked: Asked,
): Promise<void> =>
  ctx.transaction(async (tx) => {
    const price = priceOf(model, asked.usage)
    correctSpending(tx, dayOf(startedAt), price - reserved)
    saveGeneration(tx, id, {
      prompt_tokens: asked.usage.promptTokens,
      completion_tokens: asked.usage.completionTokens,
      price,
      proposal: asked.kind === 'proposed' ? asked.proposal : null,
      updated_at: tx.clock.now().toISOString(),
    })
  })

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)
