import { orNotFound } from '#kernel/errors.ts'
import { listEvents } from '#kernel/events/journal.ts'
import { accepted, endpoint, ok } from '#kernel/http/endpoint.ts'
import { listEndpoint } from '#kernel/http/list-endpoint.ts'
import { firstIdAt } from '#kernel/ids.ts'
import { momentOf, requireEventNames, theWebhook } from '../events/public.ts'
import { findWebhook, listWebhooks } from '../webhooks/public.ts'
import {
  Delivery,
  DeliveryWithAttempts,
  Recovery,
  RecoveryStarted,
  TestDraft,
  deliveryFilters,
  presentDelivery,
  presentWithAttempts,
} from './delivery.ts'
import { sendTest } from './examples.ts'
import { findDelivery, listDeliveries, listDeliveriesOfEvent } from './queries.ts'
import { recover, redeliver } from './redeliver.ts'

const scope = 'webhooks:manage'

export const getDeliveries = listEndpoint('GET /webhooks/{id}/deliveries', {
  scope,
  summary: 'List deliveries',
  description: 'Deliveries of the last 30 days, newest first.',
  item: Delivery,
  filters: deliveryFilters,
  async rows(ctx, { params, query, page }) {
    const webhook = orNotFound(await findWebhook(ctx.db, ctx.actor, params.id))
    if (query.event !== undefined) requireEventNames(ctx, [query.event], theWebhook(webhook), 'event')
    const from = query.since === undefined ? '' : firstIdAt(momentOf(query.since))
    return listDeliveries(ctx.searches(), params.id, query, from, page)
  },
  present: presentDelivery,
})

export const getEventDeliveries = listEndpoint('GET /events/{id}/deliveries', {
  scope,
  tag: 'Events',
  summary: 'List the deliveries of an event',
  description: 'The deliveries of the event to every webhook, of the last 30 days.',
  item: Delivery,
  async rows(ctx, { params, page }) {
    // A developer sees the deliveries of events whose records they do not see. A key that sees only what it created does not.
    const [events, webhooks] = await Promise.all([
      listEvents(ctx.creator === undefined ? ctx.lookups() : ctx.db, [params.id]),
      listWebhooks(ctx.db, ctx.actor),
    ])
    orNotFound(events[0])
    const ids = webhooks.map(({ id }) => id)
    return listDeliveriesOfEvent(ctx.searches(), params.id, ids, page)
  },
  present: presentDelivery,
})

export const getDelivery = endpoint('GET /webhooks/{id}/deliveries/{delivery_id}', {
  scope,
  summary: 'Retrieve a delivery',
  description: 'Includes the payload, every attempt, and the responses of the endpoint.',
  responses: { 200: DeliveryWithAttempts },
  fields: true,
  async handle(ctx, { params }) {
    const [webhook, delivery] = await Promise.all([
      findWebhook(ctx.db, ctx.actor, params.id),
      findDelivery(ctx.db, params.id, params.delivery_id),
    ])
    orNotFound(webhook)
    return ok(presentWithAttempts(orNotFound(delivery), ctx.scopes))
  },
})

export const postRedeliver = endpoint('POST /webhooks/{id}/deliveries/{delivery_id}/redeliver', {
  scope,
  summary: 'Resend a delivery',
  description:
    'Sends the same `event_id` and the same bytes. A delivery that is over starts a new round of up to six attempts. One that waits for its next attempt is due now, and keeps its count of attempts.',
  responses: { 202: Delivery },
  fields: true,
  errors: {
    409: '`delivery_pending`: an attempt is in progress; `webhook_not_active`: the webhook is disabled.',
  },
  handle: async (ctx, { params }) =>
    accepted(presentDelivery(await redeliver(ctx, params.id, params.delivery_id))),
})

export const postRecover = endpoint('POST /webhooks/{id}/recover', {
  scope,
  summary: 'Resend failed and waiting deliveries',
  description:
    'Resends every delivery of events that occurred since a time, oldest first: failed ones in a new round of attempts, and ones that wait for their next attempt now.',
  body: Recovery,
  responses: { 202: RecoveryStarted },
  errors: { 409: '`webhook_not_active`: the webhook is disabled.' },
  handle: async (ctx, { params, body }) => {
    const since = new Date(momentOf(body.since))
    const deliveries = await recover(ctx, params.id, since)
    return accepted({ webhook_id: params.id, since: since.toISOString(), deliveries })
  },
})

export const postTest = endpoint('POST /webhooks/{id}/test', {
  scope,
  summary: 'Send a test event',
  description:
    'Sends an example of an event with `test: true` in its data. The delivery appears in the list of deliveries.',
  body: TestDraft,
  responses: { 202: Delivery },
  fields: true,
  errors: {
    403: 'The credential lacks `webhooks:manage`, or the webhook lacks the scope of the event.',
    409: '`webhook_not_active`: the webhook is paused or disabled.',
  },
  handle: async (ctx, { params, body }) =>
    accepted(presentDelivery(await sendTest(ctx, params.id, body.event_type))),
})
