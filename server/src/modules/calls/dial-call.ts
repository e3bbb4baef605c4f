import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import { type Blocked, type Cleared, findComplianceSettings } from '../compliance/public.ts'
import { type Point, lockPersons } from '../contacts/public.ts'
import { type Failure, complianceOf } from '../messages/public.ts'
import { recordCredentials } from '../senders/public.ts'
import { type CallRow, errorOf, isWaiting } from './call.ts'
import { changeCall } from './change-call.ts'
import { lockWithContact } from './lock-person.ts'
import { emitBlocked } from './place-call.ts'
import { judgeCall } from './plan-call.ts'
import type { OutgoingCall, ProviderAccount, SendOutcome, VoiceCarrier } from './ports.ts'
import { processCallAt } from './process-call-at.ts'
import { findCall, lockCall, saveNextLookAtCall } from './queries.ts'
import { phoneToRing } from './route-call.ts'
import { maxCallHoldMs, maxCallTurns, retryMs } from './schedule.ts'
import { openingOf } from './speech/opening.ts'
import { lockTalkingAiForShare } from './talking-persona.ts'

/**
 * Places a waiting call at most once. Judges it again under the locks that every writer of an opt-out takes, marks it
 * as begun, and hands it to the provider after that commit. Any other run that finds the call begun looks it up at the
 * provider and never places it.
 */
export async function dialCall(
  ctx: Ctx,
  { account, carrier }: { account: ProviderAccount; carrier: VoiceCarrier },
  id: string,
): Promise<void> {
  const cleared = await ctx.transaction((tx) => begin(tx, id))
  if (cleared === undefined) return
  const outcome = await carrier.place(account, cleared)
  await ctx.transaction((tx) => settle(tx, id, outcome))
  const rejects = outcome.kind === 'later' && outcome.failure.code === 'credentials_rejected'
  if (rejects || outcome.kind === 'taken') await recordCredentials(ctx, account, rejects)
}

async function begin(tx: Tx, id: string): Promise<Cleared<OutgoingCall> | undefined> {
  const seen = await findCall(tx, id)
  if (seen === undefined || seen.to === null || seen.from === null) return undefined
  const to = { type: 'phone', value: seen.to } as Point
  await lockPersons(tx, { contactIds: seen.contact_id === null ? [] : [seen.contact_id], points: [to] })
  const call = await lockCall(tx, id)
  if (call === undefined || !isWaiting(call) || call.from === null) return undefined
  const at = tx.clock.now()
  if (call.scheduled_at !== null && call.scheduled_at > at.toISOString()) return undefined
  const member = await phoneToRing(tx, call.member_id)
  if (call.handled_by === 'human' && member === null) {
    await endAsFailed(tx, call, {
      code: 'member_unreachable',
      carrier_code: null,
      message: 'The member is deactivated, or has no phone number.',
    })
    return undefined
  }
  const talking = call.handled_by === 'ai' ? await lockTalkingAiForShare(tx, call) : undefined
  if (talking !== undefined && 'code' in talking) {
    await endAsFailed(tx, call, talking)
    return undefined
  }
  const { record_calls: recorded } = await findComplianceSettings(tx)
  const opening = talking === undefined ? null : await openingOf(tx, talking.persona, recorded)
  const { verdict, compliance } = await clearCall(tx, call, { member, recorded, opening }, at)
  if (!verdict.allowed) {
    await blockOrHold(tx, { ...call, compliance }, verdict, at)
    return undefined
  }
  await changeCall(tx, call, {
    compliance,
    persona_version: talking?.persona?.version ?? null,
    recorded,
    began_at: at.toISOString(),
    started_at: at.toISOString(),
  })
  // If the call has no outcome by then, it is looked up at the provider.
  processCallAt(tx, id, later(at, 30_000))
  return verdict.cleared
}

/** Judges a call as of `at`. The caller has locked the person, then the call. */
export async function clearCall(
  tx: Tx,
  call: CallRow,
  how: Pick<OutgoingCall, 'member' | 'recorded' | 'opening'>,
  at: Date,
) {
  const { id: callId, contact_id: contactId, handled_by: handledBy } = call
  const [from, to] = [call.from ?? '', call.to ?? '']
  const { verdict } = await judgeCall(
    { db: tx, keys: tx.keys },
    { callId, from, to, ...how },
    { to: { type: 'phone', value: to } as Point, contactId, handledBy, at, callId },
  )
  return { verdict, compliance: complianceOf(verdict, at) }
}

/**
 * Blocks a call, or holds it until calling hours if it has not begun, only the hours forbid it, its draft asked to
 * wait, and neither the number of holds nor the total wait exceeds its limit.
 */
export async function blockOrHold(tx: Tx, call: CallRow, verdict: Blocked, at: Date): Promise<void> {
  const { compliance, turns, waits_for_hours, created_at, began_at } = call
  const waits =
    began_at === null &&
    waits_for_hours &&
    turns < maxCallTurns &&
    at.getTime() - Date.parse(created_at) < maxCallHoldMs
  const before = { ...call, compliance: null }
  if (verdict.retryAt !== null && waits) {
    const next = new Date(verdict.retryAt)
    await changeCall(tx, before, { compliance, turns: turns + 1, scheduled_at: next.toISOString() })
    return processCallAt(tx, call.id, next)
  }
  const after = await changeCall(tx, before, { compliance, status: 'blocked' })
  saveNextLookAtCall(tx, call.id, null)
  await emitBlocked(tx, after, verdict)
  const ended = at.toISOString()
  if (began_at !== null)
    await changeCall(tx, after, { ended_at: ended, duration_seconds: 0, completed_at: ended })
}

async function settle(tx: Tx, id: string, outcome: SendOutcome): Promise<void> {
  const call = await lockWithContact(tx, id)
  // A report or a lookup got here first.
  if (call === undefined || call.provider_call_id !== null || !['queued', 'unknown'].includes(call.status))
    return
  switch (outcome.kind) {
    case 'taken':
      return void (await changeCall(tx, call, {
        provider_call_id: outcome.providerMessageId,
        status: 'ringing',
      }))
    case 'unknown':
      return void (await changeCall(tx, call, { status: 'unknown' }))
    case 'rejected':
      return endAsFailed(tx, call, rejectionOf(outcome.failure))
    case 'later': {
      const attempts = call.attempts + 1
      const wait = retryMs(attempts)
      if (wait === undefined) return endAsFailed(tx, call, errorOf(outcome.failure))
      await changeCall(tx, call, { attempts, status: 'queued', began_at: null, started_at: null })
      return processCallAt(tx, id, later(tx.clock.now(), Math.max(wait, outcome.retryAfterMs ?? 0)))
    }
  }
}

/**
 * The error to record for a rejection. `recipient_invalid` means the member's phone: a member's call rings it first,
 * and no provider rejects an AI call with this code.
 */
const rejectionOf = (failure: Failure) =>
  failure.code === 'recipient_invalid'
    ? {
        ...errorOf(failure),
        code: 'member_unreachable',
        message: "The member's phone number cannot be called.",
      }
    : errorOf(failure)

/** Ends a call that could not be placed as failed and complete. */
export async function endAsFailed(
  tx: Tx,
  call: CallRow,
  error: NonNullable<CallRow['error']>,
): Promise<void> {
  const at = tx.clock.now().toISOString()
  await changeCall(tx, call, {
    status: 'failed',
    error,
    ended_at: at,
    duration_seconds: 0,
    completed_at: at,
  })
  saveNextLookAtCall(tx, call.id, null)
}
