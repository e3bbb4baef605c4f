import { Command } from 'commander'
import { type Cli, createCli } from '#kernel/cli/cli.ts'
import { addOperationCommands } from '#kernel/cli/operations/operation-command.ts'
import type { Endpoint } from '#kernel/http/endpoint.ts'
import { endpoints } from '../api.ts'
import { type ModuleDependencies, modules } from '../modules/index.ts'
import { eventTypesOf } from '../runtime.ts'
import { addAiCommand } from './ai-command.ts'
import { addApiCommand } from './api-command.ts'
import { addBackupCommands } from './backup-commands.ts'
import { addCalendarCommands } from './calendar-commands.ts'
import { addCarrierCommand } from './carrier-command.ts'
import { addDoctorCommand } from './doctor-command.ts'
import { addListenCommand } from './listen-command.ts'
import { addMailCommands } from './mail-commands.ts'
import { openForCommand } from './open-runtime.ts'
import { sendAsOperator } from './requests.ts'
import { addRestoredCommand } from './restored-command.ts'
import { addSeedCommand } from './seed-command.ts'
import { addServerCommands } from './server-commands.ts'

/**
 * Creates the program with all commands: those of the endpoints, and those written by hand for everything else. Throws
 * if two have the same name. Parsing throws a CommanderError for an invalid argument and, after printing
 * the help, for --help. It can parse again and again. `open`: opens what commands need.
 */
export function createProgram(
  table: readonly Endpoint<ModuleDependencies>[] = endpoints,
  open: Cli['open'] = openForCommand,
): Command {
  const program = new Command('gable')
    .description(
      'Runs and manages a Gable server. Uses DATABASE_URL, or the PostgreSQL that comes with Gable.',
    )
    .helpCommand(false)
    .exitOverride()
    .configureHelp({ sortSubcommands: true })
    // Errors are reported in one place, as text or as JSON.
    .configureOutput({ outputError: () => undefined })
    .addHelpText(
      'after',
      '\nEvery command has --json and --help.\n\nExample:\n  npm run -s gable -- workspaces list --json',
    )
  const cli = createCli(eventTypesOf(modules), open)
  addServerCommands(program)
  for (const { commands } of modules) commands?.(program, cli)
  addAiCommand(program)
  addApiCommand(program, cli)
  addBackupCommands(program)
  addCalendarCommands(program, cli)
  addCarrierCommand(program)
  addDoctorCommand(program)
  addListenCommand(program, cli)
  addMailCommands(program, cli)
  addRestoredCommand(program, cli)
  addSeedCommand(program, cli)
  addOperationCommands(program, cli, table, (command, { endpoint, ...request }) =>
    sendAsOperator(command, [endpoint], { ...request, method: endpoint.method }),
  )
  summarizeGroups(program)
  return program
}

/** A noun without a summary shows its commands. */
function summarizeGroups({ commands }: Command): void {
  for (const command of commands) {
    summarizeGroups(command)
    if (command.summary() === '') command.summary(command.commands.map((one) => one.name()).join(', '))
  }
}
