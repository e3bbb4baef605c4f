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
  maxTokens: number
  /** Ends the request. */
  signal?: AbortSignal | undefined
}

export interface Usage {
  promptTokens: number
  completionTokens: number
}

/** What a model said, as text; or why it said nothing. */
export type ModelResponse =
  | { kind: 'said'; text: string; usage: Usage }
  /** `message` is without what the model was given. */
  | { kind: 'fault'; fault: 'timeout' | 'unavailable' | 'rejected'; message: string }

/** A language model. The adapter speaks its protocol. */
export interface LanguageModel {
  readonly name: string
  /** In millionths of a dollar for a million tokens: what it is given, and what it writes. */
  readonly price: { input: number; output: number }
  /** Asks once. Never throws, and is done within 20 seconds. It can do nothing but propose. */
  propose(request: ModelRequest): Promise<ModelResponse>
}

export interface AiDependencies extends Dependencies {
  /** Undefined where the operator has none. */
  readonly model: LanguageModel | undefined
}
