import type { Tx } from '#kernel/context.ts'
import { findAiSettings } from '../../personas/public.ts'
import type { LanguageModel, Usage } from '../ports.ts'
import { correctSpending, reserveSpending } from '../queries.ts'
import { type Asked, type ModelForm, type Prompt, mostTokens } from './ask-model.ts'

/** The price in millionths of a dollar. */
const priceOf = ({ price }: LanguageModel, { promptTokens, completionTokens }: Usage): number =>
  Math.ceil((promptTokens * price.input + completionTokens * price.output) / 1e6)

/**
 * Reserves the maximum cost of a request, in millionths of a dollar. Returns undefined if the day's budget does not
 * cover it.
 */
export async function reserve(
  tx: Tx,
  model: LanguageModel,
  prompt: Prompt,
  form: Pick<ModelForm<unknown>, 'maxTokens'>,
  startedAt: Date,
): Promise<number | undefined> {
  // Assume at least two characters per token, and up to two requests per proposal: that makes one token per character.
  const promptTokens = JSON.stringify(prompt).length
  const amount = priceOf(model, { promptTokens, completionTokens: 2 * mostTokens(model, form) })
  const { daily_budget } = await findAiSettings(tx)
  const budget = Math.round(daily_budget * 1e6)
  return (await reserveSpending(tx, { day: dayOf(startedAt), amount, budget })) ? amount : undefined
}

/**
 * Replaces the reserved amount with the actual price, and returns it. If the usage is incomplete, the full reservation
 * counts.
 */
export function settle(
  tx: Tx,
  model: LanguageModel,
  { reserved, startedAt, asked }: { reserved: number; startedAt: Date; asked: Asked<unknown> },
): number {
  const price = asked.isUncounted === true ? reserved : priceOf(model, asked.usage)
  correctSpending(tx, dayOf(startedAt), price - reserved)
  return price
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)
