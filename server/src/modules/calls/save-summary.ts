import type { Ctx } from '#kernel/context.ts'
import type { CallRow } from './call.ts'
import { changeCall } from './change-call.ts'
import { lockCall } from './queries.ts'

/** What was made of a transcript. */
export interface CallSummary extends Partial<Pick<CallRow, 'disposition' | 'sentiment' | 'extracted'>> {
  summary: string
  summary_source: 'model' | 'person'
}

/**
 * Saves the summary of a call, which is `call.updated`. A model replaces no summary, and no disposition that is known. False if
 * nothing was saved: there is a summary, the call was erased, or there is no such call.
 */
export const saveSummary = (ctx: Ctx, callId: string, said: CallSummary): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    const call = await lockCall(tx, callId)
    if (call === undefined || call.erased_at !== null) return false
    if (said.summary_source === 'model' && call.summary !== null) return false
    const { disposition, ...rest } = said
    const isKnown = said.summary_source === 'model' && call.disposition !== null
    await changeCall(tx, call, { ...rest, ...(disposition === undefined || isKnown ? {} : { disposition }) })
    return true
  })
