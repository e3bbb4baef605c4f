import type { Ctx, Tx } from '#kernel/context.ts'
import { pauseAiOf } from '../../contacts/public.ts'
import { queueMail } from '../../mail/public.ts'
import { type MessageDraft, planMessage, sendMessage } from '../../messages/public.ts'
import { sendChannels } from '../../senders/public.ts'
import { findResponsible } from '../../workspaces/public.ts'
import { AiHandedOff, type HandoffReason, handoffReasons } from '../events.ts'
import { saveGeneration } from '../queries.ts'
import type { ReplyScene } from './read-scene.ts'
import { NotNow, addressOf, requireSame } from './require-standing.ts'

/**
 * Leaves a conversation to a person: the AI is paused for the contact, its owner gets an email, and the contact the sentence of
 * the persona, if it has one and every gate lets it pass. Once: of an AI that is paused nothing happens.
 */
export async function handOff(
  ctx: Ctx,
  scene: ReplyScene,
  reason: HandoffReason,
  generationId?: string,
): Promise<void> {
  const record = (tx: Tx) => recordHandoff(tx, ctx, scene, reason, generationId)
  const sentence = await planSentence(ctx, scene)
  try {
    if (sentence === undefined) await ctx.transaction(record)
    else await sendMessage(ctx, sentence.draft, sentence.plan, { id: null, lock: record })
  } catch (error) {
    if (!(error instanceof NotNow)) throw error
  }
}

/** The same in a transaction, and without a sentence. Throws `NotNow` where the AI would not write any more. */
export async function recordHandoff(
  tx: Tx,
  ctx: Ctx,
  scene: ReplyScene,
  reason: HandoffReason,
  generationId: string | undefined,
): Promise<void> {
  const present = await requireSame(tx, scene)
  const { contact, persona, last, conversationId } = scene
  await pauseAiOf(tx, { contactIds: [contact.id], points: [addressOf(scene)] }, 'handoff')
  if (generationId !== undefined)
    saveGeneration(tx, generationId, {
      decision: 'handed_off',
      reason,
      updated_at: tx.clock.now().toISOString(),
    })
  await tx.emit(AiHandedOff, {
    id: conversationId,
    contact_id: contact.id,
    channel: last.channel,
    persona_id: persona.id,
    message_id: last.id,
    reason,
  })
  await mailOwner(tx, ctx, present, scene, reason)
}

async function mailOwner(
  tx: Tx,
  ctx: Ctx,
  { owner_id, first_name }: ReplyScene['contact'],
  { persona, workspace, last }: ReplyScene,
  reason: HandoffReason,
): Promise<void> {
  const member = await findResponsible(tx, owner_id)
  if (member === undefined) return
  const who = first_name ?? 'A contact'
  queueMail(tx, ctx, {
    to: member.email,
    subject: last.direction === 'INBOUND' ? `${who} is waiting for you` : `The AI has left ${who} to you`,
    text: [
      `${persona.name}, the AI of ${workspace.name}, has left a conversation to you: ${handoffReasons[reason]}.`,
      `${last.direction === 'INBOUND' ? `${who} wrote last. ` : ''}The AI is paused for them until you resume it.`,
    ].join('\n\n'),
  })
}

/** What the contact is sent, in words that people of the workspace wrote. Only a persona that writes by itself sends it. */
async function planSentence(ctx: Ctx, { persona, contact, address, last }: ReplyScene) {
  const { message } = persona.handoff
  if (message === undefined || persona.mode !== 'auto') return undefined
  const draft = {
    channel: sendChannels[last.channel],
    to: address,
    contact_id: contact.id,
    purpose: 'reply',
    body: message,
    ...(last.sender_id !== null && { from: last.sender_id }),
    ...(last.channel === 'EMAIL' && { subject: subjectAfter(last.subject), reply_to_message_id: last.id }),
  } as MessageDraft
  const own = { source: 'system', messageClass: 'transactional', personaId: persona.id } as const
  const plan = await planMessage(ctx, draft, own)
  return plan.verdict.allowed && plan.verdict.evidence.content.length === 0 ? { draft, plan } : undefined
}

/** `Re: ` the subject, once. */
export const subjectAfter = (subject: string | null): string => {
  const plain = (subject ?? '').replaceAll(/[\n\t]/g, ' ').replace(/^(re:\s*)+/i, '')
  return `Re: ${plain === '' ? 'Your message' : plain}`.slice(0, 255)
}
