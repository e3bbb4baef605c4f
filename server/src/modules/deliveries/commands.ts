import { type Command, Option } from 'commander'
import type { Cli } from '#kernel/cli/cli.ts'
import { group } from '#kernel/cli/declare.ts'
import { type Limited, limitOption, newest } from '#kernel/cli/limit.ts'
import { type CommandOutput, type Columns, tableOf, record } from '#kernel/cli/output.ts'
import { type Since, sinceForms, sinceOf } from '#kernel/cli/since.ts'
import { AppError, NotFound } from '#kernel/errors.ts'
import { firstIdAt } from '#kernel/ids.ts'
import { requireEventNames, theWebhook } from '../events/public.ts'
import { type WebhookTarget, declareOnWebhook, statusOf } from '../webhooks/public.ts'
import { type DeliverySummary, deliveryStatuses, presentDelivery, presentWithAttempts } from './delivery.ts'
import { WebhookNotActive } from './errors.ts'
import { sendTest } from './examples.ts'
import { findDelivery, listDeliveries } from './queries.ts'
import { recover, redeliver } from './redeliver.ts'

interface Filters extends Limited {
  status?: DeliverySummary['status']
  event?: string
  since?: Since
}

export function addDeliveryCommands(program: Command, cli: Cli): void {
  const webhook = group(program, 'webhook', 'subscriptions to events, and their deliveries')
  declareOnWebhook<{ event?: string }>(
    cli,
    webhook,
    'test',
    {
      summary: 'send an example of an event to a webhook',
      description: 'Sends a regular delivery with test: true in its data. A running worker sends it.',
      example: 'webhook test WEBHOOK --workspace ID --event contact.created',
    },
    async ({ ctx, webhook: target, options: { event } }) => {
      requireEventNames(ctx, event === undefined ? [] : [event], theWebhook(target), '--event')
      requireStatus({ ctx, webhook: target }, 'active')
      return queued(await sendTest(ctx, target.id, event), ctx.workspaceId)
    },
  ).option('--event <name>', 'the event to send an example of; webhook.test by default')

  declareOnWebhook<Filters>(
    cli,
    webhook,
    'deliveries',
    {
      summary: 'list the deliveries of a webhook, newest first',
      description: 'Deliveries are kept for 30 days.',
      example: 'webhook deliveries WEBHOOK --workspace ID --status failed --since 24h',
    },
    list,
  )
    .addOption(new Option('--status <status>', 'only deliveries with this status').choices(deliveryStatuses))
    .option('--event <name>', 'only deliveries of this event')
    .addOption(new Option('--since <when>', `only events since this time, ${sinceForms}`).argParser(sinceOf))
    .addOption(limitOption(50))

  declareOnWebhook(
    cli,
    webhook,
    'delivery',
    {
      summary: 'show a delivery with its payload and its attempts',
      example: 'webhook delivery WEBHOOK DELIVERY --workspace ID',
    },
    async ({ ctx, webhook: { id } }, deliveryId = '') => {
      const row = await findDelivery(ctx.db, id, deliveryId)
      if (row === undefined) throw noDelivery(deliveryId)
      const value = presentWithAttempts(row, ctx.scopes)
      const attempts = tableOf(value.attempts, attemptColumns, 'No attempt has ended yet.')
      const text = `${shown(row).text}\n\n${attempts.text}\n\n${value.payload ?? 'The payload is gone.'}`
      return { value, text }
    },
  ).argument('<delivery-id>', 'id of the delivery')

  declareOnWebhook(
    cli,
    webhook,
    'redeliver',
    {
      summary: 'send a finished delivery again',
      description: 'Keeps the event_id, and makes up to six attempts. A running worker sends it.',
      example: 'webhook redeliver WEBHOOK DELIVERY --workspace ID',
    },
    async ({ ctx, webhook: target }, deliveryId = '') => {
      requireStatus({ ctx, webhook: target }, 'active', 'paused')
      if ((await findDelivery(ctx.db, target.id, deliveryId)) === undefined) throw noDelivery(deliveryId)
      return queued(await redeliver(ctx, target.id, deliveryId), ctx.workspaceId)
    },
  ).argument('<delivery-id>', 'id of the delivery')

  declareOnWebhook<{ since: Since }>(
    cli,
    webhook,
    'recover',
    {
      summary: 'send all failed deliveries again',
      description: 'Requeues every failed delivery since then, oldest first. A running worker sends them.',
      example: 'webhook recover WEBHOOK --workspace ID --since 24h',
    },
    async ({ ctx, webhook: target, options }) => {
      requireStatus({ ctx, webhook: target }, 'active', 'paused')
      const since = options.since(ctx.clock.now())
      const value = {
        webhook_id: target.id,
        since: since.toISOString(),
        deliveries: await recover(ctx, target.id, since),
      }
      return record(value, {
        Webhook: target.id,
        Since: value.since,
        'To be sent again': String(value.deliveries),
      })
    },
  ).addOption(new Option('--since <when>', sinceForms).argParser(sinceOf).makeOptionMandatory())
}

