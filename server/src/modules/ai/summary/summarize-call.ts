import type { Ctx } from '#kernel/context.ts'
import { newId } from '#kernel/ids.ts'
import { type CallRow, findCall, findTranscript, saveSummary } from '../../calls/public.ts'
import { findAiSettings } from '../../personas/public.ts'
import { type Asked, type Prompt, askModel } from '../model/ask-model.ts'
import { digestOf } from '../model/digest.ts'
import type { Responder } from '../model/responder.ts'
import { reserve, settle } from '../model/spending.ts'
import type { LanguageModel } from '../ports.ts'
import { insertGeneration, saveGeneration } from '../queries.ts'
import { type ReadSummary, summaryForm } from './call-summary.ts'
import { summaryPrompt } from './summary-prompt.ts'

/**
 * Has a model write the missing summary or disposition of a completed call. No transaction is open during the model
 * request. A row in `generations` records the request and its outcome; nothing is saved for a call that was erased
 * meanwhile. Without a model, or if it fails, the call stays as it is. Safe to run twice.
 */
export async function summarizeCall(ctx: Ctx, id: string, { model, breaker }: Responder): Promise<void> {
  if (model === undefined || breaker.isOpen()) return
  const call = await findCall(ctx.db, id)
  if (call === undefined || call.completed_at === null || call.erased_at !== null) return
  if (call.summary !== null && call.disposition !== null) return
  const transcript = await findTranscript(ctx.db, id)
  if (transcript === null || transcript.length === 0) return
  const prompt = summaryPrompt(call, transcript)
  const begun = await begin(ctx, call, model, prompt)
  if (begun === undefined) return
  const asked = await askModel(model, breaker, prompt, summaryForm)
  if (asked.kind === 'fault') ctx.log.warn({ callId: id, reason: asked.reason }, 'a call has no summary yet')
  await settleSummary(ctx, id, begun, model, asked)
}

interface BegunSummary {
  id: string
  reserved: number
  startedAt: Date
}

/**
 * Records the request and reserves its maximum cost. Returns undefined if the AI is off, or the day's budget does not
 * cover the cost.
 */
const begin = (
  ctx: Ctx,
  { id: call_id, contact_id }: CallRow,
  model: LanguageModel,
  prompt: Prompt,
): Promise<BegunSummary | undefined> =>
  ctx.transaction(async (tx) => {
    if (!(await findAiSettings(tx)).enabled) return undefined
    const startedAt = tx.clock.now()
    const reserved = await reserve(tx, model, prompt, summaryForm, startedAt)
    if (reserved === undefined) return undefined
    const id = newId(startedAt)
    insertGeneration(tx, {
      id,
      persona_id: null,
      persona_version: null,
      call_id,
      conversation_id: null,
      contact_id,
      last_message_id: null,
      model: model.name,
      prompt_digest: digestOf(prompt),
      material: null,
      prompt_tokens: 0,
      completion_tokens: 0,
      reserved,
      created_at: startedAt.toISOString(),
      updated_at: startedAt.toISOString(),
    })
    return { id, reserved, startedAt }
  })

/** Saves the summary, and in the same transaction records the model's proposal, the cost, and the outcome. */
const settleSummary = (
  ctx: Ctx,
  callId: string,
  { id, reserved, startedAt }: BegunSummary,
  model: LanguageModel,
  asked: Asked<ReadSummary>,
): Promise<void> =>
  ctx.transaction(async (tx) => {
    const saved =
      asked.kind === 'fault'
        ? undefined
        : await saveSummary(tx, callId, { ...asked.proposal, summary_source: 'model' })
    const call = saved ?? (await findCall(tx, callId))
    const keeps = asked.kind === 'proposed' && call?.erased_at === null && call.contact_id !== null
    const found = saved?.content_findings.filter(({ field }) => field !== 'transcript') ?? []
    saveGeneration(tx, id, {
      prompt_tokens: asked.usage.promptTokens,
      completion_tokens: asked.usage.completionTokens,
      price: settle(tx, model, { reserved, startedAt, asked }),
      proposal: keeps ? proposalOf(asked.proposal) : null,
      checks: [...new Set(found.map(({ code }) => code))],
      ...(asked.kind === 'fault'
        ? { decision: 'failed', reason: asked.reason }
        : { decision: saved === undefined ? 'outdated' : 'saved' }),
      updated_at: tx.clock.now().toISOString(),
    })
  })

const proposalOf = ({ summary: text, ...rest }: ReadSummary) => ({ action: 'summary', text, ...rest })
