import type { Tx } from '#kernel/context.ts'
import { timeAfter } from '#kernel/records/record.ts'
import type { ConsentedLead, LeadRecord } from './lead.ts'
import { saveLead } from './queries.ts'

/** Writes the changes and returns the changed lead. The caller holds the lead's lock. */
export function changeLead(tx: Tx, lead: ConsentedLead, changes: Partial<LeadRecord>): ConsentedLead {
  const changed = { ...changes, updated_at: timeAfter(lead.updated_at, tx.clock.now()) }
  saveLead(tx, lead.id, changed)
  return { ...lead, ...changed }
}
