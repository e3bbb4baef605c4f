import type { Runtime } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import type { PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import { findDelivery, presentWithAttempts, redeliver } from '../../deliveries/public.ts'
import { type Part, html, moment, table } from '../../pages/public.ts'
import { findWebhook, statusOf } from '../../webhooks/public.ts'
import { button, settingsPage } from '../settings-page.ts'
import { type SettingsRequest, buttonRoute, settingsRoute } from '../settings-route.ts'
import { deliveryState } from './delivery-log.ts'

/** Shows a delivery with its attempts, and redelivers it. */
export const deliveryRoutes = (runtime: Runtime): PlainRoute[] => [
  settingsRoute(runtime, '/webhooks/:webhook/deliveries/:delivery', { GET: deliveryPage }),
  buttonRoute(runtime, '/webhooks/:webhook/deliveries/:delivery/redeliver', pathOf, ({ ctx, id }) =>
    redeliver(ctx, id('webhook'), id('delivery')),
  ),
]

const pathOf = ({ base, id }: SettingsRequest) =>
  `${base}/webhooks/${id('webhook')}/deliveries/${id('delivery')}`

type Attempt = ReturnType<typeof presentWithAttempts>['attempts'][number]

async function deliveryPage(request: SettingsRequest): Promise<PlainResponse> {
  const { ctx, base, id } = request
  const webhook = orNotFound(await findWebhook(ctx.db, ctx.actor, id('webhook')))
  const row = orNotFound(await findDelivery(ctx.db, webhook.id, id('delivery')))
  const delivery = presentWithAttempts(row, ctx.scopes)
  const isNew = delivery.status === 'pending' && delivery.attempt_count === 0
  const mayAgain = !isNew && statusOf(webhook) !== 'disabled'
  return settingsPage(request, 'webhooks', {
    title: `Delivery of ${delivery.event}`,
    main: html`<dl class="facts">
<dt>To</dt><dd><a href="${base}/webhooks/${webhook.id}">${webhook.url}</a></dd>
<dt>Status</dt><dd>${deliveryState(delivery)}</dd>
<dt>Next attempt</dt><dd>${moment(delivery.next_attempt_at, 'none')}</dd>
<dt>Created</dt><dd>${moment(delivery.created_at)}</dd>
<dt>Event ID</dt><dd><code>${delivery.event_id}</code></dd>
<dt>Delivery ID</dt><dd><code>${delivery.id}</code></dd>
</dl>
${mayAgain ? html`<div class="buttons">${button(request, `${pathOf(request)}/redeliver`, 'Redeliver')}</div>` : ''}
<h2>Attempts</h2>
${table(
  'Attempts, oldest first',
  ['Time', 'Duration', 'Result', 'Response'],
  delivery.attempts.map(attemptLine),
  'No attempts yet.',
)}
<h2>Payload</h2>
${
  delivery.payload === null
    ? html`<p class="empty">The payload was deleted.</p>`
    : html`<pre class="letter" tabindex="0">${inLines(delivery.payload)}</pre>`
}`,
  })
}

/** How many characters of a response are shown. */
const responseLength = 300

const attemptLine = ({ started_at, duration_ms, status, failure, answer }: Attempt): Part[] => [
  moment(started_at),
  `${duration_ms} ms`,
  html`${status === null ? '' : html`<strong>${status}</strong> `}${failure ?? 'received'}`,
  answer === null || answer === '' ? html`<span class="muted">empty</span>` : shortened(answer),
]

const shortened = (answer: string): string => {
  const characters = Array.from(answer)
  return characters.length > responseLength ? `${characters.slice(0, responseLength).join('')}…` : answer
}

/** The same JSON, indented. */
const inLines = (payload: string): string => JSON.stringify(JSON.parse(payload), null, 2)
