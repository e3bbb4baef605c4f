import { type Command, CommanderError, Option } from 'commander'
import type { Cli, CommandRuntime } from '#kernel/cli/cli.ts'
import { declare, group } from '#kernel/cli/declare.ts'
import { type CommandOutput, type Columns, tableOf, record } from '#kernel/cli/output.ts'
import { bodyValidator } from '#kernel/http/validation.ts'
import { allScopes } from '../access/public.ts'
import { requireEventNames, theCredential, theWebhook } from '../events/public.ts'
import { createWebhook } from './create-webhook.ts'
import { eventNamesOf, eventsHelp } from './event-options.ts'
import { listWebhooks } from './queries.ts'
import { removeWebhook } from './remove-webhook.ts'
import { rotateSecret } from './rotate-secret.ts'
import { updateWebhook } from './update-webhook.ts'
import { type WebhookTarget, declareOnWebhook } from './webhook-command.ts'
import { checkWebhookUrl } from './webhook-url.ts'
import { type WebhookRow, presentWebhook, statusOf, webhookRecord } from './webhook.ts'

interface Changes {
  url?: string
  events?: string[]
  description?: string
  pause?: true
  resume?: true
}

const addressText = 'WEBHOOK_ALLOW_HTTP and WEBHOOK_ALLOW_PRIVATE set which addresses are allowed.'

export function addWebhookCommands(program: Command, cli: Cli): void {
  const webhook = group(program, 'webhook', 'subscriptions to events, and their deliveries')
  declare(webhook, 'create', {
    summary: 'subscribe an endpoint to events',
    description: `The signing secret is shown only once. ${addressText}`,
    example:
      'webhook create --workspace ID --url https://hooks.example.com/gable --events "contact.created lead.created"',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .requiredOption('--url <url>', 'the URL to post events to')
    .addOption(eventsOption().default([], 'all'))
    .option('--description <text>', 'what the webhook is for, up to 200 characters')
    .addHelpText('after', eventsHelp(cli.eventTypes))
    .action(cli.run(create))

  declare(webhook, 'list', {
    summary: 'list the webhooks of a workspace, newest first',
    example: 'webhook list --workspace ID',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(
      cli.run(async (command, options: { workspace: string }) => {
        const { db, actor } = await command.workspace(options.workspace)
        const rows = await listWebhooks(db, actor)
        const { text } = tableOf(rows, columns, 'The workspace has no webhooks yet.')
        return { value: rows.map(presentWebhook), text }
      }),
    )

  declareOnWebhook(
    cli,
    webhook,
    'show',
    { summary: 'show a webhook, without its secret', example: 'webhook show WEBHOOK --workspace ID' },
    async (target) => shown(target.webhook),
  )

  declareOnWebhook<Changes>(
    cli,
    webhook,
    'update',
    {
      summary: 'change a webhook',
      description: `Waiting deliveries go to the new address. ${addressText}`,
      example: 'webhook update WEBHOOK --workspace ID --events all --resume',
    },
    update,
  )
    .option('--url <url>', 'the new URL')
    .addOption(eventsOption())
    .option('--description <text>', 'what the webhook is for; "" removes the description')
    .option('--pause', 'pause deliveries')
    .addOption(new Option('--resume', 'resume deliveries, and enable a disabled webhook').conflicts('pause'))

  declareOnWebhook(
    cli,
    webhook,
    'rotate-secret',
    {
      summary: 'replace the signing secret',
      description:
        'The new secret is shown only once. For 24 hours, the old secret signs as well, in X-Webhook-Signature-Previous.',
      example: 'webhook rotate-secret WEBHOOK --workspace ID',
    },
    async ({ ctx, webhook: { id } }) => {
      const { row, secret } = await rotateSecret(ctx, id)
      return shown(row, secret)
    },
  )

  declareOnWebhook(
    cli,
    webhook,
    'delete',
    {
      summary: 'unsubscribe',
      description: 'Deletes the webhook and its pending deliveries.',
      example: 'webhook delete WEBHOOK --workspace ID',
    },
    async ({ ctx, webhook: { id, url } }) => {
      await removeWebhook(ctx, id)
      return record({ id, deleted: true }, { Deleted: id, Address: url })
    },
  )
}

const eventsOption = () =>
  new Option(
    '--events <names>',
    'event names, separated by spaces; or all, including future events',
  ).argParser(eventNamesOf)

async function create(
  command: CommandRuntime,
  options: Changes & { workspace: string; url: string; events: string[] },
) {
  const ctx = await command.workspace(options.workspace)
  requireEventNames(ctx, options.events, theCredential(ctx), '--events')
  const { url, ...draft } = {
    url: options.url,
    event_types: options.events,
    ...(options.description === undefined ? {} : { description: options.description }),
  }
  requireDraft({ url, ...draft })
  const { row, secret } = await createWebhook(ctx, await checkWebhookUrl(ctx, url), draft)
  return shown(row, secret)
}

async function update({ ctx, webhook, options }: WebhookTarget<Changes>): Promise<CommandOutput> {
  const { url, events, description, pause, resume } = options
  const patch = {
    ...(events === undefined ? {} : { event_types: events }),
    ...(description === undefined ? {} : { description: description === '' ? null : description }),
    ...(pause === undefined ? {} : { paused: true }),
    ...(resume === undefined ? {} : { paused: false }),
  }
  if (url === undefined && Object.keys(patch).length === 0)
    throw new CommanderError(2, 'gable.nothing', 'Name at least one change.')
  requirePatch({ ...(url === undefined ? {} : { url }), ...patch })
  requireEventNames(ctx, events ?? [], theWebhook(webhook), '--events')
  const address = url === undefined ? undefined : await checkWebhookUrl(ctx, url)
  return shown(await updateWebhook(ctx, webhook.id, address, patch))
}

const requireDraft = bodyValidator(webhookRecord.Draft)
const requirePatch = bodyValidator(webhookRecord.Patch)

const namesIn = ({ event_types }: WebhookRow) => (event_types.length === 0 ? 'all' : event_types.join(' '))

const columns: Columns<WebhookRow> = {
  id: (row) => row.id,
  address: (row) => row.url,
  status: statusOf,
  'failing since': (row) => row.failing_since,
  events: namesIn,
}

const shown = (row: WebhookRow, secret?: string): CommandOutput =>
  record(
    { ...presentWebhook(row), ...(secret === undefined ? {} : { secret }) },
    {
      ...(secret === undefined ? {} : { Secret: `${secret}  (shown only now)` }),
      Id: row.id,
      Address: row.url,
      Description: row.description,
      Status: statusOf(row),
      Events: namesIn(row),
      Scopes: allScopes.every((scope) => row.scopes.includes(scope)) ? 'all' : row.scopes.join(' '),
      'Failing since': row.failing_since,
      'Old secret until': row.previous_secret_until,
    },
  )
