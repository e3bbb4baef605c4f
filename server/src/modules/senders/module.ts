import type { Module } from '#kernel/module.ts'
import { addConfigureCommand } from './commands/configure-command.ts'
import * as connectionEndpoints from './connection-endpoints.ts'
import * as endpoints from './endpoints.ts'
import * as events from './events.ts'
import { maintainCredentials } from './jobs.ts'
import { warnOfRejected } from './warn-of-rejected.ts'

export const senderModule: Module = {
  tag: 'Senders',
  endpoints: [...Object.values(endpoints), ...Object.values(connectionEndpoints)],
  events: Object.values(events),
  periodicJobs: [maintainCredentials],
  services: [{ name: 'warn-of-rejected', start: warnOfRejected }],
  commands: addConfigureCommand,
}
