import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '#kernel/context.ts'
import { type CallRow, type TranscriptTurn, callRecord } from './call.ts'
import { CallCompleted, CallUpdated } from './events.ts'
import { notifyOwner } from './notify-owner.ts'
import { findTranscript, saveCall, saveTranscript } from './queries.ts'
import { findInExtracted, findInSummary, findInTranscript } from './scan-speech.ts'

/** Fields whose changes publish no event: internal ones, and those that matter only before the call. */
const silent = new Set<string>([
  'updated_at',
  'scheduled_at',
  'compliance',
  'persona_version',
  'provider_call_id',
  'connection_id',
  'waits_for_hours',
  'turns',
  'attempts',
  'began_at',
  'completed_at',
  'acted_on',
  'asked_at',
  'recorded',
  'recording_source',
  'recording_file_id',
  'retention_ended_at',
])

/** A change to a call: columns, and optionally the transcript. */
export interface CallPatch extends Partial<CallRow> {
  transcript?: readonly TranscriptTurn[]
}

/**
 * Updates a call that the caller has locked. Publishes `call.completed` once, when `completed_at` is set, and
 * `call.updated` for later changes.
 */
export async function changeCall(
  tx: Tx,
  before: CallRow,
  { transcript, ...patch }: CallPatch,
): Promise<CallRow> {
  const said = await addTranscript(tx, before, transcript)
  const found = findingsAfter(before, patch, said ? transcript : undefined)
  const patched = callRecord.applyPatch(before, { ...patch, ...found }, tx.clock.now())
  if (patched === undefined && !said) return before
  const { after, changed } = patched ?? { after: before, changed: {} }
  if (patched !== undefined) saveCall(tx, before.id, changed)
  if (after.content_findings.length > before.content_findings.length) await notifyOfFindings(tx, after)
  if (after.ai_disclosed === false && before.ai_disclosed === null) await notifyOfNoDisclosure(tx, after)
  if (after.completed_at !== before.completed_at) await tx.emit(CallCompleted, completedOf(after))
  else if (after.completed_at !== null) {
    const names = Object.keys(changed).filter((name) => !silent.has(name))
    const fields = names.map((name) => (name === 'recording_stored_at' ? 'recording' : name))
    if (said) fields.push('transcript')
    if (fields.length > 0) await tx.emit(CallUpdated, { ...shownOf(after), fields })
  }
  return after
}

/**
 * The content findings after a patch: rescans the parts that the patch changes, and keeps the findings in the others.
 */
function findingsAfter(
  { content_findings: known, handled_by, erased_at }: CallRow,
  { summary, summary_source, extracted }: CallPatch,
  said: readonly TranscriptTurn[] | undefined,
): Pick<CallRow, 'content_findings'> | undefined {
  if (erased_at !== null) return undefined
  if (summary === undefined && extracted === undefined && said === undefined) return undefined
  const inTranscript = said === undefined || handled_by === 'human' ? undefined : findInTranscript(said)
  const isNew = typeof summary === 'string' && summary_source !== 'person'
  const inSummary = isNew ? findInSummary(summary) : summary !== undefined && []
  const inExtracted = extracted === undefined ? undefined : findInExtracted(extracted ?? {})
  const of = (field: string) => known.filter((one) => one.field === field)
  return {
    content_findings: [
      ...(inTranscript ?? of('transcript')),
      ...(inSummary || of('summary')),
      ...(inExtracted ?? of('extracted')),
    ],
  }
}

const notifyOfFindings = (tx: Tx, call: CallRow): Promise<void> =>
  notifyOwner(tx, call, (who) => ({
    subject: 'Check what was said in a call',
    text: [
      `The call ${call.id} with ${who} has words that an AI must not say:`,
      ...call.content_findings.map(({ category, field, text }) => `${field}: “${text}” (${category})`),
      'Read the transcript, and decide whether to get in touch.',
    ].join('\n\n'),
  }))

const notifyOfNoDisclosure = (tx: Tx, call: CallRow): Promise<void> =>
  notifyOwner(tx, call, (who) => ({
    subject: 'The AI did not say that it is an AI',
    text: `In the call ${call.id} with ${who}, the AI did not begin by saying that it is an AI. Change its agent at the provider so that it does.`,
  }))

/**
 * Saves the transcript, unless the call has been erased. Returns false if nothing was saved, for example because the
 * transcript is the same.
 */
async function addTranscript(
  tx: Tx,
  { id, erased_at }: CallRow,
  transcript: readonly TranscriptTurn[] | undefined,
): Promise<boolean> {
  if (transcript === undefined || transcript.length === 0 || erased_at !== null) return false
  if (isDeepStrictEqual(await findTranscript(tx, id), transcript)) return false
  saveTranscript(tx, id, transcript)
  return true
}

/**
 * Event data. Without a contact, it omits the numbers and the summary, because an erasure could not find them later.
 */
function shownOf({ from, to, summary, ...call }: CallRow) {
  const isTheirs = call.contact_id !== null
  return {
    ...call,
    ...(isTheirs && from !== null ? { from } : {}),
    ...(isTheirs && to !== null ? { to } : {}),
    ...(isTheirs ? { summary } : {}),
  }
}

const completedOf = (call: CallRow) => ({
  ...shownOf(call),
  started_at: call.started_at ?? call.created_at,
  ended_at: call.ended_at ?? call.updated_at,
  duration_seconds: call.duration_seconds ?? 0,
})
