import type { Ctx } from '#kernel/context.ts'
import { findCall, findTranscript, saveSummary } from '../../calls/public.ts'
import { findAiSettings } from '../../personas/public.ts'
import { askModel } from '../model/ask-model.ts'
import { reserve, settle } from '../model/spending.ts'
import type { Responder } from '../reply/reply-to.ts'
import { summaryForm } from './call-summary.ts'
import { summaryPrompt } from './summary-prompt.ts'

/**
 * Has a model write what a completed call still lacks of summary and disposition. The model is asked outside of any transaction;
 * of a call that was erased meanwhile nothing is saved. Without a model, or where it fails, nothing happens. Safe to run twice.
 */
export async function summarizeCall(ctx: Ctx, id: string, { model, breaker }: Responder): Promise<void> {
  if (model === undefined || breaker.isOpen()) return
  const call = await findCall(ctx.db, id)
  if (call === undefined || call.completed_at === null || call.erased_at !== null) return
  if (call.summary !== null && call.disposition !== null) return
  const transcript = await findTranscript(ctx.db, id)
  if (transcript === null || transcript.length === 0) return
  const prompt = summaryPrompt(call, transcript)
  const startedAt = ctx.clock.now()
  const reserved = await ctx.transaction(async (tx) =>
    (await findAiSettings(tx)).enabled ? reserve(tx, model, prompt, summaryForm) : undefined,
  )
  if (reserved === undefined) return
  const asked = await askModel(model, breaker, prompt, summaryForm)
  await ctx.transaction(async (tx) => settle(tx, model, { reserved, startedAt, asked }))
  if (asked.kind === 'fault')
    return ctx.log.warn({ callId: id, reason: asked.reason }, 'a call has no summary yet')
  await saveSummary(ctx, id, { ...asked.proposal, summary_source: 'model' })
}
