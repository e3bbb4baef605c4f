import type { Ctx, Tx } from '#kernel/context.ts'
import { holdTurn, releaseLead, reopenLead } from '../routing/public.ts'
import { LeadStatusChanged } from './events.ts'
import { type ConsentedLead, type Status, isOpen } from './lead.ts'
import { lockWritable } from './lock.ts'
import { lockLeadsOf, saveLead } from './queries.ts'

/** Says how far a lead has come. A closed one counts for its assignee's open leads no more, until it is contacted again. */
export const setStatus = (
  ctx: Ctx,
  id: string,
  status: 'contacted' | 'converted' | 'disqualified',
): Promise<ConsentedLead> =>
  ctx.transaction(async (tx) => {
    const { lead } = await lockWritable(tx, id)
    return changeStatus(tx, lead, status)
  })

/** The caller holds the lead's lock. A closed lead waits for nobody. */
async function changeStatus(tx: Tx, lead: ConsentedLead, status: Status): Promise<ConsentedLead> {
  if (lead.status === status) return lead
  const moved = { ...lead, status, updated_at: tx.clock.now().toISOString() }
  const after = isOpen(moved)
    ? moved
    : { ...moved, waits_for: null, offered_to: [], offered_until: null, try_at: null }
  saveLead(tx, after)
  if (lead.assignee_id !== null && isOpen(lead) !== isOpen(after)) {
    if (isOpen(after)) reopenLead(tx, lead.assignee_id)
    else releaseLead(tx, lead.assignee_id)
  }
  await tx.emit(LeadStatusChanged, {
    id: lead.id,
    contact_id: lead.contact_id,
    from: lead.status,
    to: status,
  })
  return after
}

const closedBy: Record<string, Status | undefined> = {
  ACTIVE_CLIENT: 'converted',
  PAST_CLIENT: 'converted',
  TRASH: 'disqualified',
}

/** A contact who becomes a client converts their open leads, one who is thrown away disqualifies them. */
export async function followStage(tx: Tx, contactId: string, stage: string): Promise<void> {
  const status = closedBy[stage]
  if (status === undefined) return
  const open = await lockLeadsOf(tx, contactId, 'open')
  if (open.length > 0) await holdTurn(tx)
  for (const lead of open) await changeStatus(tx, lead, status)
}
