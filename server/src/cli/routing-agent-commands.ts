import { type Command, CommanderError, Option } from 'commander'
import { ValidationFailed } from '#kernel/errors.ts'
import {
  type AvailabilityRow,
  type Hours,
  listAvailability,
  setAvailability,
} from '../modules/routing/public.ts'
import type { MemberRow } from '../modules/workspaces/public.ts'
import { type Answer, type Columns, listing, record } from './answer.ts'
import { group } from './declare.ts'
import { memberNamed } from './routing-names.ts'
import { type Target, declareRouting, readJson } from './routing-target.ts'
import { timeOf } from './routing-time.ts'
import { hoursText } from './routing-words.ts'

interface ShiftOptions {
  file?: string
  always?: true
  timezone?: string
}

export function addAgentCommands(routing: Command): void {
  declareRouting(
    routing,
    'agents',
    {
      summary: 'list who takes leads, when, and how many they have',
      example: 'routing agents --workspace ID',
    },
    list,
  )

  const agent = group(routing, 'agent', 'when a member takes leads')
  const who = 'id, e-mail address or full name'

  declareRouting<{ until?: Date }>(
    agent,
    'pause',
    {
      summary: 'give a member no new leads for a while',
      description: 'They keep what they have. Who comes back is not given what was missed.',
      example: 'routing agent pause "Ada Reyes" --workspace ID --until 2026-12-01T08:00:00Z',
    },
    async (target, member = '') => {
      const { until } = target.options
      if (until !== undefined && until <= target.ctx.clock.now())
        throw ValidationFailed([{ path: '--until', message: 'is over already' }])
      const paused_until = until?.toISOString() ?? null
      return change(target, member, { paused: true, paused_until })
    },
  )
    .argument('<member>', who)
    .addOption(new Option('--until <time>', 'until further notice without it').argParser(timeOf))

  declareRouting(
    agent,
    'resume',
    { summary: 'end a pause', example: 'routing agent resume "Ada Reyes" --workspace ID' },
    (target, member = '') => change(target, member, { paused: false, paused_until: null }),
  ).argument('<member>', who)

  declareRouting<ShiftOptions>(
    agent,
    'shifts',
    {
      summary: 'set the hours at which a member takes leads',
      description:
        'The file is a list such as [{"days": ["mon", "tue"], "from": "09:00", "to": "17:30"}]; a shift whose end is before its beginning ends on the next day.',
      example: 'routing agent shifts ada@lantern.example --workspace ID --file shifts.json',
    },
    setShifts,
  )
    .argument('<member>', who)
    .option('--file <path>', 'the shifts, JSON; - for standard input')
    .addOption(new Option('--always', 'at any hour').conflicts('file'))
    .option('--timezone <name>', 'of the shifts, such as America/Chicago; that of the rules by default')
}

async function setShifts(target: Target<ShiftOptions>, member = ''): Promise<Answer> {
  const { file, always, timezone } = target.options
  if (file === undefined && always === undefined && timezone === undefined)
    throw new CommanderError(2, 'gable.nothing', 'Say when: --file, --always or --timezone.')
  // What is wrong with it is told by whoever sets it.
  const shifts = file === undefined ? [] : ((await readJson(file)) as Hours[])
  return change(target, member, {
    ...(file === undefined && always === undefined ? {} : { shifts }),
    ...(timezone === undefined ? {} : { timezone }),
  })
}

async function change(
  { ctx, names }: Target<object>,
  text: string,
  patch: Parameters<typeof setAvailability>[2],
): Promise<Answer> {
  const member = memberNamed(names, text)
  const row = await setAvailability(ctx, member.id, patch)
  return record(presented(member, row), {
    Name: member.name,
    'Takes leads': takesLeads(member, row, ctx.clock.now()),
    Shifts: hoursText(row.shifts),
    Timezone: row.timezone,
    'Open leads': String(row.open_leads),
    'Last assigned': row.last_assigned_at,
  })
}

async function list({ ctx, names }: Target<object>): Promise<Answer> {
  const rows = new Map((await listAvailability(ctx.db)).map((row) => [row.member_id, row]))
  const agents = names.members.flatMap((member) => {
    const row = rows.get(member.id)
    return row === undefined ? [] : [{ member, row }]
  })
  const columns: Columns<(typeof agents)[number]> = {
    name: ({ member }) => names.of(member.id),
    'takes leads': ({ member, row }) => takesLeads(member, row, ctx.clock.now()),
    shifts: ({ row }) => hoursText(row.shifts),
    timezone: ({ row }) => row.timezone,
    'open leads': ({ row }) => String(row.open_leads),
    'last assigned': ({ row }) => row.last_assigned_at,
  }
  const { text } = listing(agents, columns, 'The workspace has no members yet.')
  return { value: agents.map(({ member, row }) => presented(member, row)), text }
}

const presented = ({ name, active }: MemberRow, row: AvailabilityRow) => ({ ...row, name, active })

function takesLeads({ active }: MemberRow, { paused, paused_until }: AvailabilityRow, now: Date): string {
  if (!active) return 'no, has left'
  if (!paused || (paused_until !== null && paused_until <= now.toISOString())) return 'yes'
  return paused_until === null ? 'no, paused' : `no, paused until ${paused_until}`
}
