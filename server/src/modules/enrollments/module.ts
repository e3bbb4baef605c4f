import type { Module } from '#kernel/module.ts'
import { on, onEvery } from '#kernel/subscription.ts'
import { type AiDependencies, createBreaker } from '../ai/public.ts'
import { CallClassified } from '../calls/public.ts'
import { ContactWasErased } from '../contacts/public.ts'
import { MessageReceived } from '../messages/public.ts'
import { TestClockTurned } from '../workspaces/public.ts'
import { eraseEnrollments, pauseAfterCall } from './change-enrollment.ts'
import * as dryRunEndpoints from './dry-run/endpoints.ts'
import * as endpoints from './endpoints.ts'
import { bringLaneForward } from './engine/lane-queries.ts'
import * as entryEndpoints from './entries/endpoints.ts'
import { deleteOldEntries } from './entries/jobs.ts'
import * as events from './events.ts'
import { appendEvent } from './inbox/append.ts'
import { outgoingEnrollments, outgoingTriggers } from './outgoing.ts'
import { pauseForLate } from './pause-for-late.ts'
import { pauseForUnverified } from './pause-for-unverified.ts'
import { callWebhook } from './steps/outside/call-webhook.ts'
import { writeAiMessage } from './steps/outside/write-ai-message.ts'

export const enrollments: Module<AiDependencies> = {
  tag: 'Automations',
  endpoints: [
    ...Object.values(endpoints),
    ...Object.values(entryEndpoints),
    ...Object.values(dryRunEndpoints),
  ],
  events: Object.values(events),
  jobs: ({ runtime, model }) => [
    callWebhook,
    writeAiMessage({ model, breaker: createBreaker(runtime.clock) }),
  ],
  periodicJobs: [deleteOldEntries],
  outgoing: [outgoingEnrollments, outgoingTriggers],
  subscriptions: [
    onEvery(appendEvent),
    on(TestClockTurned, (tx, { ms }) => bringLaneForward(tx, ms)),
    on(MessageReceived, pauseForLate),
    on(MessageReceived, pauseForUnverified),
    on(CallClassified, async (tx, { contact_ids, action }) => {
      for (const id of contact_ids)
        await pauseAfterCall(tx, id, action === 'review' ? 'not_interested' : action)
    }),
    on(ContactWasErased, (tx, { id }) => eraseEnrollments(tx, id)),
  ],
}
