import type { Module } from '#kernel/module.ts'
import * as events from './events.ts'
import { sweepIdempotencyReplies } from './jobs.ts'
import { addOfficeCommands, addTeamCommands } from './office-commands.ts'
import { addWorkspaceCommands } from './workspace-commands.ts'

export const workspaces: Module = {
  events: Object.values(events),
  periodicJobs: [sweepIdempotencyReplies],
  commands: (program, cli) => {
    addWorkspaceCommands(program, cli)
    addOfficeCommands(program, cli)
    addTeamCommands(program, cli)
  },
}
