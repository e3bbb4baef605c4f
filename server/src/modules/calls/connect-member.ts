import type { Ctx, Tx } from '#kernel/context.ts'
import { type Cleared, findComplianceSettings } from '../compliance/public.ts'
import { type CallRow, isOver } from './call.ts'
import { changeCall } from './change-call.ts'
import { blockOrHold, clearCall, endAsFailed } from './dial-call.ts'
import { lockPersonOf } from './lock-person.ts'
import type { MemberConfirmation, OutgoingCall, ProviderAccount } from './ports.ts'
import { findCall, lockCall, saveNextLookAtCall } from './queries.ts'
import { phoneToRing } from './route-call.ts'

/**
 * Decides whether to connect the person after the member's phone was picked up. The member must press a key, which no
 * voicemail does. Then judges the call again under the locks that every writer of an opt-out takes. Returns undefined
 * if the call ends here.
 */
export const connectMember = (
  ctx: Ctx,
  account: ProviderAccount,
  { callId, providerCallId, isConfirmed }: MemberConfirmation,
): Promise<Cleared<OutgoingCall> | undefined> =>
  ctx.transaction(async (tx) => {
    const seen = await findCall(tx, callId)
    if (seen?.connection_id !== account.id || seen.to === null) return undefined
    await lockPersonOf(tx, seen)
    const call = await lockCall(tx, callId)
    if (call === undefined || isOver(call) || call.began_at === null || call.answered_at !== null)
      return undefined
    const known = await changeCall(tx, call, { provider_call_id: call.provider_call_id ?? providerCallId })
    if (isConfirmed) return judgeAgain(tx, known)
    await endUnconfirmed(tx, known)
    return undefined
  })

async function judgeAgain(tx: Tx, call: CallRow): Promise<Cleared<OutgoingCall> | undefined> {
  const member = await phoneToRing(tx, call.member_id)
  if (member === null) {
    const message = 'The member is deactivated, or has no phone number.'
    await endAsFailed(tx, call, { code: 'member_unreachable', carrier_code: null, message })
    return undefined
  }
  const recorded = call.recorded ?? (await findComplianceSettings(tx)).record_calls
  const at = tx.clock.now()
  const { verdict, compliance } = await clearCall(tx, call, { member, recorded, opening: null }, at)
  if (!verdict.allowed) {
    await blockOrHold(tx, { ...call, compliance }, verdict, at)
    return undefined
  }
  await changeCall(tx, call, { compliance, recorded })
  return verdict.cleared
}

/** Ends the call without calling the person: no member confirmed. */
async function endUnconfirmed(tx: Tx, call: CallRow): Promise<void> {
  const at = tx.clock.now().toISOString()
  await changeCall(tx, call, {
    status: 'no_answer',
    disposition: 'no_answer',
    error: {
      code: 'member_unreachable',
      carrier_code: null,
      message: 'The member pressed no key, so the person was not called.',
    },
    ended_at: at,
    duration_seconds: 0,
    completed_at: at,
  })
  saveNextLookAtCall(tx, call.id, null)
}
