import type { Module } from '#kernel/module.ts'
import { addConnectionCommands } from './commands/connection-commands.ts'
import { addSenderCommands } from './commands/sender-commands.ts'
import { addTemplateCommands } from './commands/template-commands.ts'
import * as connectionEndpoints from './connection-endpoints.ts'
import * as endpoints from './endpoints.ts'
import * as events from './events.ts'
import { maintainCredentials } from './jobs.ts'

export const senderModule: Module = {
  tag: 'Senders',
  endpoints: [...Object.values(endpoints), ...Object.values(connectionEndpoints)],
  events: Object.values(events),
  periodicJobs: [maintainCredentials],
  commands: (program, cli) => {
    addConnectionCommands(program, cli)
    addSenderCommands(program, cli)
    addTemplateCommands(program, cli)
  },
}
