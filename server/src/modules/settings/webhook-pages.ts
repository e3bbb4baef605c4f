import type { House } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import type { PlainAnswer, PlainRoute } from '#kernel/http/plain-route.ts'
import { sendTest } from '../deliveries/public.ts'
import { listGrants } from '../oauth/public.ts'
import { type Part, html, moment, named, seeOther, shownOnce } from '../pages/public.ts'
import { signedInAnew } from '../signin/public.ts'
import {
  type WebhookRow,
  findWebhook,
  removeWebhook,
  rotateSecret,
  statusOf,
  updateWebhook,
} from '../webhooks/public.ts'
import { deliveryLog } from './delivery-log.ts'
import { button, confirmation, deskPage } from './desk-page.ts'
import { type Desk, buttonRoute, deskRoute } from './desk.ts'
import { webhookState } from './webhook-state.ts'

/** One webhook: how it fares, what it was sent, and all that can become of it. */
export const webhookRoutes = (house: House): PlainRoute[] => [
  deskRoute(house, '/webhooks/:webhook', { GET: webhookPage }),
  deskRoute(house, '/webhooks/:webhook/secret', { GET: askRotate, POST: rotate }, signedInAnew),
  deskRoute(house, '/webhooks/:webhook/remove', { GET: askRemove, POST: remove }),
  buttonRoute(house, '/webhooks/:webhook/pause', pathOf, (desk) => setPaused(desk, true)),
  buttonRoute(house, '/webhooks/:webhook/resume', pathOf, (desk) => setPaused(desk, false)),
  buttonRoute(house, '/webhooks/:webhook/test', pathOf, ({ ctx, id }) => sendTest(ctx, id('webhook'))),
]

const pathOf = ({ base, id }: Desk) => `${base}/webhooks/${id('webhook')}`
const setPaused = ({ ctx, id }: Desk, paused: boolean) =>
  updateWebhook(ctx, id('webhook'), undefined, { paused })
const webhookOf = async ({ ctx, id }: Desk): Promise<WebhookRow> =>
  found(await findWebhook(ctx.db, id('webhook')))

async function webhookPage(desk: Desk): Promise<PlainAnswer> {
  const webhook = await webhookOf(desk)
  const name = webhook.description || new URL(webhook.url).host
  const [maker, deliveries] = await Promise.all([makerOf(desk, webhook), deliveryLog(desk, webhook.id)])
  return deskPage(desk, 'webhooks', {
    title: `Webhook: ${name}`,
    heading: html`Webhook: ${named(name)}`,
    main: html`<dl class="facts">
<dt>Address</dt><dd><code>${webhook.url}</code></dd>
<dt>State</dt><dd>${webhookState(webhook)}</dd>
<dt>Told</dt><dd>${webhook.event_types.length === 0 ? 'Everything' : webhook.event_types.join(', ')}</dd>
${maker}
${
  webhook.previous_secret_until === null
    ? ''
    : html`<dt>Old secret</dt><dd>signs as well until ${moment(webhook.previous_secret_until)}</dd>`
}
<dt>Created</dt><dd>${moment(webhook.created_at)}</dd>
</dl>
${stateNote(webhook)}
<div class="buttons">${buttonsOf(desk, webhook)}</div>
<h2 id="deliveries">Deliveries</h2>
${deliveries}`,
  })
}

/** The app that made it, where one did. */
async function makerOf({ ctx, place }: Desk, { app_id }: WebhookRow): Promise<Part> {
  if (app_id === null) return ''
  const grants = await listGrants(ctx.directory, place.workspace.id)
  const name = grants.find((grant) => grant.app_id === app_id)?.app_name
  return html`<dt>Made by</dt><dd>the app ${named(name ?? app_id)}; it goes when the app is disconnected</dd>`
}

function stateNote({ disabled_at, failing_since, paused_with_app }: WebhookRow): Part {
  if (paused_with_app) return html`<p>It rests, because whoever owns the app has disabled it.</p>`
  if (disabled_at === null) return ''
  return html`<p>Every attempt from ${moment(failing_since)} to ${moment(disabled_at)} failed, so nothing more is sent. Take it into
use again when its address answers.</p>`
}

function buttonsOf(desk: Desk, webhook: WebhookRow): Part {
  const path = pathOf(desk)
  const status = statusOf(webhook)
  return html`${status === 'active' ? button(desk, `${path}/test`, 'Send a test') : ''}
${status === 'active' ? button(desk, `${path}/pause`, 'Pause') : ''}
${
  status === 'active' || webhook.paused_with_app
    ? ''
    : button(desk, `${path}/resume`, status === 'paused' ? 'Resume' : 'Take into use again')
}
<a class="button" href="${path}/secret">Replace the secret</a>
<a class="button danger" href="${path}/remove">Remove</a>`
}

async function askRotate(desk: Desk): Promise<PlainAnswer> {
  const { url } = await webhookOf(desk)
  return confirmation(desk, 'webhooks', {
    title: 'Replace the signing secret',
    text: html`<p>Deliveries to <code>${url}</code> are signed with a new secret, and for 24 hours with the present one as well. One
that was replaced before signs no more.</p>`,
    label: 'Replace the secret',
    kind: 'primary',
    back: pathOf(desk),
  })
}

async function rotate(desk: Desk): Promise<PlainAnswer> {
  const { row, secret } = await rotateSecret(desk.ctx, desk.id('webhook'))
  return deskPage(desk, 'webhooks', {
    title: 'The new signing secret',
    main: html`${shownOnce('The signing secret', secret)}
<p>The one before it signs as well until ${moment(row.previous_secret_until)}.</p>
<p><a href="${pathOf(desk)}">Back to the webhook</a></p>`,
  })
}

async function askRemove(desk: Desk): Promise<PlainAnswer> {
  const { url } = await webhookOf(desk)
  return confirmation(desk, 'webhooks', {
    title: 'Remove a webhook',
    text: html`<p>Nothing more is sent to <code>${url}</code>. What is still waiting for it is forgotten, and the log of its deliveries
goes, too. To stop it for a while, pause it.</p>`,
    label: 'Remove the webhook',
    back: pathOf(desk),
  })
}

async function remove({ ctx, base, id }: Desk): Promise<PlainAnswer> {
  await removeWebhook(ctx, id('webhook'))
  return seeOther(`${base}/webhooks`)
}
