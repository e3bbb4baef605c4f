import type { Command } from 'commander'
import type { Cli } from '#kernel/cli/cli.ts'
import { declare, workspaceOption } from '#kernel/cli/declare.ts'
import { recordOutput } from '#kernel/cli/output.ts'
import { presentJournalEvent } from '../events/public.ts'
import { eventsHelp } from '../webhooks/public.ts'
import { triggerExample } from './examples.ts'

export function addTriggerCommand(program: Command, cli: Cli): void {
  declare(program, 'trigger', {
    summary: 'publish an example of an event',
    description:
      'Publishes the event with test: true in its data to every webhook that subscribes to it. Nothing else in Gable acts on it, and it does not appear in timelines.',
    example: 'trigger contact.created',
  })
    .argument('<event>', 'name of the event')
    .addOption(workspaceOption())
    .addHelpText('after', eventsHelp(cli.eventTypes))
    .action(
      cli.run(async (command, name: string, options: { workspace?: string }) => {
        const ctx = await command.workspace(options.workspace)
        const row = await triggerExample(ctx, name)
        return recordOutput(presentJournalEvent(ctx.workspaceId, row))
      }),
    )
}
