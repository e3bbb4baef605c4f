import type { Module } from '#kernel/module.ts'
import { addRoutingCommands } from './commands/commands.ts'

/** Routing rules and decisions. The endpoints are in the leads module. */
export const routing: Module = { commands: addRoutingCommands }
