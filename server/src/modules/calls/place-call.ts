import type { Ctx, Tx } from '#kernel/context.ts'
import { ContactErased, lockContact } from '../contacts/public.ts'
import { ComplianceBlocked, authorshipOf, complianceOf } from '../messages/public.ts'
import { voiceConnectionFor } from '../senders/public.ts'
import { addCall } from './add-call.ts'
import type { CallRow } from './call.ts'
import type { CallPatch } from './change-call.ts'
import type { CallDraft } from './draft.ts'
import { CallBlocked } from './events.ts'
import type { CallPlan } from './plan-call.ts'
import { processCallAt } from './process-call-at.ts'

/**
 * Accepts a planned call. If a gate forbids it, records the attempt as blocked and throws 422 `compliance_blocked`. If
 * only the hours forbid it and the draft says `schedule`, the call waits for them.
 */
export async function placeCall(ctx: Ctx, draft: CallDraft, plan: CallPlan): Promise<CallRow> {
  const { verdict } = plan
  const isKept = !verdict.allowed && draft.when_blocked === 'schedule' && verdict.retryAt !== null
  const call = await ctx.transaction((tx) =>
    accept(tx.unrestricted(), ctx, draft, plan, { isKept, author: authorshipOf(plan, ctx) }),
  )
  if (!verdict.allowed && !isKept) throw ComplianceBlocked({ call_id: call.id }, verdict)
  return call
}

async function accept(
  tx: Tx,
  ctx: Ctx,
  draft: CallDraft,
  plan: CallPlan,
  { isKept, author }: { isKept: boolean; author: ReturnType<typeof authorshipOf> },
): Promise<CallRow> {
  const { verdict, sender, contact, to, handledBy } = plan
  const at = tx.clock.now()
  const present = contact && (await lockContact(tx, contact.id))
  if (verdict.allowed && present && present.erased_at !== null) throw ContactErased()
  const isErased = (present?.erased_at ?? null) !== null
  const connectionId =
    handledBy === 'ai' ? (await voiceConnectionFor(tx, ctx, draft.connection_id)).id : sender.connection_id
  const isBlocked = !verdict.allowed && !isKept
  const dueAt = isKept && !verdict.allowed && verdict.retryAt !== null ? new Date(verdict.retryAt) : at
  const asked: CallPatch = {
    ...author,
    // Without a contact, the member who talks sees the call.
    ...(contact === undefined && { owner_id: draft.member_id ?? author.owner_id }),
    contact_id: contact?.id ?? null,
    sender_id: sender.id,
    connection_id: connectionId,
    handled_by: handledBy,
    member_id: draft.member_id ?? null,
    persona_id: draft.persona_id ?? null,
    status: isBlocked ? 'blocked' : 'queued',
    from: sender.address,
    to: isErased ? null : to.value,
    compliance: complianceOf(verdict, at),
    waits_for_hours: draft.when_blocked === 'schedule',
    scheduled_at: isKept ? dueAt.toISOString() : null,
    actor: tx.actor,
  }
  const call = await addCall(tx, asked)
  if (!verdict.allowed && isBlocked) await emitBlocked(tx, call, verdict)
  else processCallAt(tx, call.id, dueAt)
  return call
}

/** Publishes `call.blocked` with the gate's reasons. */
export const emitBlocked = (
  tx: Tx,
  call: CallRow,
  { reason, reasons }: { reason: string; reasons: readonly string[] },
) => tx.emit(CallBlocked, { ...call, reason, reasons: [...reasons] })
