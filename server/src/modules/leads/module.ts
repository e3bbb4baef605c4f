import type { Module } from '#kernel/module.ts'
import { on } from '#kernel/subscription.ts'
import { ContactStageChanged, ContactWasErased } from '../contacts/public.ts'
import * as endpoints from './endpoints.ts'
import { eraseLeads } from './erase-leads.ts'
import * as events from './events.ts'
import { LeadOffered, LeadWaiting } from './events.ts'
import { endLeadOffer, routeWaitingLeads, tryWaitingLater } from './jobs.ts'
import { listReachableLeads } from './queries.ts'
import { followStage } from './set-status.ts'

export const leads: Module = {
  tag: 'Leads',
  endpoints: Object.values(endpoints),
  events: Object.values(events),
  reachable: { lead: listReachableLeads },
  subscriptions: [
    on(ContactStageChanged, (tx, { id, to }) => followStage(tx, id, to)),
    on(LeadWaiting, (tx) => tryWaitingLater(tx)),
    on(LeadOffered, (tx, { id, offered_until, routing: { decision_id } }) => {
      if (offered_until === null) return
      tx.enqueue(endLeadOffer, { lead_id: id, decision_id }, { runAt: new Date(offered_until) })
    }),
    on(ContactWasErased, (tx, { id }) => eraseLeads(tx, id)),
  ],
  jobs: [routeWaitingLeads, endLeadOffer],
}
