import type { Tx } from '#kernel/context.ts'
import { scrubReplies } from '#kernel/http/idempotency.ts'
import { forgetFacts, lockRouting, releaseLead } from '../routing/public.ts'
import { changeLead } from './change-lead.ts'
import { erasedLead, isOpen } from './lead.ts'
import { eraseConsents, lockLeadsOf } from './queries.ts'

/** Removes the personal data from the leads of an erased contact, and closes and detaches them. */
export async function eraseLeads(tx: Tx, contactId: string): Promise<void> {
  const leads = await lockLeadsOf(tx, contactId, 'all')
  if (leads.length === 0) return
  const ids = leads.map(({ id }) => id)
  await scrubReplies(tx, ids)
  await lockRouting(tx)
  eraseConsents(tx, ids)
  forgetFacts(tx, ids)
  const erased_at = tx.clock.now().toISOString()
  for (const lead of leads) {
    if (isOpen(lead) && lead.assignee_id !== null) releaseLead(tx, lead.assignee_id)
    const status = isOpen(lead) ? 'disqualified' : lead.status
    changeLead(tx, lead, { ...erasedLead, status, erased_at })
  }
}
