import type { Module } from '#kernel/module.ts'
import { addContactCommands } from './commands.ts'
import * as endpoints from './endpoints.ts'
import * as events from './events.ts'

export const contacts: Module = {
  tag: 'Contacts',
  endpoints: Object.values(endpoints),
  commands: addContactCommands,
  events: Object.values(events),
}
