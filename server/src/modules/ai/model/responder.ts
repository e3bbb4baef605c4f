import type { LanguageModel } from '../ports.ts'
import type { Breaker } from './breaker.ts'

/** What writes for the AI: the model, and the breaker that spares it after failures. */
export interface Responder {
  model: LanguageModel | undefined
  breaker: Breaker
}
