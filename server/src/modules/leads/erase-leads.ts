import type { Tx } from '#kernel/context.ts'
import { scrubReplies } from '#kernel/http/idempotency.ts'
import { forgetFacts, holdTurn, releaseLead } from '../routing/public.ts'
import { isOpen } from './lead.ts'
import { eraseConsents, lockLeadsOf, saveLead } from './queries.ts'

/** Takes everything personal out of the leads of a contact that is erased, and closes and detaches them. */
export async function eraseLeads(tx: Tx, contactId: string): Promise<void> {
  const leads = await lockLeadsOf(tx, contactId, 'all')
  if (leads.length === 0) return
  const ids = leads.map(({ id }) => id)
  await scrubReplies(tx, ids)
  await holdTurn(tx)
  eraseConsents(tx, ids)
  forgetFacts(tx, ids)
  const erased_at = tx.clock.now().toISOString()
  for (const lead of leads) {
    if (isOpen(lead) && lead.assignee_id !== null) releaseLead(tx, lead.assignee_id)
    saveLead(tx, {
      ...lead,
      contact_id: null,
      status: isOpen(lead) ? 'disqualified' : lead.status,
      source: null,
      source_ref: null,
      first_name: null,
      last_name: null,
      phone: null,
      email: null,
      context: null,
      waits_for: null,
      offered_to: [],
      offered_until: null,
      try_at: null,
      updated_at: erased_at,
      erased_at,
    })
  }
}
