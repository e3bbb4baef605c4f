import type { Module } from '#kernel/module.ts'
import * as clockEndpoints from './clock-endpoints.ts'
import * as events from './events.ts'
import { sweepIdempotencyReplies } from './jobs.ts'
import * as memberEndpoints from './member-endpoints.ts'
import * as officeEndpoints from './office-endpoints.ts'
import * as teamEndpoints from './team-endpoints.ts'
import { addWorkspaceCommands } from './workspace-commands.ts'
import * as workspaceEndpoints from './workspace-endpoints.ts'

export const workspaces: Module = {
  endpoints: [
    ...Object.values(workspaceEndpoints),
    ...Object.values(clockEndpoints),
    ...Object.values(memberEndpoints),
    ...Object.values(officeEndpoints),
    ...Object.values(teamEndpoints),
  ],
  events: Object.values(events),
  periodicJobs: [sweepIdempotencyReplies],
  commands: addWorkspaceCommands,
}
