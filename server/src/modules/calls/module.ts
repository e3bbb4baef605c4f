import { on } from '#kernel/events/subscription.ts'
import type { Module } from '#kernel/module.ts'
import { ContactUpdated, ContactWasErased } from '../contacts/public.ts'
import * as endpoints from './endpoints.ts'
import { eraseCalls } from './erase-calls.ts'
import * as events from './events.ts'
import { applyRecordingRetention } from './jobs.ts'
import { followOwnerOfCalls } from './queries.ts'

export const calls: Module = {
  tag: 'Calls',
  endpoints: Object.values(endpoints),
  events: Object.values(events),
  periodicJobs: [applyRecordingRetention],
  subscriptions: [
    on(ContactUpdated, (tx, { id, changes }) => {
      if (changes?.some(({ field }) => field === 'owner_id') === true) followOwnerOfCalls(tx, id)
    }),
    on(ContactWasErased, (tx, { id }) => eraseCalls(tx, id)),
  ],
}
