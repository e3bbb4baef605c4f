import type { TSchema } from 'typebox'
import type { Dependencies } from '#kernel/module.ts'

/** A turn in the prompt after the instructions. `user` turns may contain untrusted text. */
export interface PromptTurn {
  role: 'user' | 'assistant'
  content: string
}

export interface ModelRequest {
  /** The instructions. */
  system: string
  turns: readonly PromptTurn[]
  /** The schema for the response. A model may ignore it. */
  schema: TSchema
  /** Includes thinking tokens. */
  maxTokens: number
  /** Aborts the request. */
  signal?: AbortSignal | undefined
}

export interface Usage {
  promptTokens: number
  completionTokens: number
}

/** The model's text, or why there is none. `usage` is undefined if the server doesn't report it. */
export type ModelResponse =
  | { kind: 'said'; text: string; usage: Usage | undefined }
  /** `message` never quotes the prompt. */
  | { kind: 'fault'; fault: 'timeout' | 'unavailable' | 'rejected'; message: string }
  /** The model reached `maxTokens` before it finished, or declined to respond. */
  | { kind: 'fault'; fault: 'cut_off' | 'declined'; message: string; usage: Usage | undefined }

/** A language model. Adapters implement its protocol. */
export interface LanguageModel {
  readonly name: string
  /** In millionths of a dollar per million tokens: `input` for the prompt, `output` for what the model writes. */
  readonly price: { input: number; output: number }
  /** Extra tokens for thinking, beyond what the model is asked to write. None by default. */
  readonly thinkingTokens?: number
  /** Sends one request. Never throws, and returns within 20 seconds. The model can only propose: it has no tools. */
  propose(request: ModelRequest): Promise<ModelResponse>
}

export interface AiDependencies extends Dependencies {
  /** Undefined if the operator has configured none. */
  readonly model: LanguageModel | undefined
}
