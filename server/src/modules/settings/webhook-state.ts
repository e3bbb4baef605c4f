import { type Part, html, moment } from '../pages/public.ts'
import { type WebhookRow, statusOf } from '../webhooks/public.ts'

/** The status of a webhook as a badge. */
export function webhookState(webhook: WebhookRow): Part {
  const { failing_since } = webhook
  const status = statusOf(webhook)
  if (status === 'disabled') return html`<span class="badge bad">disabled</span>`
  if (status === 'paused') return html`<span class="badge">paused</span>`
  return failing_since === null
    ? html`<span class="badge good">active</span>`
    : html`<span class="badge bad">failing</span> <span class="hint">since ${moment(failing_since)}</span>`
}
