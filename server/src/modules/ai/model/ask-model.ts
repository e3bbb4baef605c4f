import type { LanguageModel, PromptTurn, Usage } from '../ports.ts'
import type { Breaker } from './breaker.ts'
import { Proposal, readProposal } from './proposal.ts'

export interface Prompt {
  system: string
  turns: readonly PromptTurn[]
}

/** What came of asking: a proposal that fits the schema, or why there is none. */
export type Asked =
  | { kind: 'proposed'; proposal: Proposal; usage: Usage }
  | { kind: 'fault'; reason: 'model_down' | 'malformed'; usage: Usage }

/** Tokens that a model may write. */
export const maxTokens = 700

/** Asks for a proposal. What does not fit the schema is asked for once more, with the fault. */
export async function askModel(
  model: LanguageModel,
  breaker: Breaker,
  { system, turns }: Prompt,
): Promise<Asked> {
  const usage = { promptTokens: 0, completionTokens: 0 }
  let asked = turns
  for (let tries = 0; tries < 2; tries++) {
    if (breaker.isOpen()) return { kind: 'fault', reason: 'model_down', usage }
    const response = await model.propose({ system, turns: asked, schema: Proposal, maxTokens })
    breaker.note(response.kind === 'said')
    if (response.kind === 'fault') return { kind: 'fault', reason: 'model_down', usage }
    usage.promptTokens += response.usage.promptTokens
    usage.completionTokens += response.usage.completionTokens
    const read = readProposal(response.text)
    if ('proposal' in read) return { kind: 'proposed', proposal: read.proposal, usage }
    const content = `What you wrote cannot be used. ${read.issue} Write one JSON object that fits the schema.`
    asked = [...turns, { role: 'user', content }]
  }
  return { kind: 'fault', reason: 'malformed', usage }
}
