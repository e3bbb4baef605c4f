import type { Module } from '#kernel/module.ts'
import { addRoutingCommands } from './commands/commands.ts'
import * as endpoints from './endpoints.ts'
import { RoutingRulesChanged } from './events.ts'

/** Routing rules and decisions. The endpoints about decisions are in the leads module. */
export const routing: Module = {
  tag: 'Routing rules',
  endpoints: Object.values(endpoints),
  events: [RoutingRulesChanged],
  commands: addRoutingCommands,
}
