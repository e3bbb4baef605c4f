import type { Command } from 'commander'
import type { Cli, CommandRuntime } from '#kernel/cli/cli.ts'
import { declare, group, workspaceOption } from '#kernel/cli/declare.ts'
import { type CommandOutput, listOutput, recordOutput } from '#kernel/cli/output.ts'
import { readSecretLine } from '#kernel/cli/read-secret-line.ts'
import type { Runtime } from '#kernel/context.ts'
import {
  type CalendarConnection,
  type CalendarServer,
  chooseCalendar,
  confirmHost,
  connectCalendar,
  disconnectCalendar,
  listCalendarConnections,
  testCalendar,
} from '../modules/calendar/public.ts'

interface Target {
  workspace?: string
  member: string
}

interface Connecting extends Target {
  address: string
  username: string
  allowHost?: string[]
  calendar?: string
}

/** `gable calendar …`. These commands are here because they need the adapter, which only the composition root has. */
export function addCalendarCommands(program: Command, cli: Cli): void {
  const calendar = group(
    program,
    'calendar',
    'the calendars of members: connect, test, and disconnect them; list the appointments in them',
  )
  const ofMember = (command: Command) =>
    command.addOption(workspaceOption()).requiredOption('--member <id>', 'id of the member')

  declare(calendar, 'connections', {
    summary: 'list the connected calendars of a workspace',
    example: 'calendar connections',
  })
    .addOption(workspaceOption())
    .action(
      cli.run(async (command, { workspace }: Pick<Target, 'workspace'>) => {
        const { directory, workspaceId } = await command.workspace(workspace)
        const rows = await listCalendarConnections(directory, workspaceId)
        return listOutput(rows.map(shown), 'No calendar is connected.')
      }),
    )

  ofMember(
    declare(calendar, 'connect', {
      summary: "connect a member's calendar",
      description:
        'Finds the calendars of a CalDAV account. If the address leads to another host, Gable sends the name and password there only if you name the host with --allow-host. If there are several calendars, choose one with --calendar. The command prints anything that is missing.',
      example:
        'calendar connect --member ID --address caldav.icloud.com --username ada@example.com --password-stdin < password.txt',
    }),
  )
    .requiredOption('--address <url>', 'the CalDAV address from the provider')
    .requiredOption('--username <name>', 'the user name at the provider')
    .requiredOption('--password-stdin', 'read the password from the first line of standard input')
    .option('--allow-host <host...>', 'more hosts that may receive the name and password')
    .option('--calendar <url>', 'the address of the calendar to use')
    .action(cli.run(connect))

  ofMember(
    declare(calendar, 'test', {
      summary: "test the connection to a member's calendar",
      example: 'calendar test --member ID',
    }),
  ).action(
    cli.run(async (command, { workspace, member }: Target) => {
      const ctx = await command.workspace(workspace)
      return output(await testCalendar(ctx, await calendarsOf(command.runtime), member))
    }),
  )

  ofMember(
    declare(calendar, 'disconnect', {
      summary: "disconnect a member's calendar",
      description: 'Events that are already in the calendar stay there',
      example: 'calendar disconnect --member ID',
    }),
  ).action(
    cli.run(async (command, { workspace, member }: Target) => {
      await disconnectCalendar(await command.workspace(workspace), member)
      return { value: { member_id: member, connected: false }, text: 'The calendar is disconnected.' }
    }),
  )
}

async function connect(command: CommandRuntime, options: Connecting): Promise<CommandOutput> {
  const { member, address, username, allowHost = [], calendar } = options
  const ctx = await command.workspace(options.workspace)
  const calendars = await calendarsOf(command.runtime)
  const password = await readSecretLine('password')
  let row = await connectCalendar(ctx, calendars, member, { address, username, password })
  while (row.status === 'new_host' && row.new_host !== null && allowHost.includes(row.new_host))
    row = await confirmHost(ctx, calendars, member, row.new_host)
  const [only] = row.calendars
  const chosen = calendar ?? (row.calendars.length === 1 ? only?.url : undefined)
  if (row.status === 'choosing' && chosen !== undefined)
    row = await chooseCalendar(ctx, calendars, member, chosen)
  return output(row)
}

async function calendarsOf(runtime: Runtime): Promise<CalendarServer> {
  const { openCalendars } = await import('../app.ts')
  return openCalendars(runtime)
}

/** Omits the encrypted password. */
const shown = ({ password: _, workspace_id: __, ...row }: CalendarConnection) => row

/** Also says which options the connection still lacks. */
function output(row: CalendarConnection): CommandOutput {
  const missing = [
    ...(row.new_host === null ? [] : [`--allow-host ${row.new_host}`]),
    ...(row.status === 'choosing' ? row.calendars.map(({ url, name }) => `--calendar ${url} (${name})`) : []),
  ]
  const { value, text } = recordOutput(shown(row))
  return { value, text: [text, ...missing.map((option) => `Add: ${option}`)].join('\n') }
}
