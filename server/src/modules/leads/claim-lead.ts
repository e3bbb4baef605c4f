import type { Ctx, Tx } from '#kernel/context.ts'
import { ReferenceNotFound } from '#kernel/errors.ts'
import { requireReach } from '#kernel/reach.ts'
import { findDecision, isInPool, recordChoice } from '../routing/public.ts'
import { MemberInactive, findMember } from '../workspaces/public.ts'
import { LeadNotOffered } from './errors.ts'
import type { ConsentedLead } from './lead.ts'
import { lockOffered, transferable } from './lock.ts'
import { giveLead } from './route-lead.ts'

/**
 * Assigns an offered lead to the first member who claims it. Throws 409 `lead_not_offered` if the lead is not, or no longer,
 * offered to the member. Claiming the same lead again changes nothing.
 */
export const claimLead = (ctx: Ctx, id: string, memberId: string): Promise<ConsentedLead> =>
  ctx.transaction(async (limited) => {
    requireReach(ctx.reach, memberId, 'member_id')
    const { lead, contact } = await lockOffered(limited, id)
    const tx = limited.unrestricted()
    const member = await findMember(tx, memberId)
    if (member === undefined) throw ReferenceNotFound('member_id')
    if (lead.status === 'claimed' && lead.assignee_id === memberId) return lead
    if (!member.active) throw MemberInactive('member_id')
    if (lead.assignee_id !== null) throw LeadNotOffered('Another member already has this lead.')
    const { offered_to, offered_until } = lead
    if (offered_until !== null && offered_until <= ctx.clock.now().toISOString())
      throw LeadNotOffered('The offer of this lead has expired.')
    if (!offered_to.includes(memberId) && !(await isInPond(tx, lead, memberId)))
      throw LeadNotOffered('This lead is not offered to this member.')
    const decided = { id, assigneeId: null, by: ctx.actor }
    const reason = `It was offered to ${offered_to.length}, and claimed first by member ${memberId}.`
    const record = await recordChoice(tx, decided, { method: 'claim', memberId, reason })
    return giveLead(tx, lead, transferable(contact, ctx.reach), record, 'claimed')
  })

/** Any current member of the pool can claim from a pond, even one who joined after the decision. */
async function isInPond(tx: Tx, { id, waits_for, routing }: ConsentedLead, memberId: string) {
  if (waits_for !== 'pond' || routing === null) return false
  const decision = await findDecision(tx, id, routing.decision_id)
  return decision !== undefined && isInPool(tx, decision, memberId)
}
