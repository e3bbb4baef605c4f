import { type Command, CommanderError, Option } from 'commander'
import type { Cli } from '#kernel/cli/cli.ts'
import { group } from '#kernel/cli/declare.ts'
import { type CommandOutput, type Columns, tableOf, record } from '#kernel/cli/output.ts'
import { readJson } from '#kernel/cli/read-file.ts'
import { validator } from '#kernel/http/validation.ts'
import { listAllAgents } from '../agent-queries.ts'
import { type AgentRow, agentAt, agents } from '../agent.ts'
import { setAvailability } from '../set-availability.ts'
import { memberNamed } from './names.ts'
import { type RoutingTarget, declareRouting } from './target.ts'
import { timeOf } from './time.ts'
import { hoursText } from './words.ts'

interface ShiftOptions {
  file?: string
  always?: true
  timezone?: string
}

export function addAgentCommands(routing: Command, cli: Cli): void {
  declareRouting(
    cli,
    routing,
    'agents',
    {
      summary: 'list who takes leads, when, and how many leads they have',
      example: 'routing agents --workspace ID',
    },
    list,
  )

  const agent = group(routing, 'agent', 'when a member takes leads')
  const who = 'id, email address or full name'

  declareRouting<{ until?: Date }>(
    cli,
    agent,
    'pause',
    {
      summary: 'pause new leads for a member',
      description:
        'Paused members keep their leads. After the pause, they do not get the leads that they missed.',
      example: 'routing agent pause "Ada Reyes" --workspace ID --until 2026-12-01T08:00:00Z',
    },
    async (target, member = '') => {
      const paused_until = target.options.until?.toISOString() ?? null
      return change(target, member, { paused: true, paused_until })
    },
  )
    .argument('<member>', who)
    .addOption(new Option('--until <time>', 'the end of the pause (default: no end)').argParser(timeOf))

  declareRouting(
    cli,
    agent,
    'resume',
    { summary: 'end a pause', example: 'routing agent resume "Ada Reyes" --workspace ID' },
    (target, member = '') => change(target, member, { paused: false, paused_until: null }),
  ).argument('<member>', who)

  declareRouting<ShiftOptions>(
    cli,
    agent,
    'shifts',
    {
      summary: 'set the hours at which a member takes leads',
      description:
        'The file is a list such as [{"days": ["mon", "tue"], "from": "09:00", "to": "17:30"}]. A shift that ends before it begins ends on the next day.',
      example: 'routing agent shifts ada@lantern.example --workspace ID --file shifts.json',
    },
    setShifts,
  )
    .argument('<member>', who)
    .option('--file <path>', 'the shifts as JSON; - for standard input')
    .addOption(new Option('--always', 'take leads at any hour').conflicts('file'))
    .option(
      '--timezone <name>',
      'the time zone of the shifts, such as America/Chicago (default: the time zone of the rules)',
    )
}

async function setShifts(target: RoutingTarget<ShiftOptions>, member = ''): Promise<CommandOutput> {
  const { file, always, timezone } = target.options
  if (file === undefined && always === undefined && timezone === undefined)
    throw new CommanderError(2, 'gable.nothing', 'Use --file, --always, or --timezone.')
  const shifts = file === undefined ? [] : await readJson(file)
  return change(target, member, {
    ...(file === undefined && always === undefined ? {} : { shifts }),
    ...(timezone === undefined ? {} : { timezone }),
  })
}

const validate = validator(agents.Patch)

async function change(
  { ctx, names }: RoutingTarget<object>,
  text: string,
  patch: object,
): Promise<CommandOutput> {
  validate(patch)
  const row = await setAvailability(ctx, memberNamed(names, text).id, patch)
  return record(row, {
    Name: row.name,
    'Takes leads': takesLeads(row),
    Shifts: hoursText(row.shifts),
    Timezone: row.timezone,
    'Open leads': String(row.open_leads),
    'Last assigned': row.last_assigned_at,
  })
}

async function list({ ctx, names }: RoutingTarget<object>): Promise<CommandOutput> {
  const now = ctx.clock.now()
  const columns: Columns<AgentRow> = {
    name: ({ id }) => names.of(id),
    'takes leads': takesLeads,
    shifts: ({ shifts }) => hoursText(shifts),
    timezone: ({ timezone }) => timezone,
    'open leads': ({ open_leads }) => String(open_leads),
    'last assigned': ({ last_assigned_at }) => last_assigned_at,
  }
  const rows = await listAllAgents(ctx.db)
  return tableOf(
    rows.map((row) => agentAt(row, now)),
    columns,
    'The workspace has no members yet.',
  )
}

function takesLeads({ active, paused, paused_until }: AgentRow): string {
  if (!active) return 'no, has left'
  if (!paused) return 'yes'
  return paused_until === null ? 'no, paused' : `no, paused until ${paused_until}`
}
