import type { TSchema } from 'typebox'
import type { LanguageModel, PromptTurn, Usage } from '../ports.ts'
import type { Breaker } from './breaker.ts'

export interface Prompt {
  system: string
  turns: readonly PromptTurn[]
}

/** What a model is asked for. Servers do not enforce schemas. */
export interface ModelForm<T> {
  schema: TSchema
  /** Tokens that it may write. */
  maxTokens: number
  /** The proposal in a JSON value that a model wrote, or what is wrong with it, for the model. */
  read(value: unknown): { proposal: T } | { issue: string }
}

/** What came of asking: a proposal that fits the schema, or why there is none. */
export type Asked<T> =
  | { kind: 'proposed'; proposal: T; usage: Usage }
  /** `isLate`: the server may charge for what it did, and `usage` is without it. */
  | { kind: 'fault'; reason: 'model_down' | 'malformed'; usage: Usage; isLate?: boolean }

/** Asks for a proposal. What does not fit the schema is asked for once more, with the fault. */
export async function askModel<T>(
  model: LanguageModel,
  breaker: Breaker,
  { system, turns }: Prompt,
  { schema, maxTokens, read }: ModelForm<T>,
): Promise<Asked<T>> {
  const usage = { promptTokens: 0, completionTokens: 0 }
  let asked = turns
  for (let tries = 0; tries < 2; tries++) {
    if (breaker.isOpen()) return { kind: 'fault', reason: 'model_down', usage }
    const response = await model.propose({ system, turns: asked, schema, maxTokens })
    breaker.note(response.kind === 'said')
    if (response.kind === 'fault')
      return {
        kind: 'fault',
        reason: 'model_down',
        usage,
        ...(response.fault === 'timeout' && { isLate: true }),
      }
    usage.promptTokens += response.usage.promptTokens
    usage.completionTokens += response.usage.completionTokens
    const value = parsed(response.text)
    const found = value === undefined ? { issue: 'It is not JSON.' } : read(value)
    if ('proposal' in found) return { kind: 'proposed', proposal: found.proposal, usage }
    const content = `What you wrote cannot be used. ${found.issue} Write one JSON object that fits the schema.`
    asked = [...turns, { role: 'user', content }]
  }
  return { kind: 'fault', reason: 'malformed', usage }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
