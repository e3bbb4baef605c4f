import type { Ctx, Tx } from '#kernel/context.ts'
import { ReferenceNotFound } from '#kernel/errors.ts'
import { findDecision, isInPool, recordChoice } from '../routing/public.ts'
import { findMember } from '../workspaces/public.ts'
import { LeadNotOffered, MemberInactive } from './errors.ts'
import type { ConsentedLead } from './lead.ts'
import { lockWritable } from './lock.ts'
import { giveLead } from './route-lead.ts'

/**
 * Makes a lead that is offered the member's who asks first. 409 `lead_not_offered` when it is not, or no longer, or not
 * to them; claiming what one has claimed changes nothing.
 */
export const claimLead = (ctx: Ctx, id: string, memberId: string): Promise<ConsentedLead> =>
  ctx.transaction(async (tx) => {
    const { lead, contact } = await lockWritable(tx, id)
    const member = await findMember(tx, memberId)
    if (member === undefined) throw ReferenceNotFound('member_id')
    if (lead.status === 'claimed' && lead.assignee_id === memberId) return lead
    if (!member.active) throw MemberInactive('member_id')
    if (lead.assignee_id !== null) throw LeadNotOffered('Somebody else has this lead already.')
    const { offered_to, offered_until } = lead
    if (offered_until !== null && offered_until <= ctx.clock.now().toISOString())
      throw LeadNotOffered('The time to claim this lead is over.')
    if (!offered_to.includes(memberId) && !(await isInPond(tx, lead, memberId)))
      throw LeadNotOffered('This lead is not offered to this member.')
    const decided = { id, assigneeId: null, by: ctx.actor }
    const reason = `It was offered to ${offered_to.length}, and claimed first by member ${memberId}.`
    const record = await recordChoice(tx, decided, { method: 'claim', memberId, reason })
    return giveLead(tx, lead, contact, record, 'claimed')
  })

/** A pond is its pool's, also of those who joined it since. */
async function isInPond(tx: Tx, { id, waits_for, routing }: ConsentedLead, memberId: string) {
  if (waits_for !== 'pond' || routing === null) return false
  const decision = await findDecision(tx, id, routing.decision_id)
  return decision !== undefined && isInPool(tx, decision, memberId)
}
