import { type Command, InvalidArgumentError, Option } from 'commander'
import { NotFound } from '#kernel/errors.ts'
import { firstIdAt } from '#kernel/ids.ts'
import {
  type DeliverySummary,
  deliveryStatuses,
  findDelivery,
  listDeliveries,
  presentDelivery,
  presentWithAttempts,
  recover,
  redeliver,
  sendTest,
} from '../modules/deliveries/public.ts'
import { requireEventNames, theWebhook } from '../modules/events/public.ts'
import { type Answer, type Columns, listing, record } from './answer.ts'
import { type Since, sinceForms, sinceOf } from './since.ts'
import { type Target, declareOnWebhook, requireStatus } from './webhook-target.ts'

interface Filters {
  status?: DeliverySummary['status']
  event?: string
  since?: Since
  limit: number
}

const maxLimit = 1000

export function addDeliveryCommands(webhook: Command): void {
  declareOnWebhook<{ event?: string }>(
    webhook,
    'test',
    {
      summary: 'send an example of an event to a webhook',
      description: 'A delivery like any other, with test: true in its data; a running worker sends it.',
      example: 'webhook test WEBHOOK --workspace ID --event contact.created',
    },
    async ({ ctx, webhook: target, options: { event } }) => {
      requireEventNames(ctx, event === undefined ? [] : [event], theWebhook(target), '--event')
      requireStatus({ ctx, webhook: target }, 'active')
      return queued(await sendTest(ctx, target.id, event), ctx.workspaceId)
    },
  ).option('--event <name>', 'whose example; webhook.test by default')

  declareOnWebhook<Filters>(
    webhook,
    'deliveries',
    {
      summary: 'list what was sent to a webhook, newest first',
      description: 'Deliveries are kept for 30 days.',
      example: 'webhook deliveries WEBHOOK --workspace ID --status failed --since 24h',
    },
    list,
  )
    .addOption(new Option('--status <status>', 'only these').choices(deliveryStatuses))
    .option('--event <name>', 'only of this event')
    .addOption(new Option('--since <when>', `only of events since then: ${sinceForms}`).argParser(sinceOf))
    .addOption(
      new Option('--limit <number>', `how many at most, 1 to ${maxLimit}`).default(50).argParser(limitOf),
    )

  declareOnWebhook(
    webhook,
    'delivery',
    {
      summary: 'show a delivery, what was sent, and what each attempt came to',
      example: 'webhook delivery WEBHOOK DELIVERY --workspace ID',
    },
    async ({ ctx, webhook: { id } }, deliveryId = '') => {
      const row = await findDelivery(ctx.db, id, deliveryId)
      if (row === undefined) throw noDelivery(deliveryId)
      const value = presentWithAttempts(row, ctx.scopes)
      const attempts = listing(value.attempts, attemptColumns, 'No attempt has ended yet.')
      const text = `${shown(row).text}\n\n${attempts.text}\n\n${value.payload ?? 'The payload is gone.'}`
      return { value, text }
    },
  ).argument('<delivery-id>', 'id of the delivery')

  declareOnWebhook(
    webhook,
    'redeliver',
    {
      summary: 'send a delivery that is over once more',
      description: 'The same event_id, for up to six attempts; a running worker sends it.',
      example: 'webhook redeliver WEBHOOK DELIVERY --workspace ID',
    },
    async ({ ctx, webhook: target }, deliveryId = '') => {
      requireStatus({ ctx, webhook: target }, 'active', 'paused')
      if ((await findDelivery(ctx.db, target.id, deliveryId)) === undefined) throw noDelivery(deliveryId)
      return queued(await redeliver(ctx, target.id, deliveryId), ctx.workspaceId)
    },
  ).argument('<delivery-id>', 'id of the delivery')

  declareOnWebhook<{ since: Since }>(
    webhook,
    'recover',
    {
      summary: 'send everything again that failed',
      description: 'Every failed delivery of an event since then, oldest first; a running worker sends them.',
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

async function list({ ctx, webhook, options }: Target<Filters>): Promise<Answer> {
  const { status, event, since, limit } = options
  if (event !== undefined) requireEventNames(ctx, [event], theWebhook(webhook), '--event')
  const now = ctx.clock.now()
  const from = since === undefined ? '' : firstIdAt(since(now).getTime())
  const filters = { ...(status === undefined ? {} : { status }), ...(event === undefined ? {} : { event }) }
  const found = await listDeliveries(ctx.searches, webhook.id, filters, from, {
    before: null,
    limit: limit + 1,
  })
  const rows = found.slice(0, limit)
  const { text } = listing(rows, columns, 'There are no such deliveries.')
  const more = found.length > limit ? '\n… and older ones: --limit' : ''
  return { value: rows.map(presentDelivery), text: text + more }
}

const columns: Columns<DeliverySummary> = {
  id: (row) => row.id,
  event: (row) => row.event,
  status: (row) => row.status,
  attempts: (row) => String(row.attempt),
  next: (row) => presentDelivery(row).next_attempt_at,
  created: (row) => row.created_at,
}

const shown = (row: DeliverySummary): Answer =>
  record(presentDelivery(row), {
    Id: row.id,
    Event: row.event,
    'Event id': row.event_id,
    Status: row.status,
    Attempts: String(row.attempt),
    Next: presentDelivery(row).next_attempt_at,
    Created: row.created_at,
  })

function queued(row: DeliverySummary, workspaceId: string): Answer {
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

function limitOf(text: string): number {
  const limit = Number(text)
  if (/^\d+$/.test(text) && limit >= 1 && limit <= maxLimit) return limit
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${maxLimit}.`)
}
