import type { Db } from '#kernel/db/handles.ts'
import { orNotFound } from '#kernel/errors.ts'
import { findCall, findTranscript } from '../calls/public.ts'
import { findPersonaVersion, personaAt } from '../personas/public.ts'
import { findAsked } from './generation-queries.ts'
import type { Prompt } from './model/ask-model.ts'
import { digestOf } from './model/digest.ts'
import { reviewPromptOf } from './model/review.ts'
import { promptOf } from './reply/prompt.ts'
import { summaryPrompt } from './summary/summary-prompt.ts'

/** A rebuilt prompt, and whether it is identical to the original, byte for byte. */
export interface RebuiltPrompt extends Prompt {
  digest: string
  is_same: boolean
}

/**
 * The prompts for the text and for its second look. Null if the material is no longer kept, or there was no such
 * request.
 */
export interface RebuiltPrompts {
  prompt: RebuiltPrompt | null
  second_look: RebuiltPrompt | null
}

/**
 * Rebuilds a generation's prompts from the persona version and the stored material. Throws 404 if the generation
 * doesn't exist.
 */
export async function rebuildPrompts(db: Db, id: string): Promise<RebuiltPrompts> {
  const asked = orNotFound(await findAsked(db, id))
  const { persona_id, persona_version, call_id, material, reviewed, created_at } = asked
  if (call_id !== null) return rebuildSummaryPrompt(db, call_id, asked.prompt_digest)
  const version =
    persona_id === null || persona_version === null
      ? undefined
      : await findPersonaVersion(db, persona_id, persona_version)
  if (material === null || version === undefined) return { prompt: null, second_look: null }
  const persona = personaAt(version)
  const question = promptOf({ ...material, persona }, id, new Date(created_at))
  const { facts, said } = question
  const topics = persona.prohibited_topics
  const review = reviewed === null ? null : reviewPromptOf({ text: reviewed, facts, said, topics }, id)
  return {
    prompt: compared(question, asked.prompt_digest),
    second_look: review && compared(review, asked.review_digest),
  }
}

/** Rebuilds a summary prompt from the current transcript, which a later report may have extended. */
async function rebuildSummaryPrompt(db: Db, callId: string, digest: string): Promise<RebuiltPrompts> {
  const [call, transcript] = await Promise.all([findCall(db, callId), findTranscript(db, callId)])
  const isKept = call !== undefined && transcript !== null
  return { prompt: isKept ? compared(summaryPrompt(call, transcript), digest) : null, second_look: null }
}

function compared({ system, turns }: Prompt, kept: string | null): RebuiltPrompt {
  const digest = digestOf({ system, turns })
  return { system, turns, digest, is_same: digest === kept }
}
