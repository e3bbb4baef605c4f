import type { Module } from '#kernel/module.ts'
import { addKeyCommands } from './commands.ts'
import * as endpoints from './endpoints.ts'
import { ApiKeyCreated, ApiKeyRevoked } from './events.ts'

export const access: Module = {
  tag: 'Meta',
  endpoints: Object.values(endpoints),
  events: [ApiKeyCreated, ApiKeyRevoked],
  commands: addKeyCommands,
}
