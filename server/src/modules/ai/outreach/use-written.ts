import type { Tx } from '#kernel/context.ts'
import { countAiMessages, saveSuggestion, listVerifiedOfContact } from '../../messages/public.ts'
import type { Persona } from '../../personas/public.ts'
import { findGeneration } from '../generation-queries.ts'
import { saveGeneration } from '../queries.ts'
import { disclosedText } from '../reply/disclosed-text.ts'
import { lastWrittenOf } from '../reply/read-scene.ts'
import { maxAgeMs } from '../reply/require-standing.ts'

/** A persona's text that is still valid. */
export interface Written {
  generationId: string
  conversationId: string | null
  body: string
}

/**
 * The text of a generation while it is still valid: for five minutes, while the persona is unchanged and neither side
 * has written since. Otherwise marks the generation `outdated` and returns undefined. The caller holds the contact.
 */
export async function findWritten(tx: Tx, id: string, persona: Persona): Promise<Written | undefined> {
  const generation = await findGeneration(tx, id)
  const { proposal = null, contact_id = null } = generation ?? {}
  if (generation === undefined || proposal === null || contact_id === null) return undefined
  const now = tx.clock.now()
  const [messages, { ever }] = await Promise.all([
    listVerifiedOfContact(tx, contact_id, 10),
    countAiMessages(tx, contact_id, now),
  ])
  const stands =
    now.getTime() - Date.parse(generation.created_at) <= maxAgeMs &&
    generation.persona_version === persona.version &&
    generation.last_message_id === (lastWrittenOf(messages)?.id ?? null)
  if (!stands) {
    saveGeneration(tx, id, { decision: 'outdated', updated_at: now.toISOString() })
    return undefined
  }
  const { conversation_id: conversationId } = generation
  return { generationId: id, conversationId, body: disclosedText(persona, proposal.text, ever === 0) }
}

/** Records the outcome of a written text. */
export const recordWritten = (
  tx: Tx,
  { generationId }: Written,
  decision: 'queued' | 'pending' | 'blocked',
  messageId: string | undefined,
): void =>
  saveGeneration(tx, generationId, {
    decision,
    ...(messageId !== undefined && { message_id: messageId }),
    updated_at: tx.clock.now().toISOString(),
  })

/**
 * Saves the text as a suggestion in its conversation. Returns false if there is no conversation yet: then only the
 * generation has the text.
 */
export function suggestWritten(
  tx: Tx,
  { generationId, conversationId, body }: Written,
  { id: persona_id }: Persona,
): boolean {
  const now = tx.clock.now().toISOString()
  saveGeneration(tx, generationId, {
    ...(conversationId === null
      ? { decision: 'nothing' as const, reason: 'no_conversation' }
      : { decision: 'suggested' as const }),
    updated_at: now,
  })
  if (conversationId !== null) saveSuggestion(tx, conversationId, { persona_id, text: body, created_at: now })
  return conversationId !== null
}
