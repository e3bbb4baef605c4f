import { Type } from 'typebox'
import type { Ctx, Tx } from '#kernel/context.ts'
import { job } from '#kernel/jobs/job.ts'
import { findMessage } from '../../messages/public.ts'
import { findFormerPersona } from '../../personas/public.ts'
import { lockGenerationOf, saveGeneration } from '../queries.ts'
import { recordHandoff } from './hand-off.ts'
import { lastOf, mayRespondTo, readContact } from './read-scene.ts'
import { NotNow } from './require-standing.ts'

const reasons = ['blocked', 'failed'] as const
type Unsent = (typeof reasons)[number]

const payload = Type.Object({ message_id: Type.String(), reason: Type.Enum(reasons) })

/** The job that hands off a conversation in which an AI response did not arrive. */
export const leaveUnsent = job('leave-unsent-response', {
  payload,
  handle: (ctx, { message_id, reason }) => leave(ctx, message_id, reason),
})

/** Codes for what a switch or the recipient decided. No one needs to follow up on these. */
const isWanted = (code: string): boolean =>
  code === 'ai_paused' ||
  code === 'opted_out' ||
  code === 'recipient_erased' ||
  code.startsWith('suppressed_')

/**
 * Records that an AI message did not reach the contact. If it had been accepted, a job hands the conversation off,
 * because the caller holds locks that come after a person's in the lock order.
 */
export async function recordUnsent(
  tx: Tx,
  messageId: string,
  decision: Unsent,
  codes: readonly string[],
): Promise<void> {
  const generation = await lockGenerationOf(tx, messageId)
  if (generation === undefined) return
  const wasAccepted = generation.decision === 'queued' || generation.decision === 'sent_by_person'
  if (!wasAccepted && generation.decision !== 'pending') return
  saveGeneration(tx, generation.id, {
    decision,
    reason: codes[0] ?? null,
    updated_at: tx.clock.now().toISOString(),
  })
  if (wasAccepted && !codes.some(isWanted))
    tx.enqueue(leaveUnsent, { message_id: messageId, reason: decision }, { key: messageId })
}

/**
 * Hands off only while the contact has the last word in the conversation. No one waits for a message that the AI wrote
 * on its own initiative.
 */
async function leave(ctx: Ctx, messageId: string, reason: Unsent): Promise<void> {
  const { conversation_id, contact_id, persona_id, purpose, to } =
    (await findMessage(ctx.db, messageId)) ?? {}
  if (!conversation_id || !contact_id || !persona_id || !to || purpose !== 'reply') return
  const [{ contact, ...known }, persona] = await Promise.all([
    readContact(ctx, contact_id),
    findFormerPersona(ctx.db, persona_id),
  ])
  const last = lastOf(known.messages.filter((one) => one.conversation_id === conversation_id))
  if (contact === undefined || !mayRespondTo(contact) || persona === undefined) return
  if (last?.direction !== 'INBOUND') return
  const scene = {
    ...known,
    channel: last.channel,
    conversationId: conversation_id,
    address: to,
    contact,
    persona,
    last,
    writtenAt: new Date(last.created_at),
    isOff: true,
  }
  try {
    await ctx.transaction((tx) => recordHandoff(tx, ctx, scene, reason, undefined))
  } catch (error) {
    if (!(error instanceof NotNow)) throw error
  }
}
