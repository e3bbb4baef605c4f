import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import type { Cli } from '#kernel/cli/cli.ts'
import { type CommandText, declare, group } from '#kernel/cli/declare.ts'
import { type CommandOutput, type Columns, tableOf, record } from '#kernel/cli/output.ts'
import type { Ctx } from '#kernel/context.ts'
import { findSuppressions } from './find-suppressions.ts'
import { importSuppressions } from './import-suppressions.ts'
import { liftSuppression } from './lift-suppression.ts'
import { suppress } from './suppress.ts'
import { type SuppressionRow, listSuppressions } from './suppression-queries.ts'
import { presentSuppression } from './suppression-schemas.ts'
import {
  type OptOutChannel,
  type Subject,
  type SuppressionKind,
  optOutChannels,
  subjectOf,
  suppressionKinds,
} from './suppression.ts'

interface Named {
  phone?: string
  email?: string
  contact?: string
}

interface Addition extends Named {
  fromFile?: string
  kind: SuppressionKind
  channels?: OptOutChannel[]
}

const maxRows = 1000

const addText = [
  'An opt-out stops channels: texts, automated calls (voice_auto), email. Of the other kinds, hard_bounce and complaint',
  'stop email, manual stops everything, and the rest stop texts and calls; a kind that would stop nothing is an error. Of a number or an address only a keyed hash is',
  'stored, which outlives an erasure. Active suppressions stay, so a file can be imported twice. A file has a number or an',
  'email address on each line. Bad lines are reported at the end; the exit code is then 1.',
].join(' ')

export function addSuppressionCommands(program: Command, cli: Cli): void {
  const suppression = group(program, 'suppression', 'opt-outs and other suppressions')

  nameable(
    on<Addition>(
      cli,
      suppression,
      'add',
      {
        summary: 'stop contacting a person',
        description: addText,
        example: 'suppression add --workspace ID --phone "+1 312 555 0123" --kind opted_out',
      },
      add,
    ),
    'fromFile',
  )
    .option('--from-file <path>', 'read every line of a file; - for standard input')
    .addOption(new Option('--kind <kind>', 'why').choices(suppressionKinds).makeOptionMandatory())
    .addOption(
      new Option(
        '--channels <names>',
        `for an opt-out: ${optOutChannels.join(' ')}; all by default`,
      ).argParser(channelsIn),
    )

  on<{ kind?: SuppressionKind; lifted?: true; limit: number }>(
    cli,
    suppression,
    'list',
    {
      summary: 'list active suppressions, newest first',
      description: 'Numbers and addresses are not stored, so none are shown.',
      example: 'suppression list --workspace ID --kind litigator',
    },
    list,
  )
    .addOption(new Option('--kind <kind>', 'only suppressions of this kind').choices(suppressionKinds))
    .option('--lifted', 'include lifted suppressions')
    .addOption(
      new Option('--limit <number>', `how many to list, 1 to ${maxRows}`).default(50).argParser(limitOf),
    )

  nameable(
    on<Named>(
      cli,
      suppression,
      'check',
      {
        summary: 'list the active suppressions of a number, an address, or a contact',
        example: 'suppression check --workspace ID --phone "+1 312 555 0123"',
      },
      check,
    ),
  )

  nameable(
    on<Named & { kind: SuppressionKind }>(
      cli,
      suppression,
      'lift',
      {
        summary: 'lift a suppression of a number, an address, or a contact',
        description: 'Lifts an opt-out for all its channels. Gable keeps its record.',
        example: 'suppression lift --workspace ID --phone "+1 312 555 0123" --kind opted_out',
      },
      lift,
    ),
  ).addOption(new Option('--kind <kind>', 'which').choices(suppressionKinds).makeOptionMandatory())
}

/** Adds a command on the suppressions of one workspace. The workspace must exist. */
function on<Options>(
  cli: Cli,
  parent: Command,
  name: string,
  text: CommandText,
  run: (ctx: Ctx, options: Options) => Promise<CommandOutput>,
): Command {
  return declare(parent, name, text)
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(
      cli.run(async (command, options: Options & { workspace: string }) => {
        return await run(await command.workspace(options.workspace), options)
      }),
    )
}

