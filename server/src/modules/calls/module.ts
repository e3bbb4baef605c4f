import type { Module } from '#kernel/module.ts'
import { on } from '#kernel/subscription.ts'
import { ContactUpdated, ContactWasErased } from '../contacts/public.ts'
import { ConnectionDisconnected } from '../senders/public.ts'
import * as connectionEndpoints from './connections/endpoints.ts'
import { requireNoOpenCalls } from './connections/require-no-open-calls.ts'
import * as endpoints from './endpoints.ts'
import { eraseCalls } from './erase-calls.ts'
import * as events from './events.ts'
import { applyRecordingRetention, callFollowUps, callJobs } from './jobs.ts'
import { outgoingCallRemovals, outgoingCalls } from './outgoing.ts'
import type { CallDependencies } from './ports.ts'
import { followOwnerOfCalls, listReachableRecordings } from './queries.ts'
import { callCallbackRoutes } from './reports/callback-routes.ts'

export const calls: Module<CallDependencies> = {
  tag: 'Calls',
  endpoints: [...Object.values(endpoints), ...Object.values(connectionEndpoints)],
  events: Object.values(events),
  reachableFiles: listReachableRecordings,
  routes: callCallbackRoutes,
  jobs: callJobs,
  followUps: callFollowUps,
  periodicJobs: [applyRecordingRetention],
  outgoing: [outgoingCalls, outgoingCallRemovals],
  subscriptions: [
    on(ContactUpdated, (tx, { id, changes }) => {
      if (changes?.some(({ field }) => field === 'owner_id') === true) followOwnerOfCalls(tx, id)
    }),
    on(ConnectionDisconnected, (tx, { id }) => requireNoOpenCalls(tx, id)),
    on(ContactWasErased, (tx, { id }) => eraseCalls(tx, id)),
  ],
}
