import type { Ctx, Tx } from '#kernel/context.ts'
import { requireMatch } from '#kernel/http/etag.ts'
import { lockRouting, releaseLead, reopenLead } from '../routing/public.ts'
import { changeLead } from './change-lead.ts'
import { LeadStatusChanged } from './events.ts'
import { type ConsentedLead, type Status, isOpen } from './lead.ts'
import { lockWritable } from './lock.ts'
import { isRoutingWithheld } from './present-lead.ts'
import { lockLeadsOf } from './queries.ts'

/** Sets a lead's status. A closed lead does not count toward its assignee's open leads until it is contacted again. */
export const setStatus = (
  ctx: Ctx,
  id: string,
  status: 'contacted' | 'converted' | 'disqualified',
): Promise<ConsentedLead> =>
  ctx.transaction(async (tx) => {
    const { lead } = await lockWritable(tx, id)
    // If-Match names the version that the caller was shown.
    requireMatch(ctx, isRoutingWithheld(lead, ctx) ? { ...lead, updated_at: lead.created_at } : lead)
    return changeStatus(tx.unrestricted(), lead, status)
  })

/** The caller holds the lead's lock. Closing a lead ends its offer or its wait for an assignee. */
async function changeStatus(tx: Tx, lead: ConsentedLead, status: Status): Promise<ConsentedLead> {
  if (lead.status === status) return lead
  const ended = { waits_for: null, offered_to: [], offered_until: null, try_at: null }
  const after = changeLead(tx, lead, isOpen({ status }) ? { status } : { status, ...ended })
  if (lead.assignee_id !== null && isOpen(lead) !== isOpen(after)) {
    if (isOpen(after)) reopenLead(tx, lead.assignee_id)
    else releaseLead(tx, lead.assignee_id)
  }
  // `from` reveals whether the lead was routed, and thus whether the sender was known.
  const event = { id: lead.id, from: lead.status, to: status }
  await tx.hidingFrom(lead.captured_by).emit(LeadStatusChanged, event, lead.contact_id)
  return after
}

const closedBy: Record<string, Status | undefined> = {
  ACTIVE_CLIENT: 'converted',
  PAST_CLIENT: 'converted',
  TRASH: 'disqualified',
}

/** Closes a contact's open leads: converted if the contact becomes a client, disqualified if the contact is trashed. */
export async function followStage(tx: Tx, contactId: string, stage: string): Promise<void> {
  const status = closedBy[stage]
  if (status === undefined) return
  const open = await lockLeadsOf(tx, contactId, 'open')
  if (open.length > 0) await lockRouting(tx)
  for (const lead of open) await changeStatus(tx, lead, status)
}
