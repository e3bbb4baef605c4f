import type { TSchema } from 'typebox'
import type { LanguageModel, ModelResponse, PromptTurn, Usage } from '../ports.ts'
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

/** What asking came to in tokens. */
interface Spent {
  usage: Usage
  /** `usage` is not all: the server does not say it, or responds too late and may charge for what it did. */
  isUncounted?: true
}

/** What came of asking: a proposal that fits the schema, or why there is none; `detail` is for the operator. */
export type Asked<T> = Spent &
  (
    | { kind: 'proposed'; proposal: T }
    | { kind: 'fault'; reason: 'model_down' | 'malformed' | 'cut_off' | 'refused'; detail: string }
  )

/** So many tokens a model may write, what it thinks included. */
export const mostTokens = (
  { thinkingTokens = 0 }: LanguageModel,
  { maxTokens }: Pick<ModelForm<unknown>, 'maxTokens'>,
): number => maxTokens + thinkingTokens

/** Asks for a proposal. What does not fit the schema is asked for once more, with the fault. */
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
    breaker.note('usage' in response)
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
 * The JSON that a model wrote. Servers that do not enforce the schema let it think aloud first, with or without the opening mark, or
 * fence what it writes.
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
