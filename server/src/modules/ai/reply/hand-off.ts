import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import { listContactsById, lockPersons, nameInText, pauseAiOf } from '../../contacts/public.ts'
import { queueMail } from '../../mail/public.ts'
import { type MessageDraft, planMessage, sendMessage } from '../../messages/public.ts'
import { sendChannels } from '../../senders/public.ts'
import { findResponsible } from '../../workspaces/public.ts'
import { AiHandedOff, type HandoffReason, handoffReasons } from '../events.ts'
import { type GenerationDecision, saveGeneration } from '../queries.ts'
import { disclosedText } from './disclosed-text.ts'
import { type ReplyScene, type WritingScene, mayRespondTo } from './read-scene.ts'
import { NotNow, addressOf, requireSame } from './require-standing.ts'

/**
 * Hands a conversation off to a person: pauses the AI for the contact, emails the contact's owner, and sends the
 * contact the persona's handoff message, if there is one and every gate allows it. Does nothing if the AI is already
 * paused. Throws `NotNow` if the persona has changed, so that the AI starts over.
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
    if (generationId !== undefined)
      await ctx.transaction(async (tx) => saveDecision(tx, generationId, 'outdated'))
    if (error.startsOver) throw error
  }
}

/**
 * Hands a conversation off in the caller's transaction, without the handoff message. Throws `NotNow` if the AI would no
 * longer respond.
 */
export async function recordHandoff(
  tx: Tx,
  ctx: Ctx,
  scene: ReplyScene,
  reason: HandoffReason,
  generationId: string | undefined,
): Promise<void> {
  const { contact: present } = await requireSame(tx, scene)
  const { contact, persona, last, conversationId } = scene
  await pauseAiOf(tx, { contactIds: [contact.id], points: [addressOf(scene)] }, 'handoff')
  if (generationId !== undefined) saveDecision(tx, generationId, 'handed_off', reason)
  await tx.emit(AiHandedOff, {
    id: conversationId,
    contact_id: contact.id,
    channel: last.channel,
    persona_id: persona.id,
    message_id: last.id,
    reason,
  })
  await mailOwner(tx, ctx, { ...scene, contact: present }, handoffReasons[reason])
}

/** Hands off a contact with whom there is no conversation yet. */
export async function leaveContact(
  tx: Tx,
  ctx: Ctx,
  scene: WritingScene,
  reason: HandoffReason,
  generationId: string,
): Promise<void> {
  const { id } = scene.contact
  const person = { contactIds: [id], points: [addressOf(scene)] }
  await lockPersons(tx, person)
  const [contact] = await listContactsById(tx, [id])
  if (contact === undefined || !mayRespondTo(contact)) throw new NotNow()
  await pauseAiOf(tx, person, 'handoff')
  saveDecision(tx, generationId, 'handed_off', reason)
  await mailOwner(tx, ctx, { ...scene, contact, last: undefined }, handoffReasons[reason])
}

export const saveDecision = (
  tx: Tx,
  id: string,
  decision: GenerationDecision,
  reason?: HandoffReason,
): void =>
  saveGeneration(tx, id, {
    decision,
    ...(reason !== undefined && { reason }),
    updated_at: tx.clock.now().toISOString(),
  })

/** Emails the member who takes over: the contact's owner, or else the first owner of the workspace. */
export async function mailOwner(
  tx: Tx,
  ctx: Pick<Ctx, 'keys' | 'clock'>,
  { contact, persona, workspace, last }: Pick<WritingScene, 'contact' | 'persona' | 'workspace' | 'last'>,
  why: string,
): Promise<void> {
  const member = await findResponsible(tx, contact.owner_id)
  if (member === undefined) return
  const who = nameInText(contact.first_name) ?? 'A contact'
  const isWaiting = last?.direction === 'INBOUND'
  queueMail(tx, ctx, {
    to: member.email,
    subject: isWaiting ? `${who} is waiting for you` : `The AI has left ${who} to you`,
    text: [
      `${persona.name}, the AI of ${workspace.name}, has left ${last === undefined ? who : 'a conversation'} to you: ${why}.`,
      `${isWaiting ? `${who} wrote last. ` : ''}The AI is paused for them until you resume it.`,
    ].join('\n\n'),
  })
}

const dayMs = 24 * 3_600_000

/** Plans the handoff message, in words that the workspace wrote. Only a persona in mode `auto` sends it. */
async function planSentence(ctx: Ctx, scene: ReplyScene) {
  const { persona, contact, address, last, written, isOff, writtenAt } = scene
  const { message } = persona.handoff
  if (message === undefined || persona.mode !== 'auto' || isOff) return undefined
  if (writtenAt < later(ctx.clock.now(), -dayMs)) return undefined
  const draft = {
    channel: sendChannels[last.channel],
    to: address,
    contact_id: contact.id,
    purpose: 'reply',
    body: disclosedText(persona, message, written.ever === 0),
    ...(last.sender_id !== null && { from: last.sender_id }),
    ...(last.channel === 'EMAIL' && { subject: subjectAfter(last.subject), reply_to_message_id: last.id }),
  } as MessageDraft
  const own = { source: 'system', messageClass: 'transactional', personaId: persona.id } as const
  const plan = await planMessage(ctx, draft, own)
  return plan.verdict.allowed && plan.verdict.evidence.content.length === 0 ? { draft, plan } : undefined
}

/** The subject with exactly one `Re: `. */
export const subjectAfter = (subject: string | null): string => {
  const plain = (subject ?? '').replaceAll(/[\n\t]/g, ' ').replace(/^(re:\s*)+/i, '')
  return `Re: ${plain === '' ? 'Your message' : plain}`.slice(0, 255)
}
