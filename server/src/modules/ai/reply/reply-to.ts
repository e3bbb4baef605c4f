import { leaseFrom } from '#kernel/background/lease.ts'
import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import { newId } from '#kernel/ids.ts'
import {
  ComplianceBlocked,
  type MessageDraft,
  dropPending,
  saveSuggestion,
  planMessage,
  sendMessage,
} from '../../messages/public.ts'
import { findAiSettings } from '../../personas/public.ts'
import { sendChannels } from '../../senders/public.ts'
import type { HandoffReason } from '../events.ts'
import { askModel } from '../model/ask-model.ts'
import { type Proposal, replyForm } from '../model/proposal.ts'
import type { Responder } from '../model/responder.ts'
import { type GenerationDecision, listPending, saveGeneration } from '../queries.ts'
import { type Awaited, claimReply, endReply, releaseReply } from './awaited-queries.ts'
import { disclosedText } from './disclosed-text.ts'
import { type BegunGeneration, beginGeneration, settleGeneration } from './generation.ts'
import { handOff, subjectAfter } from './hand-off.ts'
import { type ReplyScene, isRepeated, readScene } from './read-scene.ts'
import { replies } from './replies.ts'
import { NotNow, requireStanding } from './require-standing.ts'
import { lookAgain } from './second-look.ts'

/** After this long, a person should respond instead. */
const tooLateMs = 3_600_000

/**
 * Responds to the last message in a conversation, if it still needs a response. No transaction is open during model
 * requests, and a proposal counts only if nothing has changed meanwhile. If two jobs run at once, one does nothing.
 */
export async function replyTo(ctx: Ctx, conversationId: string, responder: Responder): Promise<void> {
  const awaited = await ctx.transaction((tx) => claimReply(tx, conversationId, leaseFrom(tx.clock)))
  if (awaited === undefined) return
  try {
    await respond(ctx, awaited, responder)
  } catch (error) {
    const startsOver = error instanceof NotNow && error.startsOver
    await ctx.transaction(async (tx) => {
      releaseReply(tx, awaited, leaseFrom(tx.clock))
      if (startsOver) replies.queue(tx, conversationId)
    })
    if (startsOver) return
    throw error
  }
  await ctx.transaction(async (tx) => endReply(tx, awaited))
}

async function respond(ctx: Ctx, awaited: Awaited, responder: Responder): Promise<void> {
  const { model, breaker } = responder
  const scene = await readScene(ctx, awaited.conversation_id, awaited.persona_id)
  if (scene === undefined) return
  const early = reasonBefore(ctx, scene)
  if (early !== undefined) return handOff(ctx, scene, early)
  if (model === undefined || breaker.isOpen()) return handOff(ctx, scene, 'model_down')
  const begun = await beginGeneration(ctx, scene, model)
  if (begun === undefined) return handOff(ctx, scene, 'budget')
  const asked = await askModel(model, breaker, begun.question, replyForm)
  await settleGeneration(ctx, begun, model, asked)
  if (asked.kind === 'fault') return handOff(ctx, scene, asked.reason, begun.id)
  const { proposal } = asked
  if (proposal.action === 'none') return decide(ctx, begun, 'nothing')
  if (proposal.action === 'handoff') return handOff(ctx, scene, proposal.handoff_reason ?? 'unsure', begun.id)
  return write(ctx, scene, begun, proposal, responder)
}

function reasonBefore({ clock }: Ctx, scene: ReplyScene): HandoffReason | undefined {
  const { writtenAt, persona, written, isOff } = scene
  if (isOff) return 'off'
  if (writtenAt < later(clock.now(), -tooLateMs)) return 'late'
  if (isRepeated(scene)) return 'repeated'
  return written.lately >= persona.max_messages_per_day ? 'cap' : undefined
}

