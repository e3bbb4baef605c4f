import { on, onEvery } from '#kernel/events/subscription.ts'
import type { Module } from '#kernel/module.ts'
import { type AiDependencies, createBreaker } from '../ai/public.ts'
import { CallClassified } from '../calls/public.ts'
import { ContactWasErased } from '../contacts/public.ts'
import { WorkspaceCreated } from '../workspaces/public.ts'
import { appendEvent } from './append.ts'
import * as backfillEndpoints from './backfill/endpoints.ts'
import * as backfillEvents from './backfill/events.ts'
import { eraseBackfillContact } from './backfill/queries.ts'
import { eraseEnrollments, pauseAfterCall } from './change-enrollment.ts'
import * as changeEndpoints from './changes/change-endpoints.ts'
import * as dryRunEndpoints from './dry-run/endpoints.ts'
import * as endpoints from './endpoints.ts'
import { runEngine } from './engine/run-engine.ts'
import * as entryEndpoints from './entries/endpoints.ts'
import { deleteOldEntries } from './entries/jobs.ts'
import * as events from './events.ts'
import { callWebhook } from './outside/call-webhook.ts'
import { writeAiMessage } from './outside/write-ai-message.ts'
import { insertRecipes } from './recipes/recipes.ts'

export const automations: Module<AiDependencies> = {
  tag: 'Automations',
  endpoints: [
    ...Object.values(endpoints),
    ...Object.values(backfillEndpoints),
    ...Object.values(changeEndpoints),
    ...Object.values(entryEndpoints),
    ...Object.values(dryRunEndpoints),
  ],
  events: [...Object.values(events), ...Object.values(backfillEvents)],
  jobs: ({ runtime, model }) => [
    callWebhook,
    writeAiMessage({ model, breaker: createBreaker(runtime.clock) }),
  ],
  periodicJobs: [deleteOldEntries],
  services: [runEngine],
  subscriptions: [
    onEvery(appendEvent),
    on(WorkspaceCreated, (tx) => insertRecipes(tx)),
    on(CallClassified, async (tx, { contact_ids, action }) => {
      for (const id of contact_ids)
        await pauseAfterCall(tx, id, action === 'review' ? 'not_interested' : action)
    }),
    on(ContactWasErased, (tx, { id }) => eraseEnrollments(tx, id)),
    on(ContactWasErased, async (tx, { id }) => eraseBackfillContact(tx, id)),
  ],
}
