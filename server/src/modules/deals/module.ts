import type { Module } from '#kernel/module.ts'
import { on } from '#kernel/subscription.ts'
import { ContactWasErased } from '../contacts/public.ts'
import { WorkspaceCreated } from '../workspaces/public.ts'
import * as endpoints from './endpoints.ts'
import { eraseDeals } from './erase-deals.ts'
import * as events from './events.ts'
import { insertDefaultPipelines } from './pipelines/default-pipelines.ts'
import * as pipelineEndpoints from './pipelines/endpoints.ts'
import { listReachableDeals } from './queries.ts'
import { readDealsAgain } from './read-again.ts'

export const deals: Module = {
  tag: 'Deals',
  endpoints: [...Object.values(endpoints), ...Object.values(pipelineEndpoints)],
  events: Object.values(events),
  periodicJobs: () => [readDealsAgain],
  reachable: { deal: listReachableDeals },
  subscriptions: [
    on(WorkspaceCreated, (tx) => insertDefaultPipelines(tx)),
    on(ContactWasErased, (tx, { id }) => eraseDeals(tx, id)),
  ],
}
