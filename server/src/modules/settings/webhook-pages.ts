import type { Runtime } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import type { PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import { validator } from '#kernel/http/validation.ts'
import { sendTest } from '../deliveries/public.ts'
import { listGrants } from '../oauth/public.ts'
import { type FormFields, type Part, html, moment, named, seeOther, shownOnce } from '../pages/public.ts'
import {
  type WebhookRow,
  checkWebhookUrl,
  findWebhook,
  removeWebhook,
  rotateSecret,
  statusOf,
  updateWebhook,
  webhookRecord,
} from '../webhooks/public.ts'
import { deliveryLog } from './deliveries/delivery-log.ts'
import { type FormState, rejected, untouched } from './form-state.ts'
import { button, confirmation, settingsForm, settingsPage } from './settings-page.ts'
import { type SettingsRequest, buttonRoute, settingsRoute } from './settings-route.ts'
import { chosenEvents, enteredOf, enteredWebhook, webhookFields } from './webhook-form.ts'
import { webhookState } from './webhook-state.ts'

/** Shows and changes one webhook, and lists its deliveries. */
export const webhookRoutes = (runtime: Runtime): PlainRoute[] => [
  settingsRoute(runtime, '/webhooks/:webhook', { GET: webhookPage }),
  settingsRoute(
    runtime,
    '/webhooks/:webhook/edit',
    { GET: async (request) => editPage(request, await webhookOf(request)), POST: update },
    'page',
  ),
  settingsRoute(runtime, '/webhooks/:webhook/secret', { GET: askRotate, POST: rotate }, 'page'),
  settingsRoute(runtime, '/webhooks/:webhook/remove', { GET: askRemove, POST: remove }),
  buttonRoute(runtime, '/webhooks/:webhook/pause', pathOf, (request) => setPaused(request, true)),
  buttonRoute(runtime, '/webhooks/:webhook/resume', pathOf, (request) => setPaused(request, false)),
  buttonRoute(runtime, '/webhooks/:webhook/test', pathOf, ({ ctx, id }) => sendTest(ctx, id('webhook'))),
]

const pathOf = ({ base, id }: SettingsRequest) => `${base}/webhooks/${id('webhook')}`
const setPaused = ({ ctx, id }: SettingsRequest, paused: boolean) =>
  updateWebhook(ctx, id('webhook'), undefined, { paused })
const webhookOf = async ({ ctx, id }: SettingsRequest): Promise<WebhookRow> =>
  orNotFound(await findWebhook(ctx.db, ctx.actor, id('webhook')))

async function webhookPage(request: SettingsRequest): Promise<PlainResponse> {
  const webhook = await webhookOf(request)
  const name = webhook.description || new URL(webhook.url).host
  const [maker, deliveries] = await Promise.all([makerOf(request, webhook), deliveryLog(request, webhook.id)])
  return settingsPage(request, 'webhooks', {
    title: `Webhook: ${name}`,
    heading: html`Webhook: ${named(name)}`,
    main: html`<dl class="facts">
<dt>URL</dt><dd><code>${webhook.url}</code></dd>
<dt>Status</dt><dd>${webhookState(webhook)}</dd>
<dt>Events</dt><dd>${webhook.event_types.length === 0 ? 'All events' : webhook.event_types.join(', ')}</dd>
${maker}
${
  webhook.previous_secret_until === null
    ? ''
    : html`<dt>Previous secret</dt><dd>also signs until ${moment(webhook.previous_secret_until)}</dd>`
}
<dt>Created</dt><dd>${moment(webhook.created_at)}</dd>
</dl>
${stateNote(webhook)}
<div class="buttons">${buttonsOf(request, webhook)}</div>
<h2 id="deliveries">Deliveries</h2>
${deliveries}`,
  })
}

/** The app that created the webhook, if it was an app. */
async function makerOf({ ctx, membership }: SettingsRequest, { app_id }: WebhookRow): Promise<Part> {
  if (app_id === null) return ''
  const grants = await listGrants(ctx.directory, membership.workspace.id)
  const name = grants.find((grant) => grant.app_id === app_id)?.app_name
  return html`<dt>Created by</dt><dd>the app ${named(name ?? app_id)}. It is removed when the app is disconnected.</dd>`
}

function stateNote({ disabled_at, failing_since, paused_with_app }: WebhookRow): Part {
  if (paused_with_app) return html`<p>It is paused because its app is disabled.</p>`
  if (disabled_at === null) return ''
  return html`<p>It is disabled because every attempt from ${moment(failing_since)} to ${moment(disabled_at)} failed. Enable it when its server
responds again.</p>`
}

function buttonsOf(request: SettingsRequest, webhook: WebhookRow): Part {
  const path = pathOf(request)
  const status = statusOf(webhook)
  return html`${status === 'active' ? button(request, `${path}/test`, 'Send test event') : ''}
${status === 'active' ? button(request, `${path}/pause`, 'Pause') : ''}
${
  status === 'active' || webhook.paused_with_app
    ? ''
    : button(request, `${path}/resume`, status === 'paused' ? 'Resume' : 'Enable')
}
<a class="button" href="${path}/edit">Edit</a>
<a class="button" href="${path}/secret">Rotate secret</a>
<a class="button danger" href="${path}/remove">Remove</a>`
}

const editPage = (
  request: SettingsRequest,
  webhook: WebhookRow,
  entered = enteredOf(webhook),
  { status, errors, message }: FormState = untouched,
): PlainResponse =>
  settingsPage(request, 'webhooks', {
    title: 'Edit webhook',
    status,
    main: html`${message}
<p>If you change the URL, pending deliveries go to the new one.</p>
${settingsForm(request, {
  label: 'Save',
  back: pathOf(request),
  fields: webhookFields(
    { eventTypes: request.ctx.eventTypes, scopes: new Set(webhook.scopes) },
    entered,
    errors,
  ),
})}`,
  })

const validate = validator(webhookRecord.Patch)

async function update(request: SettingsRequest, form: FormFields): Promise<PlainResponse> {
  const { ctx } = request
  const webhook = await webhookOf(request)
  const entered = enteredWebhook(form)
  const { url, description } = entered
  try {
    const patch = {
      event_types: [...chosenEvents(entered.events)],
      description: description === '' ? null : description,
    }
    validate({ url, ...patch })
    await updateWebhook(ctx, webhook.id, await checkWebhookUrl(ctx, url), patch)
    return seeOther(pathOf(request))
  } catch (error) {
    return editPage(request, webhook, entered, rejected(error))
  }
}

async function askRotate(request: SettingsRequest): Promise<PlainResponse> {
  const { url } = await webhookOf(request)
  return confirmation(request, 'webhooks', {
    title: 'Rotate the signing secret',
    text: html`<p>Deliveries to <code>${url}</code> are signed with a new secret and, for 24 hours, also with the current one. Older secrets
stop signing now.</p>`,
    label: 'Rotate secret',
    kind: 'primary',
    back: pathOf(request),
  })
}

async function rotate(request: SettingsRequest): Promise<PlainResponse> {
  const { row, secret } = await rotateSecret(request.ctx, request.id('webhook'))
  return settingsPage(request, 'webhooks', {
    title: 'The new signing secret',
    main: html`${shownOnce('The signing secret', secret)}
<p>The previous secret also signs until ${moment(row.previous_secret_until)}.</p>
<p><a href="${pathOf(request)}">Back to the webhook</a></p>`,
  })
}

async function askRemove(request: SettingsRequest): Promise<PlainResponse> {
  const { url } = await webhookOf(request)
  return confirmation(request, 'webhooks', {
    title: 'Remove webhook',
    text: html`<p>Deliveries to <code>${url}</code> stop. Pending deliveries and the delivery log are deleted. To stop deliveries for a
while, pause the webhook.</p>`,
    label: 'Remove webhook',
    back: pathOf(request),
  })
}

async function remove({ ctx, base, id }: SettingsRequest): Promise<PlainResponse> {
  await removeWebhook(ctx, id('webhook'))
  return seeOther(`${base}/webhooks`)
}