/** Adds the options that name the subject of a command. */
const nameable = (command: Command, ...others: string[]): Command =>
  command
    .addOption(new Option('--phone <number>', 'a phone number').conflicts(['email', 'contact', ...others]))
    .addOption(new Option('--email <address>', 'an email address').conflicts(['contact', ...others]))
    .addOption(new Option('--contact <id>', 'a contact, whatever its number').conflicts(others))

function subjectIn({ phone, email, contact }: Named): Subject {
  if (phone !== undefined) return subjectOf('phone', phone)
  if (email !== undefined) return subjectOf('email', email)
  if (contact !== undefined) return subjectOf('contact', contact)
  throw new CommanderError(2, 'gable.nothing', 'Use --phone, --email, or --contact to name the recipient.')
}

async function add(ctx: Ctx, { fromFile, kind, channels, ...named }: Addition): Promise<CommandOutput> {
  if (fromFile !== undefined) return importSuppressions(ctx, fromFile, { kind, channels })
  const subject = subjectIn(named)
  const changed = await suppress(ctx, [{ subject, kind, channels, source: 'operator' }])
  const row = (await heldAgainst(ctx, subject)).find((one) => one.kind === kind)
  if (row === undefined) throw new Error('What was just suppressed is not.')
  return shown(row, { changed: changed.length > 0 })
}

async function list(
  ctx: Ctx,
  { kind, lifted = false, limit }: { kind?: SuppressionKind; lifted?: boolean; limit: number },
): Promise<CommandOutput> {
  const rows = await listSuppressions(
    ctx.db,
    { ...(kind && { kind }), ...(lifted ? {} : { lifted: false }) },
    { before: null, limit },
  )
  return listed(rows, 'There are no suppressions.')
}

const check = async (ctx: Ctx, named: Named): Promise<CommandOutput> =>
  listed(await heldAgainst(ctx, subjectIn(named)), 'There are no active suppressions.')

async function lift(ctx: Ctx, { kind, ...named }: Named & { kind: SuppressionKind }): Promise<CommandOutput> {
  return shown(await liftSuppression(ctx, { subject: subjectIn(named), kind, source: 'operator' }))
}

const heldAgainst = async (ctx: Ctx, subject: Subject): Promise<readonly SuppressionRow[]> =>
  (await findSuppressions(ctx, [subject])).get(subject.value) ?? []

const columns: Columns<SuppressionRow> = {
  id: (row) => row.id,
  kind: (row) => row.kind,
  of: ({ subject_type, subject }) => (subject_type === 'contact' ? `contact ${subject}` : subject_type),
  channels: (row) => row.channels.join(' '),
  source: (row) => row.source,
  by: (row) => row.actor.name,
  since: (row) => row.created_at,
  lifted: (row) => row.lifted_at,
}

const listed = (rows: readonly SuppressionRow[], none: string): CommandOutput => ({
  value: rows.map(presentSuppression),
  text: tableOf(rows, columns, none).text,
})

function shown(row: SuppressionRow, more: object = {}): CommandOutput {
  const members = Object.entries(columns).map(([name, column]) => [
    `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    column(row),
  ])
  return record(
    { ...presentSuppression(row), ...more },
    Object.fromEntries(members) as Record<string, string | null>,
  )
}

function channelsIn(text: string): OptOutChannel[] {
  const names = text.split(/[\s,]+/).filter((name) => name !== '')
  const channels = optOutChannels.filter((channel) => names.includes(channel))
  if (names.length > 0 && channels.length === new Set(names).size) return channels
  throw new InvalidArgumentError(`Name some of ${optOutChannels.join(', ')}.`)
}

function limitOf(text: string): number {
  const limit = Number(text)
  if (/^\d+$/.test(text) && limit >= 1 && limit <= maxRows) return limit
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${maxRows}.`)
}
