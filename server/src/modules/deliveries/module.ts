import type { Module } from '#kernel/module.ts'
import { on } from '#kernel/subscription.ts'
import { ContactWasErased } from '../contacts/public.ts'
import { GrantResumed } from '../oauth/public.ts'
import { WebhookDisabled, WebhookUpdated, WebhookWasRemoved } from '../webhooks/public.ts'
import { TestClockTurned } from '../workspaces/public.ts'
import { deliverWebhooks } from './dispatcher/deliver-webhooks.ts'
import * as endpoints from './endpoints.ts'
import { WebhookTested } from './events.ts'
import { fanOutEvents } from './fan-out.ts'
import {
  enqueueLater,
  failDeliveries,
  forgetDeliveries,
  recoverDeliveries,
  scrubLateResponses,
  sweepDeliveries,
} from './jobs.ts'
import { outgoingDeliveries } from './outgoing.ts'
import { bringDeliveriesForward, wakeDeliveryWorkers } from './queries.ts'
import { scrubDeliveries } from './scrub-deliveries.ts'
import { addTriggerCommand } from './trigger-command.ts'

export const deliveries: Module = {
  tag: 'Webhooks',
  endpoints: Object.values(endpoints),
  events: [WebhookTested],
  subscriptions: [
    fanOutEvents,
    on(TestClockTurned, (tx, { ms }) => bringDeliveriesForward(tx, ms)),
    on(WebhookUpdated, wakeDeliveryWorkers),
    on(GrantResumed, wakeDeliveryWorkers),
    on(ContactWasErased, async (tx, { id }) => {
      await scrubDeliveries(tx, id)
      enqueueLater(tx, scrubLateResponses, { contact_id: id })
    }),
    on(WebhookWasRemoved, (tx, { id }) => {
      tx.enqueue(forgetDeliveries, { webhook_id: id })
      enqueueLater(tx, forgetDeliveries, { webhook_id: id })
    }),
    on(WebhookDisabled, (tx, { id }) => {
      tx.enqueue(failDeliveries, { webhook_id: id })
      enqueueLater(tx, failDeliveries, { webhook_id: id })
    }),
  ],
  jobs: [recoverDeliveries, forgetDeliveries, failDeliveries, scrubLateResponses],
  periodicJobs: [sweepDeliveries],
  services: [{ name: 'deliver-webhooks', start: deliverWebhooks }],
  outgoing: [outgoingDeliveries],
  commands: addTriggerCommand,
}
