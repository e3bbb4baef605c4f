import type { Module } from '#kernel/module.ts'
import { addAppCommands } from './app-commands.ts'
import * as endpoints from './endpoints.ts'
import {
  AppSecretRotated,
  AppDeleted,
  AppDisabled,
  AppEnabled,
  AppRegistered,
  AppUpdated,
  GrantApproved,
  GrantNarrowed,
  GrantResumed,
  GrantRevoked,
  GrantSuspended,
  GrantWidened,
  TokensRevoked,
} from './events.ts'
import { addGrantCommands } from './grant-commands.ts'
import { syncGrant, narrowGrant, sweepTokens } from './jobs.ts'
import { oauthRoutes } from './routes.ts'

export const oauth: Module = {
  endpoints: Object.values(endpoints),
  events: [
    AppRegistered,
    AppUpdated,
    AppSecretRotated,
    AppDisabled,
    AppEnabled,
    AppDeleted,
    GrantApproved,
    GrantWidened,
    GrantNarrowed,
    GrantRevoked,
    GrantSuspended,
    GrantResumed,
    TokensRevoked,
  ],
  routes: ({ runtime, origin, anonymousRateLimit }) =>
    oauthRoutes(runtime, { origin, failureLimit: anonymousRateLimit }),
  jobs: [syncGrant, narrowGrant],
  periodicJobs: [sweepTokens],
  commands: (program, cli) => {
    addAppCommands(program, cli)
    addGrantCommands(program, cli)
  },
}
