import type { Command } from 'commander'
import { triggerExample } from '../modules/deliveries/public.ts'
import { presentEventType, presentJournalEvent } from '../modules/events/public.ts'
import { type Columns, answering, listing, record } from './answer.ts'
import { declare, group } from './declare.ts'
import { eventTypes, eventsHelp } from './event-options.ts'
import { openForCommand } from './open-house.ts'

const columns: Columns<(typeof eventTypes)[number]> = {
  event: (type) => type.name,
  scope: (type) => type.scope,
  'fires when': (type) => type.summary,
}

export function addEventCommands(program: Command): void {
  const event = group(program, 'event', 'what integrations can hear of')

  declare(event, 'types', {
    summary: 'list all events that can be subscribed to',
    description: 'With --json also what each one’s data looks like, and an example. Needs no database.',
    example: 'event types',
  }).action(
    answering(async () => ({
      value: eventTypes.map((type) => presentEventType(type, type.scope)),
      text: listing(eventTypes, columns, '').text,
    })),
  )

  declare(program, 'trigger', {
    summary: 'let an example of an event happen',
    description:
      'It stands in the journal, with test: true in its data, and goes to every webhook that wants it. Nothing else in Gable acts on it, and it is on nobody’s timeline.',
    example: 'trigger contact.created --workspace ID',
  })
    .argument('<event>', 'name of the event')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .addHelpText('after', eventsHelp)
    .action(
      answering(async (name: string, options: { workspace: string }) => {
        await using command = await openForCommand()
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
