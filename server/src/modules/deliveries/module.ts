import { on } from '#kernel/events/subscription.ts'
import type { Module } from '#kernel/module.ts'
import { ContactWasErased } from '../contacts/public.ts'
import { WebhookDisabled, WebhookWasRemoved } from '../webhooks/public.ts'
import { deliverWebhooks } from './deliver.ts'
import { getDeliveries, getDelivery, postRecover, postRedeliver, postTest } from './endpoints.ts'
import { WebhookTested } from './events.ts'
import { fanOutEvents } from './fan-out.ts'
import {
  enqueueLater,
  failDeliveries,
  forgetDeliveries,
  recoverDeliveries,
  scrubLateAnswers,
  sweepDeliveries,
} from './jobs.ts'
import { scrubDeliveries } from './queries.ts'

export const deliveries: Module = {
  endpoints: [getDeliveries, getDelivery, postRedeliver, postRecover, postTest],
  events: [WebhookTested],
  subscriptions: [
    fanOutEvents,
    on(ContactWasErased, async (tx, { id }) => {
      await scrubDeliveries(tx, id)
      enqueueLater(tx, scrubLateAnswers, { contact_id: id })
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
  jobs: [recoverDeliveries, forgetDeliveries, failDeliveries, scrubLateAnswers],
  periodicJobs: [sweepDeliveries],
  services: [deliverWebhooks],
}
