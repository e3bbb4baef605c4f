import type { Runtime } from '#kernel/context.ts'
import type { PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import { validator } from '#kernel/http/validation.ts'
import { type FormFields, html, named, shownOnce, table } from '../pages/public.ts'
import { checkWebhookUrl, createWebhook, listWebhooks, webhookRecord } from '../webhooks/public.ts'
import { type FormState, untouched, rejected } from './form-state.ts'
import { settingsForm, settingsPage } from './settings-page.ts'
import { type SettingsRequest, settingsRoute } from './settings-route.ts'
import {
  type EnteredWebhook,
  blankWebhook,
  chosenEvents,
  enteredWebhook,
  webhookFields,
} from './webhook-form.ts'
import { webhookState } from './webhook-state.ts'

/** Lists and creates webhooks. */
export const webhookListRoutes = (runtime: Runtime): PlainRoute[] => [
  settingsRoute(runtime, '/webhooks', { GET: listPage }),
  settingsRoute(
    runtime,
    '/webhooks/new',
    { GET: async (request) => newPage(request, blankWebhook), POST: create },
    'page',
  ),
]

async function listPage(request: SettingsRequest): Promise<PlainResponse> {
  const { ctx, base } = request
  const webhooks = await listWebhooks(ctx.db, ctx.actor)
  const rows = webhooks.map((webhook) => [
    html`<a href="${base}/webhooks/${webhook.id}">${named(webhook.url)}</a>`,
    named(webhook.description ?? ''),
    webhook.event_types.length === 0 ? 'All events' : webhook.event_types.join(', '),
    webhookState(webhook),
  ])
  return settingsPage(request, 'webhooks', {
    title: 'Webhooks',
    main: html`<p>Webhooks send events of this workspace to your server as they happen.</p>
<p class="buttons"><a class="button primary" href="${base}/webhooks/new">Create webhook</a></p>
${table('Webhooks, newest first', ['URL', 'Description', 'Events', 'Status'], rows, 'No webhooks yet.')}`,
  })
}

const newPage = (
  request: SettingsRequest,
  entered: EnteredWebhook,
  { status, errors, message }: FormState = untouched,
): PlainResponse =>
  settingsPage(request, 'webhooks', {
    title: 'Create webhook',
    status,
    main: html`${message}
${settingsForm(request, {
  label: 'Create webhook',
  back: `${request.base}/webhooks`,
  fields: webhookFields(request.ctx, entered, errors),
})}`,
  })

const validate = validator(webhookRecord.Draft)

async function create(request: SettingsRequest, form: FormFields): Promise<PlainResponse> {
  const { ctx, base } = request
  const entered = enteredWebhook(form)
  const { url, description } = entered
  try {
    const draft = {
      event_types: [...chosenEvents(entered.events)],
      ...(description === '' ? {} : { description }),
    }
    validate({ url, ...draft })
    const { row, secret } = await createWebhook(ctx, await checkWebhookUrl(ctx, url), draft)
    return settingsPage(request, 'webhooks', {
      title: 'Your new webhook',
      main: html`<p>From now on, Gable posts events to ${named(row.url)}.</p>
${shownOnce('The signing secret', secret)}
<p>Use it to verify that a delivery comes from Gable. The <a href="/docs/guides/receive-webhooks">guide</a> shows how.</p>
<p><a href="${base}/webhooks/${row.id}">View the webhook</a></p>`,
    })
  } catch (error) {
    return newPage(request, entered, rejected(error))
  }
}
