import type { House } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import type { PlainAnswer, PlainRoute } from '#kernel/http/plain-route.ts'
import { findDelivery, presentWithAttempts, redeliver } from '../deliveries/public.ts'
import { type Part, html, moment, table } from '../pages/public.ts'
import { findWebhook, statusOf } from '../webhooks/public.ts'
import { deliveryState } from './delivery-log.ts'
import { button, deskPage } from './desk-page.ts'
import { type Desk, buttonRoute, deskRoute } from './desk.ts'

/** One delivery: what was sent, what came back, and sending it again. */
export const deliveryRoutes = (house: House): PlainRoute[] => [
  deskRoute(house, '/webhooks/:webhook/deliveries/:delivery', { GET: deliveryPage }),
  buttonRoute(house, '/webhooks/:webhook/deliveries/:delivery/redeliver', pathOf, ({ ctx, id }) =>
    redeliver(ctx, id('webhook'), id('delivery')),
  ),
]

const pathOf = ({ base, id }: Desk) => `${base}/webhooks/${id('webhook')}/deliveries/${id('delivery')}`

type Attempt = ReturnType<typeof presentWithAttempts>['attempts'][number]

async function deliveryPage(desk: Desk): Promise<PlainAnswer> {
  const { ctx, base, id } = desk
  const webhook = found(await findWebhook(ctx.db, id('webhook')))
  const row = found(await findDelivery(ctx.db, webhook.id, id('delivery')))
  const delivery = presentWithAttempts(row, ctx.scopes)
  const mayAgain = delivery.status !== 'pending' && statusOf(webhook) !== 'disabled'
  return deskPage(desk, 'webhooks', {
    title: `Delivery of ${delivery.event}`,
    main: html`<dl class="facts">
<dt>To</dt><dd><a href="${base}/webhooks/${webhook.id}">${webhook.url}</a></dd>
<dt>State</dt><dd>${deliveryState(delivery)}</dd>
<dt>Next attempt</dt><dd>${moment(delivery.next_attempt_at, 'none')}</dd>
<dt>Happened</dt><dd>${moment(delivery.created_at)}</dd>
<dt>Event id</dt><dd><code>${delivery.event_id}</code></dd>
<dt>Delivery id</dt><dd><code>${delivery.id}</code></dd>
</dl>
${mayAgain ? html`<div class="buttons">${button(desk, `${pathOf(desk)}/redeliver`, 'Send it again')}</div>` : ''}
<h2>Attempts</h2>
${table(
  'Attempts, oldest first',
  ['When', 'Took', 'Answer', 'What came back'],
  delivery.attempts.map(attemptLine),
  'No attempt has ended yet.',
)}
<h2>What is sent</h2>
${
  delivery.payload === null
    ? html`<p class="empty">The payload is gone.</p>`
    : html`<pre class="letter" tabindex="0">${inLines(delivery.payload)}</pre>`
}`,
  })
}

/** Of an answer so much, in characters. */
const answerLength = 300

const attemptLine = ({ started_at, duration_ms, status, failure, answer }: Attempt): Part[] => [
  moment(started_at),
  `${duration_ms} ms`,
  html`${status === null ? '' : html`<strong>${status}</strong> `}${failure ?? 'received'}`,
  answer === null || answer === '' ? html`<span class="muted">nothing</span>` : shortened(answer),
]

const shortened = (answer: string): string => {
  const characters = Array.from(answer)
  return characters.length > answerLength ? `${characters.slice(0, answerLength).join('')}…` : answer
}

/** The same JSON, a line each member. */
const inLines = (payload: string): string => JSON.stringify(JSON.parse(payload), null, 2)
