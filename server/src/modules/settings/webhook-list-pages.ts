import type { House } from '#kernel/context.ts'
import { ValidationFailed } from '#kernel/errors.ts'
import type { PlainAnswer, PlainRoute } from '#kernel/http/plain-route.ts'
import { validator } from '#kernel/http/validation.ts'
import { field, html, named, shownOnce, table } from '../pages/public.ts'
import { type Fields, signedInAnew } from '../signin/public.ts'
import { WebhookDraft, checkAddress, createWebhook, listWebhooks, maxWebhooks } from '../webhooks/public.ts'
import { deskForm, deskPage } from './desk-page.ts'
import { type Desk, deskRoute } from './desk.ts'
import { type ChosenEvents, eventChoices } from './event-choices.ts'
import { type Refusal, nothingWrong, refusalOf } from './refusal.ts'
import { webhookState } from './webhook-state.ts'

/** A workspace's webhooks, and how to make one. */
export const webhookListRoutes = (house: House): PlainRoute[] => [
  deskRoute(house, '/webhooks', { GET: listPage }),
  deskRoute(
    house,
    '/webhooks/new',
    { GET: async (desk) => newPage(desk, blank), POST: create },
    signedInAnew,
  ),
]

async function listPage(desk: Desk): Promise<PlainAnswer> {
  const { ctx, base } = desk
  const webhooks = await listWebhooks(ctx.db, { before: null, limit: maxWebhooks })
  const rows = webhooks.map((webhook) => [
    html`<a href="${base}/webhooks/${webhook.id}">${named(webhook.url)}</a>`,
    named(webhook.description ?? ''),
    webhook.event_types.length === 0 ? 'Everything' : webhook.event_types.join(', '),
    webhookState(webhook),
  ])
  return deskPage(desk, 'webhooks', {
    title: 'Webhooks',
    main: html`<p>A webhook posts what happens in this workspace to an address of yours, within seconds.</p>
<p class="buttons"><a class="button primary" href="${base}/webhooks/new">Create a webhook</a></p>
${table(
  'Webhooks, newest first',
  ['Address', 'For', 'Told', 'State'],
  rows,
  'There are no webhooks yet. Create one, and another system knows of a new lead before anybody has reloaded a page.',
)}`,
  })
}

interface Entered {
  url: string
  description: string
  events: ChosenEvents
}

const blank: Entered = { url: '', description: '', events: { all: true, names: [] } }

const newPage = (
  desk: Desk,
  entered: Entered,
  { status, faults, message }: Refusal = nothingWrong,
): PlainAnswer =>
  deskPage(desk, 'webhooks', {
    title: 'Create a webhook',
    status,
    main: html`${message}
${deskForm(desk, {
  label: 'Create the webhook',
  back: `${desk.base}/webhooks`,
  fields: html`${field({
    name: 'url',
    label: 'Address',
    type: 'url',
    value: entered.url,
    hint: 'Where events are posted. It begins with https:// and can be reached from the Internet.',
    fault: faults['url'],
    maxLength: 2048,
  })}
${field({
  name: 'description',
  label: 'What it is for',
  value: entered.description,
  fault: faults['description'],
  maxLength: 200,
  optional: true,
})}
${eventChoices(desk.ctx.eventTypes, entered.events, faults['events'] ?? faults['event_types.0'])}`,
})}`,
  })

const validate = validator(WebhookDraft)

async function create(desk: Desk, form: Fields): Promise<PlainAnswer> {
  const { ctx, base } = desk
  const all = form.text('events') !== 'some'
  const [url, description] = [form.text('url').trim(), form.text('description').trim()]
  const names = form.all('event_types')
  try {
    if (!all && names.length === 0)
      throw ValidationFailed([{ path: 'events', message: 'must be at least one, or everything' }])
    const draft = { event_types: all ? [] : names, ...(description === '' ? {} : { description }) }
    validate({ url, ...draft })
    const { row, secret } = await createWebhook(ctx, await checkAddress(ctx, url), draft)
    return deskPage(desk, 'webhooks', {
      title: 'Your new webhook',
      main: html`<p>What happens is posted to ${named(row.url)} from now on.</p>
${shownOnce('The signing secret', secret)}
<p>With it your program checks that a delivery comes from here. The <a href="/docs">reference</a> says how.</p>
<p><a href="${base}/webhooks/${row.id}">Go on to the webhook</a></p>`,
    })
  } catch (error) {
    return newPage(desk, { url, description, events: { all, names } }, refusalOf(error))
  }
}
