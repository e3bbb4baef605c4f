import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import { lock } from '#kernel/db/lock.ts'
import { isId } from '#kernel/ids.ts'
import { findComplianceSettings } from '../../compliance/public.ts'
import { listContactsById, toDialable } from '../../contacts/public.ts'
import { storable } from '../../messages/public.ts'
import { findSender } from '../../senders/public.ts'
import { addCall } from '../add-call.ts'
import { type CallRow, type TranscriptTurn, dispositions, errorOf, isOver } from '../call.ts'
import { type CallPatch, changeCall } from '../change-call.ts'
import { type CallPerson, lockPersonOf } from '../lock-person.ts'
import type { CallReport, CallStatus, Disposition, ProviderAccount } from '../ports.ts'
import { findCall, findCallByProviderId, lockCall, queueCallRemovals } from '../queries.ts'
import { whomToRing } from '../route-call.ts'
import { analysisMs, nextLookup } from '../schedule.ts'
import { actOnResult, meantBy, resultOf } from '../speech/act-on-speech.ts'
import { disclosesAi } from '../speech/disclosure.ts'
import { tendAt } from '../tend-at.ts'

/**
 * Records what a provider reports of a call, once however often and in whatever order it comes: a call only moves forward, and
 * one that we do not know is added. What the person asked for in it is done in the same transaction, under the locks under which
 * calls and messages to them begin. Undefined for a call with no number of ours.
 */
export const recordReport = (
  ctx: Ctx,
  account: ProviderAccount,
  report: CallReport,
): Promise<CallRow | undefined> =>
  ctx.transaction(async (tx) => {
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
    // All of what was said, though not all of it is kept.
    const spoken = meantBy(report.transcript ?? [], report.keys)
    const at = tx.clock.now()
    const { record_calls: isRecorded } = await findComplianceSettings(tx)
    const { recordingUrl, isVoicemail = false, ...rest } = report
    const wanted = (isRecorded || isVoicemail) && recordingUrl !== undefined ? { recordingUrl } : {}
    const patch = patchOf(call, { ...rest, ...wanted, transcript }, at)
    const result = resultOf(call, patch, spoken)
    const after = await changeCall(tx, call, { ...patch, ...result })
    await actOnResult(tx, { before: call, after, spoken, ...person })
    // What a provider keeps of it came after the erasure.
    if (after.erased_at !== null && isOver(after)) queueCallRemovals(tx, [after], at.toISOString())
    if (isOver(after)) {
      if (after.recording_source !== null && after.recording_stored_at === null) tendAt(tx, after.id, at)
      if (after.completed_at === null) tendAt(tx, after.id, later(at, analysisMs))
    }
    return after
  })

async function findReported(tx: Tx, account: ProviderAccount, { callId, providerCallId }: CallReport) {
  const named = callId !== null && isId(callId) ? await findCall(tx, callId) : undefined
  if (named?.connection_id === account.id) return named
  return findCallByProviderId(tx, account.id, providerCallId)
}

/** A call that someone else placed, or that came in; undefined where it is with no number of ours. */
async function newCall(
  tx: Tx,
  account: ProviderAccount,
  report: CallReport,
  { number, contactIds }: CallPerson,
): Promise<CallRow | undefined> {
  const isInbound = report.direction === 'INBOUND'
  const ours = toDialable((isInbound ? report.to : report.from) ?? '')
  const sender = ours === undefined ? undefined : await findSender(tx, ours, 'SMS')
  if (ours === undefined || sender === undefined) return undefined
  const contacts = await listContactsById(tx, contactIds)
  const [latest] = contacts.toSorted((a, b) => (a.updated_at < b.updated_at ? 1 : -1))
  const at = tx.clock.now()
  const isRung = isInbound && report.handledBy === 'human'
  const call = {
    contact_id: latest?.id ?? null,
    sender_id: sender.id,
    connection_id: account.id,
    direction: report.direction,
    handled_by: report.handledBy,
    member_id: isRung ? ((await whomToRing(tx, latest))?.id ?? null) : null,
    from: isInbound ? (number ?? null) : ours,
    to: isInbound ? ours : (number ?? null),
    provider_call_id: report.providerCallId,
    status: 'ringing',
    began_at: at.toISOString(),
  } as const
  // Its end may be lost.
  return addCall(tx, call, { lookAt: nextLookup(at, at, false) })
}

/** How far a call has come. Of two ends that contradict each other, the conversation beats the attempt. */
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

/** What a report changes: statuses move forward, times and texts are added, and nothing comes back that was erased. */
function patchOf(call: CallRow, report: CallReport, now: Date): CallPatch {
  const { analysis, recordingUrl, transcript } = report
  // A call that was answered was held, though the report of another leg says that nothing came of it.
  const isHeld = call.answered_at !== null && ['no_answer', 'cancelled'].includes(report.status)
  const status = isHeld ? 'completed' : report.status
  const isAhead = rank[status] > rank[call.status]
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
  // What is reported says more than what follows from the status.
  const held = call.disposition === ofStatus[call.status] ? null : call.disposition
  patch.disposition = held ?? report.disposition ?? (isOver({ status: last }) ? ofStatus[last] : null) ?? null
  if (call.erased_at !== null) return patch
  if (isAhead) patch.error = report.error === undefined ? null : errorOf(report.error)
  if (recordingUrl !== undefined && call.recording_stored_at === null) patch.recording_source = recordingUrl
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

/** A time in the future is a clock that is wrong. */
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

/** Whether the AI says in what it says first that it is one. Null where it says nothing. */
function disclosed(transcript: readonly TranscriptTurn[]): boolean | null {
  const first = transcript.find(({ speaker }) => speaker === 'ai')
  return first === undefined ? null : disclosesAi(first.text)
}
