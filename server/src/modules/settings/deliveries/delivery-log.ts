import { isId } from '#kernel/ids.ts'
import {
  type DeliverySummary,
  deliveryStatuses,
  listDeliveries,
  presentDelivery,
} from '../../deliveries/public.ts'
import { type Part, html, moment, table } from '../../pages/public.ts'
import type { SettingsRequest } from '../settings-route.ts'

/** Deliveries per page. */
const perPage = 25

type Status = DeliverySummary['status']

const words: Record<Status, string> = { pending: 'Pending', delivered: 'Delivered', failed: 'Failed' }

/** The deliveries of a webhook, newest first, filtered by `status` and `before` from the query. */
export async function deliveryLog({ ctx, base, query }: SettingsRequest, webhookId: string): Promise<Part> {
  const path = `${base}/webhooks/${webhookId}`
  const status = deliveryStatuses.find((one) => one === query.get('status'))
  const before = query.get('before') ?? ''
  const page = { before: isId(before) ? before : null, limit: perPage + 1 }
  const found = await listDeliveries(
    ctx.searches(),
    webhookId,
    status === undefined ? {} : { status: [status] },
    '',
    page,
  )
  const shown = found.slice(0, perPage)
  const last = shown.at(-1)
  return html`${filtersOf(path, status)}
${table(
  'Deliveries, newest first',
  ['Time', 'Event', 'Status', 'Attempts', 'Next attempt'],
  shown.map((row) => [
    html`<a href="${path}/deliveries/${row.id}">${moment(row.created_at)}</a>`,
    row.event,
    deliveryState(row),
    row.attempt,
    moment(presentDelivery(row).next_attempt_at, '–'),
  ]),
  page.before === null && status === undefined
    ? 'No deliveries yet. Send a test event, or wait for an event. Deliveries are kept for 30 days.'
    : 'No deliveries with this status.',
)}
${
  found.length > perPage && last !== undefined
    ? html`<p><a href="${path}?${addressOf(status, last.id)}#deliveries">Older deliveries</a></p>`
    : ''
}`
}

/** The status as a badge. */
export const deliveryState = ({ status }: { status: Status }): Part => {
  const kind = { pending: '', delivered: ' good', failed: ' bad' }[status]
  return html`<span class="badge${kind}">${words[status].toLowerCase()}</span>`
}

const filtersOf = (path: string, chosen: Status | undefined): Part => {
  const link = (status: Status | undefined, label: string) =>
    status === chosen
      ? html`<strong>${label}</strong> `
      : html`<a href="${path}?${addressOf(status)}#deliveries">${label}</a> `
  return html`<p class="filters">${link(undefined, 'All')}${deliveryStatuses.map((status) => link(status, words[status]))}</p>`
}

const addressOf = (status: Status | undefined, before?: string): string =>
  new URLSearchParams({
    ...(status === undefined ? {} : { status }),
    ...(before === undefined ? {} : { before }),
  }).toString()
