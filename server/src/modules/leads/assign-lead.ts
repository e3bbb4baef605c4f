import type { Ctx } from '#kernel/context.ts'
import { ReferenceNotFound } from '#kernel/errors.ts'
import { requireReach } from '#kernel/reach.ts'
import { type DecisionRow, recordChoice } from '../routing/public.ts'
import { MemberInactive, findMember } from '../workspaces/public.ts'
import { LeadClosed } from './errors.ts'
import { type ConsentedLead, isOpen } from './lead.ts'
import { lockWritable, transferable } from './lock.ts'
import { type RoutedLead, giveLead, routeLead } from './route-lead.ts'

export interface Assigned {
  lead: ConsentedLead
  /** Undefined if nothing changed. */
  record: DecisionRow | undefined
}

/**
 * Assigns the lead and its contact to a member. Throws 404 for a member of another workspace, 409 `member_inactive` for an
 * inactive one, and 409 `lead_closed` for a closed lead. Assigning to the current assignee changes nothing.
 */
export const assignLead = (ctx: Ctx, id: string, assigneeId: string): Promise<Assigned> =>
  ctx.transaction(async (limited) => {
    requireReach(ctx.reach, assigneeId, 'assignee_id')
    const { lead, contact } = await lockWritable(limited, id)
    const tx = limited.unrestricted()
    const member = await findMember(tx, assigneeId)
    if (member === undefined) throw ReferenceNotFound('assignee_id')
    if (lead.assignee_id === assigneeId) return { lead, record: undefined }
    if (!member.active) throw MemberInactive('assignee_id')
    requireOpen(lead)
    const decided = { id, assigneeId: lead.assignee_id, by: ctx.actor }
    const reason = 'It was assigned by name.'
    const record = await recordChoice(tx, decided, { method: 'manual', memberId: assigneeId, reason })
    return { lead: await giveLead(tx, lead, transferable(contact, ctx.reach), record, 'assigned'), record }
  })

/** Routes the lead again by the rules. Throws 409 `lead_closed` for a closed lead. */
export const rerouteLead = (ctx: Ctx, id: string): Promise<RoutedLead> =>
  ctx.transaction(async (limited) => {
    const { lead, contact } = await lockWritable(limited, id)
    requireOpen(lead)
    return routeLead(ctx, limited.unrestricted(), lead, contact)
  })

function requireOpen(lead: ConsentedLead): void {
  if (!isOpen(lead)) throw LeadClosed(lead.status)
}
