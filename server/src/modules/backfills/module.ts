import type { Module } from '#kernel/module.ts'
import { on } from '#kernel/subscription.ts'
import { ContactWasErased } from '../contacts/public.ts'
import { runEngine } from '../enrollments/public.ts'
import { batches } from './batches.ts'
import * as changeEndpoints from './changes/endpoints.ts'
import * as endpoints from './endpoints.ts'
import * as events from './events.ts'
import { outgoingBackfills } from './outgoing.ts'
import { eraseBackfillContact } from './queries.ts'

export const backfills: Module = {
  tag: 'Automations',
  endpoints: [...Object.values(endpoints), ...Object.values(changeEndpoints)],
  events: Object.values(events),
  services: [{ name: 'run-engine', start: (runtime) => runEngine(runtime, batches) }],
  outgoing: [outgoingBackfills],
  subscriptions: [on(ContactWasErased, async (tx, { id }) => eraseBackfillContact(tx, id))],
}
