import { type Command, CommanderError, Option } from 'commander'
import type { Cli, CommandRuntime } from '#kernel/cli/cli.ts'
import { declare, group } from '#kernel/cli/declare.ts'
import { withOptionNames } from '#kernel/cli/option-issues.ts'
import { type CommandOutput, type Columns, record, tableOf } from '#kernel/cli/output.ts'
import { bodyValidator } from '#kernel/http/validation.ts'
import { missingOf } from '../missing.ts'
import { listSenders } from '../queries.ts'
import { type SenderKind, senderKinds, statesInWords } from '../registration.ts'
import { createSender, updateSender } from '../save-sender.ts'
import { type SenderDraft, type SenderPatch, type SenderRow, senders } from '../sender.ts'
import { pairsOption, patchOf } from './options.ts'

interface Changes {
  workspace: string
  name?: string
  state?: Record<string, string>
  pace?: string
  campaign?: string
  campaignPace?: string
  brand?: string
  brandDailyLimit?: string
}

interface Addition extends Changes {
  kind: SenderKind
  address: string
  connection?: string
  default?: true
}

const stateText =
  'a state of its registration: brand=, campaign= and number= (10dlc), verification= (tollfree), status= (shortcode, whatsapp), domain_authenticated= (email)'

export function addSenderCommands(program: Command, cli: Cli): void {
  const sender = group(program, 'sender', 'the numbers and addresses that messages come from')

  declare(sender, 'list', {
    summary: 'list the senders of a workspace, and what they lack',
    example: 'sender list --workspace ID',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(
      cli.run(async (command, options: { workspace: string }) => {
        const { db } = await command.workspace(options.workspace)
        return tableOf(await listSenders(db), columns, 'The workspace has no senders yet.')
      }),
    )

  changeable(
    declare(sender, 'add', {
      summary: 'add a number or an address',
      description:
        'Without --connection, the sender uses the simulated carrier, which reaches no one. The first sender of a channel is its default.',
      example:
        'sender add --workspace ID --kind 10dlc --address "+1 312 555 0188" --state brand=APPROVED campaign=VERIFIED number=REGISTERED',
    })
      .addOption(new Option('--kind <kind>', 'the kind of sender').choices(senderKinds).makeOptionMandatory())
      .requiredOption('--address <address>', 'a phone number, a short code, or an email address')
      .option('--connection <id>', 'the connection of the sender')
      .option('--default', 'make it the default for messages that name no sender'),
  ).action(cli.run(add))

  changeable(
    declare(sender, 'update', {
      summary: 'change a sender',
      description: 'States that you omit keep their values. "" removes a name, a campaign, or a brand.',
      example: 'sender update SENDER --workspace ID --state number=REGISTERED',
    }).argument('<sender-id>', 'id of the sender'),
  ).action(cli.run(update))

  declare(sender, 'set-default', {
    summary: 'make a sender the default of its channel',
    description: 'Messages that name no sender then come from it.',
    example: 'sender set-default SENDER --workspace ID',
  })
    .argument('<sender-id>', 'id of the sender')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(
      cli.run(async (command, id: string, { workspace }: { workspace: string }) =>
        shown(await updateSender(await command.workspace(workspace), id, { is_default: true })),
      ),
    )
}

const changeable = (command: Command) =>
  command
    .requiredOption('--workspace <id>', 'id of the workspace')
    .option('--name <name>', 'a name for people; emails show it as the sender')
    .addOption(pairsOption('--state', stateText))
    .option('--pace <number>', 'segments per second, or messages for channels without segments')
    .option('--campaign <id>', 'the campaign; its senders share a pace')
    .option(
      '--campaign-pace <number>',
      'segments per minute for all senders of the campaign; "" for no limit',
    )
    .option('--brand <id>', 'the brand; its senders share a daily limit')
    .option(
      '--brand-daily-limit <number>',
      'segments per day, until midnight Pacific Time, for all senders of the brand; "" for no limit',
    )

const validateDraft = bodyValidator(senders.Draft)
const validatePatch = bodyValidator(senders.Patch)
const optionNames = {
  ...Object.fromEntries(['address', 'name', 'pace', 'campaign', 'brand'].map((name) => [name, `--${name}`])),
  registration: '--state',
  campaign_pace: '--campaign-pace',
  brand_daily_limit: '--brand-daily-limit',
  connection_id: '--connection',
}

/** Parses a limit. An empty string removes the limit. */
const limitOf = (typed: string | undefined) => (typed === undefined || typed === '' ? typed : Number(typed))

/** Parses a state. All states are words, except `domain_authenticated`, which is a boolean. */
const stateIn = (typed: string) => (typed === 'true' || typed === 'false' ? typed === 'true' : typed)

/** Builds the members of the request body from the options. */
const bodyOf = ({ name, state, pace, campaign, campaignPace, brand, brandDailyLimit }: Changes) =>
  patchOf({
    name,
    campaign,
    campaign_pace: limitOf(campaignPace),
    brand,
    brand_daily_limit: limitOf(brandDailyLimit),
    pace: pace === undefined ? undefined : Number(pace),
    registration:
      state && Object.fromEntries(Object.entries(state).map(([key, value]) => [key, stateIn(value)])),
  })

async function add(command: CommandRuntime, options: Addition): Promise<CommandOutput> {
  const { workspace, kind, address, connection } = options
  const ctx = await command.workspace(workspace)
  const draft = {
    ...bodyOf(options),
    kind,
    address,
    ...(connection === undefined ? {} : { connection_id: connection }),
    ...(options.default === undefined ? {} : { is_default: true }),
  }
  return withOptionNames(optionNames, async () => {
    validateDraft(draft)
    return shown(await createSender(ctx, draft as SenderDraft))
  })
}

async function update(command: CommandRuntime, id: string, options: Changes): Promise<CommandOutput> {
  const ctx = await command.workspace(options.workspace)
  const patch = bodyOf(options)
  if (Object.keys(patch).length === 0)
    throw new CommanderError(2, 'gable.nothing', 'Name at least one change.')
  return withOptionNames(optionNames, async () => {
    validatePatch(patch)
    return shown(await updateSender(ctx, id, patch as SenderPatch))
  })
}

const missingIn = (row: SenderRow) => missingOf(row).join('; ') || null

const columns: Columns<SenderRow> = {
  id: ({ id }) => id,
  kind: ({ kind }) => kind,
  address: ({ address }) => address,
  name: ({ name }) => name,
  default: ({ is_default }) => (is_default ? 'yes' : null),
  missing: missingIn,
}

const shown = (row: SenderRow): CommandOutput =>
  record(row, {
    Id: row.id,
    Kind: row.kind,
    Address: row.address,
    Name: row.name,
    Default: row.is_default ? 'yes' : 'no',
    States: statesInWords(row),
    Missing: missingIn(row),
    Pace: `${row.pace} a second`,
    Campaign: row.campaign,
    'Campaign pace': row.campaign_pace === null ? null : `${row.campaign_pace} a minute`,
    Brand: row.brand,
    'Brand limit': row.brand_daily_limit === null ? null : `${row.brand_daily_limit} a day`,
    Connection: row.connection_id,
  })