const noDelivery = (id: string) => NotFound(`There is no delivery ${id} of this webhook.`)

async function list({ ctx, webhook, options }: WebhookTarget<Filters>): Promise<CommandOutput> {
  const { status, event, since, limit } = options
  if (event !== undefined) requireEventNames(ctx, [event], theWebhook(webhook), '--event')
  const now = ctx.clock.now()
  const from = since === undefined ? '' : firstIdAt(since(now).getTime())
  const filters = { ...(status === undefined ? {} : { status }), ...(event === undefined ? {} : { event }) }
  const rows = await listDeliveries(ctx.searches(), webhook.id, filters, from, newest({ limit }))
  const { text, notice } = tableOf(rows, columns, 'There are no such deliveries.', limit)
  return { value: rows.slice(0, limit).map(presentDelivery), text, notice }
}

const columns: Columns<DeliverySummary> = {
  id: (row) => row.id,
  event: (row) => row.event,
  status: (row) => row.status,
  attempts: (row) => String(row.attempt),
  next: (row) => presentDelivery(row).next_attempt_at,
  created: (row) => row.created_at,
}

const shown = (row: DeliverySummary): CommandOutput =>
  record(presentDelivery(row), {
    Id: row.id,
    Event: row.event,
    'Event id': row.event_id,
    Status: row.status,
    Attempts: String(row.attempt),
    Next: presentDelivery(row).next_attempt_at,
    Created: row.created_at,
  })

function queued(row: DeliverySummary, workspaceId: string): CommandOutput {
  const { value, text } = shown(row)
  const look = `webhook delivery ${row.webhook_id} ${row.id} --workspace ${workspaceId}`
  return { value, text: `${text}\n\nWhat comes of it:\n  npm run -s gable -- ${look}` }
}

type Attempt = ReturnType<typeof presentWithAttempts>['attempts'][number]

const attemptColumns: Columns<Attempt> = {
  started: (attempt) => attempt.started_at,
  took: (attempt) => `${attempt.duration_ms} ms`,
  status: (attempt) => (attempt.status === null ? null : String(attempt.status)),
  failure: (attempt) => attempt.failure,
  answer: (attempt) => (attempt.answer === null ? null : JSON.stringify(attempt.answer.slice(0, 60))),
}

/** Throws unless the webhook has one of these statuses. The error message contains the command that resumes the webhook. */
function requireStatus(
  { ctx, webhook }: Pick<WebhookTarget<object>, 'ctx' | 'webhook'>,
  ...statuses: ReturnType<typeof statusOf>[]
): void {
  const status = statusOf(webhook)
  if (statuses.includes(status)) return
  const resume = `npm run -s gable -- webhook update ${webhook.id} --workspace ${ctx.workspaceId} --resume`
  const message = `Webhook ${webhook.id} is ${status}. Take it into use with: ${resume}`
  throw new AppError(WebhookNotActive.code, WebhookNotActive.status, { message })
}
