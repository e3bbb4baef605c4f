import type { TSchema } from 'typebox'
import type { LanguageModel, ModelResponse, PromptTurn, Usage } from '../ports.ts'
import type { Breaker } from './breaker.ts'

export interface Prompt {
  system: string
  turns: readonly PromptTurn[]
}

/** What to ask a model for. Not every server enforces schemas, so `read` checks the result. */
export interface ModelForm<T> {
  schema: TSchema
  /** Maximum tokens for the proposal. */
  maxTokens: number
  /** Reads the proposal from the model's JSON, or returns an issue, worded for the model. */
  read(value: unknown): { proposal: T } | { issue: string }
}

/** Tokens used. */
interface Spent {
  usage: Usage
  /** `usage` is incomplete: the server doesn't report it, or timed out and may still charge for its work. */
  isUncounted?: true
}

/** The result: a proposal that fits the schema, or why there is none. `detail` is for the operator. */
export type Asked<T> = Spent &
  (
    | { kind: 'proposed'; proposal: T }
    | { kind: 'fault'; reason: 'model_down' | 'malformed' | 'cut_off' | 'declined'; detail: string }
  )

/** Maximum tokens that a model may write, including its thinking. */
export const mostTokens = (
  { thinkingTokens = 0 }: LanguageModel,
  { maxTokens }: Pick<ModelForm<unknown>, 'maxTokens'>,
): number => maxTokens + thinkingTokens

/** Asks for a proposal. If the response is unusable, asks once more and includes the issue. */
export async function askModel<T>(
  model: LanguageModel,
  breaker: Breaker,
  { system, turns }: Prompt,
  form: ModelForm<T>,
): Promise<Asked<T>> {
  const { schema, read } = form
  const maxTokens = mostTokens(model, form)
  const spent: Spent = { usage: { promptTokens: 0, completionTokens: 0 } }
  let asked = turns
  let issue = ''
  for (let tries = 0; tries < 2; tries++) {
    if (breaker.isOpen()) return { ...spent, kind: 'fault', reason: 'model_down', detail: 'failed before' }
    const response = await model.propose({ system, turns: asked, schema, maxTokens })
    breaker.record('usage' in response)
    addTo(spent, response)
    if (response.kind === 'fault') {
      const reason = 'usage' in response ? response.fault : 'model_down'
      return { ...spent, kind: 'fault', reason, detail: response.message }
    }
    const value = parsed(response.text)
    const found = value === undefined ? { issue: 'It is not JSON.' } : read(value)
    if ('proposal' in found) return { ...spent, kind: 'proposed', proposal: found.proposal }
    ;({ issue } = found)
    const content = `What you wrote cannot be used. ${issue} Write one JSON object that fits the schema.`
    asked = [...turns, { role: 'user', content }]
  }
  return { ...spent, kind: 'fault', reason: 'malformed', detail: issue }
}

function addTo(spent: Spent, response: ModelResponse): void {
  if (!('usage' in response)) {
    if (response.fault === 'timeout') spent.isUncounted = true
    return
  }
  if (response.usage === undefined) spent.isUncounted = true
  spent.usage.promptTokens += response.usage?.promptTokens ?? 0
  spent.usage.completionTokens += response.usage?.completionTokens ?? 0
}

/**
 * Parses the JSON that a model wrote. Servers that don't enforce the schema let the model think aloud first, with or
 * without an opening `<think>` tag, or wrap the JSON in a code fence.
 */
const parsed = (text: string): unknown =>
  json(text) ?? json(withoutFence(text.replace(/^[\s\S]*<\/think>/, '')))

const withoutFence = (text: string): string =>
  text.trim().replace(/^```(?:json)?[ \t]*\n([\s\S]*)\n```$/, '$1')

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
