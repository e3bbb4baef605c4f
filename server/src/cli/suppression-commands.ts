import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import type { Ctx } from '#kernel/context.ts'
import {
  type OptOutChannel,
  type Subject,
  type SuppressionKind,
  type SuppressionRow,
  findSuppressions,
  liftSuppression,
  listSuppressions,
  optOutChannels,
  subjectOf,
  suppress,
  suppressionKinds,
} from '../modules/compliance/public.ts'
import { type Answer, type Columns, answering, listing, record } from './answer.ts'
import { type CommandText, declare, group } from './declare.ts'
import { openForCommand } from './open-house.ts'
import { importSuppressions } from './suppression-import.ts'

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
  'An opt-out is about channels: texts, calls by machines (voice_auto), e-mail. The other kinds hold for all of them. Of a',
  'number or an address only a keyed hash is kept, which outlives an erasure. What holds already stays as it is, so a file',
  'can be read twice. It has a number or an e-mail address on each line; bad lines are told at the end, and the exit code',
  'is then 1.',
].join(' ')

export function addSuppressionCommands(program: Command): void {
  const suppression = group(program, 'suppression', 'who may not be contacted: opt-outs and suppressions')

  nameable(
    on<Addition>(
      suppression,
      'add',
      {
        summary: 'let somebody not be contacted any more',
        description: addText,
        example: 'suppression add --workspace ID --phone "+1 312 555 0123" --kind opted_out',
      },
      add,
    ),
    'fromFile',
  )
    .option('--from-file <path>', 'all of a file; - for standard input')
    .addOption(new Option('--kind <kind>', 'why').choices(suppressionKinds).makeOptionMandatory())
    .addOption(
      new Option(
        '--channels <names>',
        `of an opt-out: ${optOutChannels.join(' ')}; all by default`,
      ).argParser(channelsIn),
    )

  on<{ kind?: SuppressionKind; lifted?: true; limit: number }>(
    suppression,
    'list',
    {
      summary: 'list what holds, newest first',
      description: 'Numbers and addresses are not kept, so none are shown.',
      example: 'suppression list --workspace ID --kind litigator',
    },
    list,
  )
    .addOption(new Option('--kind <kind>', 'only these').choices(suppressionKinds))
    .option('--lifted', 'also those that were lifted')
    .addOption(
      new Option('--limit <number>', `how many at most, 1 to ${maxRows}`).default(50).argParser(limitOf),
    )

  nameable(
    on<Named>(
      suppression,
      'check',
      {
        summary: 'say what holds against a number, an address or a contact',
        example: 'suppression check --workspace ID --phone "+1 312 555 0123"',
      },
      check,
    ),
  )

  nameable(
    on<Named & { kind: SuppressionKind }>(
      suppression,
      'lift',
      {
        summary: 'end what holds against a number, an address or a contact',
        description: 'An opt-out ends for all its channels. That it held, from when to when, is kept.',
        example: 'suppression lift --workspace ID --phone "+1 312 555 0123" --kind opted_out',
      },
      lift,
    ),
  ).addOption(new Option('--kind <kind>', 'which').choices(suppressionKinds).makeOptionMandatory())
}

/** Adds a command on the suppressions of one workspace, which must exist. */
function on<Options>(
  parent: Command,
  name: string,
  text: CommandText,
  run: (ctx: Ctx, options: Options) => Promise<Answer>,
): Command {
  return declare(parent, name, text)
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(
      answering(async (options: Options & { workspace: string }) => {
        await using command = await openForCommand()
        return await run(await command.workspace(options.workspace), options)
      }),
    )
}

/** Adds the options by which a command names whom it is about. */
const nameable = (command: Command, ...others: string[]): Command =>
  command
    .addOption(new Option('--phone <number>', 'a phone number').conflicts(['email', 'contact', ...others]))
    .addOption(new Option('--email <address>', 'an e-mail address').conflicts(['contact', ...others]))
    .addOption(new Option('--contact <id>', 'a contact, whatever number it has').conflicts(others))

function subjectIn({ phone, email, contact }: Named): Subject {
  if (phone !== undefined) return subjectOf('phone', phone)
  if (email !== undefined) return subjectOf('email', email)
  if (contact !== undefined) return subjectOf('contact', contact)
  throw new CommanderError(2, 'gable.nobody', 'Say whom: --phone, --email or --contact.')
}

async function add(ctx: Ctx, { fromFile, kind, channels, ...named }: Addition): Promise<Answer> {
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
): Promise<Answer> {
  const rows = await listSuppressions(ctx.db, { kind, lifted }, { before: null, limit })
  return listed(rows, 'Nothing holds against anybody.')
}

const check = async (ctx: Ctx, named: Named): Promise<Answer> =>
  listed(await heldAgainst(ctx, subjectIn(named)), 'Nothing holds.')

async function lift(ctx: Ctx, { kind, ...named }: Named & { kind: SuppressionKind }): Promise<Answer> {
  return shown(await liftSuppression(ctx, { subject: subjectIn(named), kind, source: 'operator' }))
}

const heldAgainst = async (ctx: Ctx, subject: Subject): Promise<readonly SuppressionRow[]> =>
  (await findSuppressions(ctx, [subject])).get(subject.value) ?? []

/** Without the hash, which says nothing to anybody. */
const presented = ({ subject, ...row }: SuppressionRow) => ({
  ...row,
  contact_id: row.subject_type === 'contact' ? subject : null,
})

const columns: Columns<SuppressionRow> = {
  id: (row) => row.id,
  kind: (row) => row.kind,
  of: ({ subject_type, subject }) => (subject_type === 'contact' ? `contact ${subject}` : subject_type),
  channels: (row) => (row.channels.length === 0 ? 'all' : row.channels.join(' ')),
  source: (row) => row.source,
  by: (row) => row.actor.name,
  since: (row) => row.created_at,
  lifted: (row) => row.lifted_at,
}

const listed = (rows: readonly SuppressionRow[], none: string): Answer => ({
  value: rows.map(presented),
  text: listing(rows, columns, none).text,
})

function shown(row: SuppressionRow, more: object = {}): Answer {
  const members = Object.entries(columns).map(([name, column]) => [
    `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    column(row),
  ])
  return record({ ...presented(row), ...more }, Object.fromEntries(members) as Record<string, string | null>)
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
