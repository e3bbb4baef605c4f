import type { Ctx } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import { accepted, endpoint, ok } from '#kernel/http/endpoint.ts'
import { ListOf } from '#kernel/http/paging.ts'
import { firstIdAt } from '#kernel/ids.ts'
import { momentOf, requireEventNames, theWebhook } from '../events/public.ts'
import { findWebhook } from '../webhooks/public.ts'
import { sendTest } from './examples.ts'
import { findDelivery, listDeliveries } from './queries.ts'
import { recover, redeliver } from './redeliver.ts'
import {
  Delivery,
  DeliveryFilters,
  DeliveryWithAttempts,
  Recovery,
  RecoveryStarted,
  TestDraft,
  presentDelivery,
  presentWithAttempts,
} from './schemas.ts'

const common = { scope: 'webhooks:manage', tag: 'Webhooks' } as const

export const getDeliveries = endpoint('GET /webhooks/{id}/deliveries', {
  ...common,
  summary: 'List deliveries',
  description: 'Of the last 30 days, newest first.',
  query: DeliveryFilters,
  answers: { 200: ListOf(Delivery) },
  list: true,
  fields: true,
  handle: async (ctx, { params, query: { since, ...filters }, page }) => {
    const webhook = found(await findWebhook(ctx.db, params.id))
    if (filters.event !== undefined) requireEventNames(ctx, [filters.event], theWebhook(webhook), 'event')
    const from = since === undefined ? '' : firstIdAt(momentOf(since))
    const rows = await listDeliveries(ctx.searches, params.id, filters, from, page)
    return ok(page.answer(rows, presentDelivery))
  },
})

export const getDelivery = endpoint('GET /webhooks/{id}/deliveries/{delivery_id}', {
  ...common,
  summary: 'Read a delivery',
  description: 'With every attempt and what the endpoint answered.',
  answers: { 200: DeliveryWithAttempts },
  fields: true,
  handle: async (ctx, { params }) =>
    ok(presentWithAttempts(await deliveryOf(ctx, params.id, params.delivery_id), ctx.scopes)),
})

export const postRedeliver = endpoint('POST /webhooks/{id}/deliveries/{delivery_id}/redeliver', {
  ...common,
  summary: 'Send a delivery again',
  description: 'The same event_id and the same bytes, for up to six attempts.',
  answers: { 202: Delivery },
  fields: true,
  errors: {
    409: '`delivery_pending`: it is still under way; `webhook_not_active`: the webhook is disabled.',
  },
  handle: async (ctx, { params }) =>
    accepted(presentDelivery(await redeliver(ctx, params.id, params.delivery_id))),
})

export const postRecover = endpoint('POST /webhooks/{id}/recover', {
  ...common,
  summary: 'Send again what failed',
  description: 'Every failed delivery of an event that occurred since then, oldest first.',
  body: Recovery,
  answers: { 202: RecoveryStarted },
  errors: { 409: '`webhook_not_active`: the webhook is disabled.' },
  handle: async (ctx, { params, body }) => {
    const since = new Date(momentOf(body.since))
    const deliveries = await recover(ctx, params.id, since)
    return accepted({ webhook_id: params.id, since: since.toISOString(), deliveries })
  },
})

export const postTest = endpoint('POST /webhooks/{id}/test', {
  ...common,
  summary: 'Send an example',
  description:
    'A delivery like any other, with `test: true` in its data. What came of it is in the log of deliveries.',
  body: TestDraft,
  answers: { 202: Delivery },
  fields: true,
  errors: {
    403: 'The credential lacks `webhooks:manage`, or the webhook the scope of the event.',
    409: '`webhook_not_active`: the webhook is paused or disabled.',
  },
  handle: async (ctx, { params, body }) =>
    accepted(presentDelivery(await sendTest(ctx, params.id, body.event_type))),
})

async function deliveryOf(ctx: Ctx, webhookId: string, id: string) {
  const [webhook, delivery] = await Promise.all([
    findWebhook(ctx.db, webhookId),
    findDelivery(ctx.db, webhookId, id),
  ])
  found(webhook)
  return found(delivery)
}
