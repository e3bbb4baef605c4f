import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import { lock } from '#kernel/db/lock.ts'
import { isId } from '#kernel/ids.ts'
import { findComplianceSettings } from '../../compliance/public.ts'
import { toDialable } from '../../contacts/public.ts'
import { findRestoredAt } from '../../installation/public.ts'
import { asReceived, findHolder, storable } from '../../messages/public.ts'
import { findSender } from '../../senders/public.ts'
import { addCall } from '../add-call.ts'
import { type CallRow, type TranscriptTurn, dispositions, errorOf, isOver, isToBeCopied } from '../call.ts'
import { type CallPatch, changeCall } from '../change-call.ts'
import { type CallPerson, lockPersonOf } from '../lock-person.ts'
import type { CallReport, CallStatus, Disposition, ProviderAccount } from '../ports.ts'
import { processCallAt } from '../process-call-at.ts'
import { findCall, findCallByProviderId, lockCall, queueCallRemovals } from '../queries.ts'
import { findMemberToRing } from '../route-call.ts'
import { analysisMs, nextLookup, removalMs } from '../schedule.ts'
import { actOnResult, meantBy, resultOf } from '../speech/act-on-speech.ts'
import { disclosesAi } from '../speech/disclosure.ts'

/**
 * Records a provider's report. Reports may arrive repeatedly and in any order: a call only moves forward, and an
 * unknown call is added. The person's requests in the call, such as an opt-out, take effect in the same transaction,
 * under the locks that calls and messages to them take before they begin. A call that ended before a restore starts nothing. Returns undefined if the call involves no
 * number of the workspace.
 */
export const recordReport = (
  ctx: Ctx,
  account: ProviderAccount,
  report: CallReport,
): Promise<CallRow | undefined> =>
  ctx.transaction(async (inTime) => {
    const { startedAt, endedAt = startedAt } = report
    const tx = asReceived(inTime, endedAt ?? ctx.clock.now(), await findRestoredAt(ctx.directory))
    const seen = await findReported(tx, account, report)
    const { direction, from, to } = report
    const person = await lockPersonOf(tx, {
      direction: seen?.direction ?? direction,
      from: seen?.from ?? from,
      to: seen?.to ?? to,
      contact_id: seen?.contact_id ?? null,
    })
    lock(tx, `call ${account.id} ${report.providerCallId}`)
    const known = await findReported(tx, account, report)
    const call =
      known === undefined ? await newCall(tx, account, report, person) : await lockCall(tx, known.id)
    if (call === undefined) return undefined
    const transcript = cleaned(report.transcript)
    // Classify the whole transcript, even though only part of it is stored.
    const spoken = meantBy(report.transcript ?? [], report.keys)
    const at = tx.clock.now()
    const { recordingUrl, isVoicemail = false, ...rest } = report
    // A person who did not hear the recording notice has not consented, so Gable must not keep the recording.
    const isKept = call.retention_ended_at === null && (call.recorded === true || isVoicemail)
    const kept = isKept && recordingUrl !== undefined ? { recordingUrl } : {}
    const patch = patchOf(call, { ...rest, ...kept, transcript }, at)
    const result = resultOf(call, patch, spoken)
    const after = await changeCall(tx, call, { ...patch, ...result })
    await actOnResult(tx, { before: call, after, spoken, ...person })
    // The report came after the erasure: remove the provider's data too.
    if (after.erased_at !== null && isOver(after)) queueCallRemovals(tx, [after], at.toISOString())
    else if (recordingUrl !== undefined && !isKept && after.recording_source === null)
      queueCallRemovals(tx, [after], later(at, removalMs).toISOString())
    if (isOver(after)) {
      if (isToBeCopied(after)) processCallAt(tx, after.id, at)
      if (after.completed_at === null) processCallAt(tx, after.id, later(at, analysisMs))
    }
    return after
  })

async function findReported(tx: Tx, account: ProviderAccount, { callId, providerCallId }: CallReport) {
  const named = callId !== null && isId(callId) ? await findCall(tx, callId) : undefined
  if (named?.connection_id === account.id) return named
  return findCallByProviderId(tx, account.id, providerCallId)
}

/**
 * Adds an incoming call, or one that was placed outside Gable. Returns undefined if it involves no number of the
 * workspace.
 */
async function newCall(
  tx: Tx,
  account: ProviderAccount,
  report: CallReport,
  { number, points }: CallPerson,
): Promise<CallRow | undefined> {
  const isInbound = report.direction === 'INBOUND'
  const ours = toDialable((isInbound ? report.to : report.from) ?? '')
  const sender = ours === undefined ? undefined : await findSender(tx, ours, 'SMS')
  if (ours === undefined || sender === undefined) return undefined
  const holder = await findHolder(tx, { points, senderOf: async () => sender.id })
  const at = tx.clock.now()
  const isRung = isInbound && report.handledBy === 'human'
  const call = {
    contact_id: holder?.id ?? null,
    sender_id: sender.id,
    connection_id: account.id,
    direction: report.direction,
    handled_by: report.handledBy,
    member_id: isRung ? ((await findMemberToRing(tx, holder))?.id ?? null) : null,
    from: isInbound ? (number ?? null) : ours,
    to: isInbound ? ours : (number ?? null),
    provider_call_id: report.providerCallId,
    status: 'ringing',
    // Gable announces recording for member calls when it routes them. For AI calls, the provider's agent announces it.
    recorded: isRung ? null : (await findComplianceSettings(tx)).record_calls,
    began_at: at.toISOString(),
  } as const
  // Schedule a lookup: the report of the end may get lost.
  return addCall(tx, call, { lookAt: nextLookup({ began: at, isTheirs: true }, at) })
}

