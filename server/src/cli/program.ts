import { Command } from 'commander'
import { addAppCommands } from './app-commands.ts'
import { group } from './declare.ts'
import { addDeliveryCommands } from './delivery-commands.ts'
import { addEventCommands } from './event-commands.ts'
import { addGrantCommands } from './grant-commands.ts'
import { addInvitationCommands } from './invitation-commands.ts'
import { addKeyCommands } from './key-commands.ts'
import { addListenCommand } from './listen-command.ts'
import { addMailCommands } from './mail-commands.ts'
import { addMemberCommands } from './member-commands.ts'
import { addOfficeCommands, addTeamCommands } from './office-commands.ts'
import { addPersonCommands } from './person-commands.ts'
import { addRoutingCommands } from './routing-commands.ts'
import { addSeedCommand } from './seed-command.ts'
import { addServerCommands } from './server-commands.ts'
import { addSuppressionCommands } from './suppression-commands.ts'
import { addWebhookCommands } from './webhook-commands.ts'
import { addWorkspaceCommands } from './workspace-commands.ts'

/** All commands. Throws a CommanderError for what was mistyped, and for --help, which it has then printed. */
export function createProgram(): Command {
  const program = new Command('gable')
    .description(
      'Runs and looks after a Gable server. Works on DATABASE_URL, or on the PostgreSQL that Gable brings along.',
    )
    .helpCommand(false)
    .exitOverride()
    // Faults are reported in one place, as text or as JSON.
    .configureOutput({ outputError: () => undefined })
    .addHelpText(
      'after',
      '\nEvery command has --json and --help.\n\nExample:\n  npm run -s gable -- workspace list --json',
    )

  addServerCommands(program)
  addWorkspaceCommands(program)
  const member = group(program, 'member', 'the people of a workspace')
  addMemberCommands(member)
  addInvitationCommands(member)
  addPersonCommands(program)
  addOfficeCommands(program)
  addTeamCommands(program)
  addKeyCommands(program)
  addAppCommands(program)
  addGrantCommands(program)
  const webhook = group(program, 'webhook', 'subscriptions to events, and what came of their deliveries')
  addWebhookCommands(webhook)
  addDeliveryCommands(webhook)
  addRoutingCommands(program)
  addSuppressionCommands(program)
  addEventCommands(program)
  addMailCommands(program)
  addListenCommand(program)
  addSeedCommand(program)
  return program
}
