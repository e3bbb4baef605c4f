import type { Tx } from '#kernel/context.ts'
import type { CallRow } from './call.ts'
import { changeCall } from './change-call.ts'
import { lockPersonOf } from './lock-person.ts'
import { findCall, lockCall } from './queries.ts'
import { actOnResult } from './speech/act-on-speech.ts'

/** A summary made from a transcript. */
export interface CallSummary extends Partial<Pick<CallRow, 'disposition' | 'sentiment' | 'extracted'>> {
  summary: string
  summary_source: 'model' | 'person'
}

/**
 * Saves a call's summary, which publishes `call.updated` for a completed call. A model fills in only missing fields.
 * Returns the updated call, or undefined if nothing was saved: nothing was missing, or the call is erased or doesn't
 * exist.
 */
export async function saveSummary(tx: Tx, callId: string, said: CallSummary): Promise<CallRow | undefined> {
  const seen = await findCall(tx, callId)
  if (seen === undefined) return undefined
  const person = await lockPersonOf(tx, seen)
  const call = await lockCall(tx, callId)
  if (call === undefined || call.erased_at !== null) return undefined
  const patch = said.summary_source === 'model' ? missingIn(call, said) : said
  const after = await changeCall(tx, call, patch)
  await actOnResult(tx, { before: call, after, spoken: 'none', ...person })
  return after === call ? undefined : after
}

const missingIn = (call: CallRow, { summary, summary_source, ...rest }: CallSummary): Partial<CallRow> => ({
  ...(call.summary === null && { summary, summary_source }),
  ...Object.fromEntries(Object.entries(rest).filter(([name]) => call[name as keyof typeof rest] === null)),
})