/** How far each status is along. If two final statuses conflict, a conversation outranks an attempt. */
const rank: Record<CallStatus, number> = {
  unknown: -1,
  queued: 0,
  ringing: 1,
  in_progress: 2,
  cancelled: 4,
  failed: 5,
  busy: 6,
  no_answer: 6,
  completed: 7,
  blocked: 8,
}

const ofStatus: Partial<Record<CallStatus, Disposition>> = { no_answer: 'no_answer', busy: 'busy' }

/**
 * The changes from a report: the status moves forward, times and texts are added, and erased content never comes back.
 */
function patchOf(call: CallRow, report: CallReport, now: Date): CallPatch {
  const { analysis, recordingUrl, transcript } = report
  // An answered call counts as completed, even if the report of another leg says that no one answered.
  const isHeld = call.answered_at !== null && ['no_answer', 'cancelled'].includes(report.status)
  const status = isHeld ? 'completed' : report.status
  // After Gable has given up on a call, only its end counts.
  const isNews = call.completed_at === null || isOver({ status })
  const isAhead = rank[status] > rank[call.status] && isNews
  const patch: CallPatch = {
    provider_call_id: call.provider_call_id ?? report.providerCallId,
    ...(isAhead ? { status } : {}),
    started_at: call.started_at ?? timeOf(report.startedAt, now),
    answered_at: call.answered_at ?? timeOf(report.answeredAt, now),
  }
  const last = isAhead ? status : call.status
  if (isOver({ status: last })) {
    const ended = call.ended_at ?? timeOf(report.endedAt, now) ?? now.toISOString()
    patch.ended_at = ended
    const wasTaken = last === 'completed' || (patch.answered_at ?? null) !== null
    patch.duration_seconds = wasTaken ? durationOf(call, report, patch, ended) : 0
  }
  // A reported disposition outranks the one derived from the status.
  const held = call.disposition === ofStatus[call.status] ? null : call.disposition
  patch.disposition = held ?? report.disposition ?? (isOver({ status: last }) ? ofStatus[last] : null) ?? null
  if (call.erased_at !== null) return patch
  if (isAhead) patch.error = report.error === undefined ? null : errorOf(report.error)
  if (recordingUrl !== undefined && call.recording_stored_at === null) {
    patch.recording_source = recordingUrl
    if (recordingUrl !== call.recording_source) patch.recording_error = null
  }
  if (transcript !== undefined && transcript.length > 0) {
    patch.transcript = transcript
    if (call.handled_by === 'ai' && isOver({ status: last }))
      patch.ai_disclosed = call.ai_disclosed ?? disclosed(transcript)
  }
  if (analysis === undefined) return patch
  if (isOver({ status: last })) patch.completed_at = call.completed_at ?? now.toISOString()
  return {
    ...patch,
    disposition: held ?? dispositionOf(analysis.disposition) ?? patch.disposition,
    sentiment: call.sentiment ?? analysis.sentiment,
    extracted: call.extracted ?? analysis.extracted,
    ...(call.summary === null && analysis.summary !== null
      ? { summary: storable(analysis.summary).slice(0, 4000), summary_source: 'provider' }
      : {}),
  }
}

const dispositionOf = (said: string | null): Disposition | null =>
  said === null ? null : (dispositions.find((one) => one === said) ?? 'other')

/** A time in the future means that the provider's clock is wrong: cap it at `now`. */
const timeOf = (at: Date | undefined, now: Date): string | null =>
  at === undefined || Number.isNaN(at.getTime()) ? null : (at < now ? at : now).toISOString()

function durationOf(call: CallRow, report: CallReport, patch: CallPatch, ended: string): number {
  if (report.durationSeconds !== undefined) return report.durationSeconds
  if (call.duration_seconds) return call.duration_seconds
  const answered = patch.answered_at ?? null
  return answered === null ? 0 : Math.max(0, Math.round((Date.parse(ended) - Date.parse(answered)) / 1000))
}

const mostTurns = 2000
const mostLetters = 5000

const cleaned = (transcript: readonly TranscriptTurn[] = []): TranscriptTurn[] =>
  transcript.slice(0, mostTurns).map((turn) => ({ ...turn, text: storable(turn.text).slice(0, mostLetters) }))

/** Whether the AI's first turn discloses that it is an AI. Null if the AI says nothing. */
function disclosed(transcript: readonly TranscriptTurn[]): boolean | null {
  const first = transcript.find(({ speaker }) => speaker === 'ai')
  return first === undefined ? null : disclosesAi(first.text)
}
