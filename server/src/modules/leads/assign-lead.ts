import type { Ctx } from '#kernel/context.ts'
import { ReferenceNotFound } from '#kernel/errors.ts'
import { type DecisionRow, recordChoice } from '../routing/public.ts'
import { findMember } from '../workspaces/public.ts'
import { LeadClosed, MemberInactive } from './errors.ts'
import { type ConsentedLead, isOpen } from './lead.ts'
import { lockWritable } from './lock.ts'
import { type RoutedLead, giveLead, routeLead } from './route-lead.ts'

export interface Assigned {
  lead: ConsentedLead
  /** Undefined where nothing changed. */
  record: DecisionRow | undefined
}

/**
 * Gives the lead, and with it its contact, to a member. 404 for one who is not of this workspace, 409 `member_inactive`
 * for one who has left, 409 `lead_closed` for a lead that is over. To the present assignee it changes nothing.
 */
export const assignLead = (ctx: Ctx, id: string, assigneeId: string): Promise<Assigned> =>
  ctx.transaction(async (tx) => {
    const { lead, contact } = await lockWritable(tx, id)
    const member = await findMember(tx, assigneeId)
    if (member === undefined) throw ReferenceNotFound('assignee_id')
    if (lead.assignee_id === assigneeId) return { lead, record: undefined }
    if (!member.active) throw MemberInactive('assignee_id')
    requireOpen(lead)
    const decided = { id, assigneeId: lead.assignee_id, by: ctx.actor }
    const reason = 'It was assigned by name.'
    const record = await recordChoice(tx, decided, { method: 'manual', memberId: assigneeId, reason })
    return { lead: await giveLead(tx, lead, contact, record, 'assigned'), record }
  })

/** Lets the rules decide anew who has the lead. 409 `lead_closed` for a lead that is over. */
export const rerouteLead = (ctx: Ctx, id: string): Promise<RoutedLead> =>
  ctx.transaction(async (tx) => {
    const { lead, contact } = await lockWritable(tx, id)
    requireOpen(lead)
    return routeLead(ctx, tx, lead, contact)
  })

function requireOpen(lead: ConsentedLead): void {
  if (!isOpen(lead)) throw LeadClosed(lead.status)
}
