import type { Ctx } from '#kernel/context.ts'
import { scanContent } from '../../content/public.ts'
import { findAiSettings } from '../../personas/public.ts'
import type { HandoffReason } from '../events.ts'
import { askModel } from '../model/ask-model.ts'
import { replyForm } from '../model/proposal.ts'
import type { Responder } from '../model/responder.ts'
import { type GenerationDecision, saveGeneration } from '../queries.ts'
import { disclosedText } from '../reply/disclosed-text.ts'
import { type BegunGeneration, beginGeneration, settleGeneration } from '../reply/generation.ts'
import { saveDecision, leaveContact, recordHandoff } from '../reply/hand-off.ts'
import { type WritingScene, lastWrittenOf, readContact } from '../reply/read-scene.ts'
import { NotNow } from '../reply/require-standing.ts'
import { lookAgain } from '../reply/second-look.ts'
import { type Outreach, findWriter } from './find-writer.ts'

/** The outcome. If it is `done`, `findWritten` returns the generation's text. */
export interface OutreachResult {
  outcome: 'done' | 'skipped' | 'blocked' | 'failed'
  reason: string | null
  generationId?: string
}

/**
 * Has the model write to a contact on its own initiative, and checks the text like a response. Sends nothing: the
 * sender checks again, under the contact's lock, that the text is still valid. No transaction is open during model
 * requests.
 */
export async function writeOutreach(
  ctx: Ctx,
  outreach: Outreach,
  responder: Responder,
): Promise<OutreachResult> {
  const { model, breaker } = responder
  const scene = await readOutreach(ctx, outreach)
  if (typeof scene === 'string') return { outcome: 'skipped', reason: scene }
  if (model === undefined || breaker.isOpen()) return { outcome: 'failed', reason: 'model_down' }
  const begun = await beginGeneration(ctx, scene, model, outreach.purpose)
  if (begun === undefined) return { outcome: 'failed', reason: 'budget' }
  const asked = await askModel(model, breaker, begun.question, replyForm)
  await settleGeneration(ctx, begun, model, asked)
  if (asked.kind === 'fault') return end(ctx, begun, 'failed', asked.reason)
  const { action, text, handoff_reason } = asked.proposal
  if (action === 'none') return end(ctx, begun, 'skipped', 'nothing_to_say')
  if (action === 'handoff') return leave(ctx, scene, begun, handoff_reason ?? 'unsure')
  const { persona, written } = scene
  const body = disclosedText(persona, text, written.ever === 0)
  const { facts, said } = begun.question
  const context = { facts, said, topics: persona.prohibited_topics }
  const codes = [...new Set(scanContent(body, context).map(({ code }) => code))]
  if (codes[0] !== undefined) return end(ctx, begun, 'blocked', codes[0], codes)
  if (!(await findAiSettings(ctx.db)).second_look) return end(ctx, begun, 'done', null)
  const { checks, fault } = await lookAgain(ctx, scene, begun, body, responder)
  const raised = checks.find((code) => code.startsWith('content_'))
  if (raised !== undefined) return end(ctx, begun, 'blocked', raised, checks)
  // A text that a person reads first may go on without a second look.
  if (fault !== undefined && persona.mode === 'auto') return end(ctx, begun, 'failed', fault, checks)
  return end(ctx, begun, 'done', null, checks)
}

async function readOutreach(ctx: Ctx, outreach: Outreach): Promise<WritingScene | string> {
  const { channel } = outreach
  const { contact, ...known } = await readContact(ctx, outreach.contact_id)
  if (contact === undefined) return 'ai_paused'
  const persona = await findWriter(ctx.db, contact, outreach, ctx.clock.now())
  if (typeof persona === 'string') return persona
  const address = channel === 'EMAIL' ? contact.email : contact.phone
  if (address === null) return channel === 'EMAIL' ? 'email_missing' : 'phone_missing'
  const { messages } = known
  const before = messages.find((one) => one.channel === channel && one.conversation_id !== null)
  const conversationId = before?.conversation_id ?? null
  return { ...known, channel, conversationId, address, contact, persona, last: lastWrittenOf(messages) }
}

/** The generation's decision for each outcome that sends nothing. */
const decisions = { skipped: 'nothing', blocked: 'blocked', failed: 'failed' } as const

async function end(
  ctx: Ctx,
  { id }: BegunGeneration,
  outcome: OutreachResult['outcome'],
  reason: string | null,
  checks: readonly string[] = [],
): Promise<OutreachResult> {
  const decision: GenerationDecision | undefined = outcome === 'done' ? undefined : decisions[outcome]
  await ctx.transaction(async (tx) =>
    saveGeneration(tx, id, {
      checks,
      ...(decision !== undefined && { decision }),
      ...(outcome === 'failed' && { reason }),
      updated_at: tx.clock.now().toISOString(),
    }),
  )
  return { outcome, reason, generationId: id }
}

/** Hands off: the conversation, as for a response, or the contact if there is no conversation yet. */
async function leave(
  ctx: Ctx,
  scene: WritingScene,
  begun: BegunGeneration,
  reason: HandoffReason,
): Promise<OutreachResult> {
  const { conversationId, messages } = scene
  const last = messages.find((one) => one.conversation_id === conversationId)
  try {
    await ctx.transaction((tx) =>
      conversationId === null || last === undefined
        ? leaveContact(tx, ctx, scene, reason, begun.id)
        : recordHandoff(
            tx,
            ctx,
            { ...scene, conversationId, last, writtenAt: new Date(last.created_at), isOff: false },
            reason,
            begun.id,
          ),
    )
  } catch (error) {
    if (!(error instanceof NotNow)) throw error
    await ctx.transaction(async (tx) => saveDecision(tx, begun.id, 'outdated'))
  }
  return { outcome: 'skipped', reason: 'handed_off', generationId: begun.id }
}
