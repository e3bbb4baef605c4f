import type { Command } from 'commander'
import type { Cli } from '#kernel/cli/cli.ts'
import { declare, group } from '#kernel/cli/declare.ts'
import { type Columns, printing, tableOf, record } from '#kernel/cli/output.ts'
import type { PublishedEventType } from '#kernel/events/event.ts'
import { presentEventType, presentJournalEvent } from '../events/public.ts'
import { eventsHelp, publishedEvents } from '../webhooks/public.ts'
import { triggerExample } from './examples.ts'

const columns: Columns<PublishedEventType> = {
  event: (type) => type.name,
  scope: (type) => type.scope,
  'fires when': (type) => type.summary,
}

export function addEventCommands(program: Command, cli: Cli): void {
  const event = group(program, 'event', 'the events that Gable publishes')

  declare(event, 'types', {
    summary: 'list all events that webhooks can subscribe to',
    description: 'With --json, includes the schema of each event’s data and an example. Needs no database.',
    example: 'event types',
  }).action(
    printing(async () => {
      const types = publishedEvents(cli.eventTypes)
      return {
        value: types.map((type) => presentEventType(type, type.scope)),
        text: tableOf(types, columns, '').text,
      }
    }),
  )

  declare(program, 'trigger', {
    summary: 'publish an example of an event',
    description:
      'Publishes the event with test: true in its data to every webhook that subscribes to it. Nothing else in Gable acts on it, and it does not appear in timelines.',
    example: 'trigger contact.created --workspace ID',
  })
    .argument('<event>', 'name of the event')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .addHelpText('after', eventsHelp(cli.eventTypes))
    .action(
      cli.run(async (command, name: string, options: { workspace: string }) => {
        const ctx = await command.workspace(options.workspace)
        const row = await triggerExample(ctx, name)
        return record(presentJournalEvent(ctx.workspaceId, row), {
          Event: row.name,
          Id: row.id,
          Occurred: row.occurred_at,
          Data: JSON.stringify(row.data),
        })
      }),
    )
}
