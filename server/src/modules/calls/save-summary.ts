import type { Tx } from '#kernel/context.ts'
import type { CallRow } from './call.ts'
import { changeCall } from './change-call.ts'
import { lockPersonOf } from './lock-person.ts'
import { findCall, lockCall } from './queries.ts'
import { actOnResult } from './speech/act-on-speech.ts'

/** What was made of a transcript. */
export interface CallSummary extends Partial<Pick<CallRow, 'disposition' | 'sentiment' | 'extracted'>> {
  summary: string
  summary_source: 'model' | 'person'
}

/**
 * Saves the summary of a call, which is `call.updated`. A model fills only what is missing. Returns the call; undefined if nothing was
 * saved: nothing is missing, the call was erased, or there is no such call.
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
