import type { Tx } from '#kernel/context.ts'
import { findAiSettings } from '../../personas/public.ts'
import type { LanguageModel, Usage } from '../ports.ts'
import { correctSpending, reserveSpending } from '../queries.ts'
import { type Asked, type ModelForm, type Prompt, mostTokens } from './ask-model.ts'

/** In millionths of a dollar. */
const priceOf = ({ price }: LanguageModel, { promptTokens, completionTokens }: Usage): number =>
  Math.ceil((promptTokens * price.input + completionTokens * price.output) / 1e6)

/** Reserves what asking may cost at most, in millionths of a dollar. Undefined if the day's budget does not cover it. */
export async function reserve(
  tx: Tx,
  model: LanguageModel,
  prompt: Prompt,
  form: Pick<ModelForm<unknown>, 'maxTokens'>,
): Promise<number | undefined> {
  // A token has at least two letters, and a proposal may be asked for twice.
  const promptTokens = JSON.stringify(prompt).length
  const amount = priceOf(model, { promptTokens, completionTokens: 2 * mostTokens(model, form) })
  const { daily_budget } = await findAiSettings(tx)
  const budget = Math.round(daily_budget * 1e6)
  return (await reserveSpending(tx, { day: dayOf(tx.clock.now()), amount, budget })) ? amount : undefined
}

/** Corrects what was reserved to what asking has cost, and returns that. Where it is not known, all that was reserved counts. */
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
