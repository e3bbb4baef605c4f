import type { TSchema } from 'typebox'
import type { Dependencies } from '#kernel/module.ts'

/** What a model is given after its instructions, in its order. `user` turns may hold what others wrote. */
export interface PromptTurn {
  role: 'user' | 'assistant'
  content: string
}

export interface ModelRequest {
  /** The instructions. */
  system: string
  turns: readonly PromptTurn[]
  /** What the response must fit. A model may not keep to it. */
  schema: TSchema
  /** What it thinks counts, too. */
  maxTokens: number
  /** Ends the request. */
  signal?: AbortSignal | undefined
}

export interface Usage {
  promptTokens: number
  completionTokens: number
}

/** What a model said, as text; or why it said nothing. `usage` is undefined where the server does not say it. */
export type ModelResponse =
  | { kind: 'said'; text: string; usage: Usage | undefined }
  /** `message` is without what the model was given. */
  | { kind: 'fault'; fault: 'timeout' | 'unavailable' | 'rejected'; message: string }
  /** It reached `maxTokens` before its end, or refused to respond. */
  | { kind: 'fault'; fault: 'cut_off' | 'refused'; message: string; usage: Usage | undefined }

/** A language model. The adapter speaks its protocol. */
export interface LanguageModel {
  readonly name: string
  /** In millionths of a dollar for a million tokens: what it is given, and what it writes. */
  readonly price: { input: number; output: number }
  /** So many tokens it may think before it writes, beyond what it is asked to write; none by default. */
  readonly thinkingTokens?: number
  /** Asks once. Never throws, and is done within 20 seconds. It can do nothing but propose. */
  propose(request: ModelRequest): Promise<ModelResponse>
}

export interface AiDependencies extends Dependencies {
  /** Undefined where the operator has none. */
  readonly model: LanguageModel | undefined
}