/** Suggests, submits for approval, or sends the proposed text, depending on the persona's mode. */
async function write(
  ctx: Ctx,
  scene: ReplyScene,
  begun: BegunGeneration,
  { text }: Proposal,
  responder: Responder,
): Promise<void> {
  const { persona, written, conversationId } = scene
  const { facts, said } = begun.question
  const body = disclosedText(persona, text, written.ever === 0)
  const draft = responseDraft(scene, body)
  const id = newId(ctx.clock.now())
  const plan = await planMessage(ctx, draft, {
    id,
    source: 'ai',
    personaId: persona.id,
    awaitsApproval: persona.mode === 'approve',
    content: { facts, said, topics: persona.prohibited_topics },
  })
  const { allowed, evidence } = plan.verdict
  const checks: string[] = [
    ...new Set<string>([
      ...evidence.content.map(({ code }) => code),
      ...(allowed ? [] : plan.verdict.reasons),
    ]),
  ]
  const isBlocked = !allowed || checks.length > 0
  if (!isBlocked && (await findAiSettings(ctx.db)).second_look) {
    const look = await lookAgain(ctx, scene, begun, body, responder)
    checks.push(...look.checks)
    // A text that a person reads first may go on without a second look.
    const fault = persona.mode === 'auto' ? look.fault : undefined
    if (fault !== undefined || look.checks.some(isContent)) {
      await saveChecks(ctx, begun, checks)
      return fault === undefined ? giveUp(ctx, scene, begun, checks) : handOff(ctx, scene, fault, begun.id)
    }
  }
  const stand = async (tx: Tx, decision: GenerationDecision, messageId?: string) => {
    await requireStanding(tx, scene, begun.startedAt)
    for (const pending of await listPending(tx, scene.contact.id)) await dropPending(tx, pending)
    record(tx, begun, decision, { checks, ...(messageId !== undefined && { message_id: messageId }) })
  }
  try {
    if (persona.mode === 'suggest') {
      if (isBlocked) {
        await saveChecks(ctx, begun, checks)
        return await giveUp(ctx, scene, begun, checks)
      }
      const suggestion = { persona_id: persona.id, text: body, created_at: begun.startedAt.toISOString() }
      return await ctx.transaction(async (tx) => {
        await stand(tx, 'suggested')
        saveSuggestion(tx, conversationId, suggestion)
      })
    }
    const accepted = persona.mode === 'approve' ? 'pending' : 'queued'
    const decision = isBlocked ? 'blocked' : accepted
    await sendMessage(ctx, draft, plan, { id: null, lock: (tx) => stand(tx, decision, id) })
  } catch (error) {
    if (error instanceof NotNow) {
      if (error.handoff !== undefined) return handOff(ctx, scene, error.handoff, begun.id)
      await decide(ctx, begun, 'outdated')
      if (error.startsOver) throw error
      return
    }
    if (!(error instanceof Error) || !('code' in error) || error.code !== ComplianceBlocked.code) throw error
    await giveUp(ctx, scene, begun, checks)
  }
}

const giveUp = (ctx: Ctx, scene: ReplyScene, { id }: BegunGeneration, checks: readonly string[]) =>
  handOff(ctx, scene, checks.some(isContent) ? 'text_blocked' : 'blocked', id)

const isContent = (code: string): boolean => code.startsWith('content_')

const saveChecks = (ctx: Ctx, { id }: BegunGeneration, checks: readonly string[]): Promise<void> =>
  ctx.transaction(async (tx) => saveGeneration(tx, id, { checks }))

const responseDraft = ({ last, address, contact }: ReplyScene, body: string): MessageDraft =>
  ({
    channel: sendChannels[last.channel],
    to: address,
    contact_id: contact.id,
    purpose: 'reply',
    body,
    ai_generated: true,
    ...(last.sender_id !== null && { from: last.sender_id }),
    ...(last.channel === 'EMAIL' && { subject: subjectAfter(last.subject), reply_to_message_id: last.id }),
  }) as MessageDraft

const decide = (ctx: Ctx, begun: BegunGeneration, decision: GenerationDecision): Promise<void> =>
  ctx.transaction(async (tx) => record(tx, begun, decision))

const record = (
  tx: Tx,
  { id }: BegunGeneration,
  decision: GenerationDecision,
  more: { checks?: readonly string[]; message_id?: string } = {},
): void => saveGeneration(tx, id, { decision, ...more, updated_at: tx.clock.now().toISOString() })
