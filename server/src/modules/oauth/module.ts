import type { Module } from '#kernel/module.ts'
import * as endpoints from './endpoints.ts'
import * as events from './events.ts'
import { syncGrant, narrowGrant, sweepTokens } from './jobs.ts'
import { oauthRoutes } from './routes.ts'
import { accessTokens } from './tokens/access-tokens.ts'

export const oauth: Module = {
  endpoints: Object.values(endpoints),
  credentials: [accessTokens],
  events: Object.values(events),
  routes: ({ runtime, anonymousRateLimit }) => oauthRoutes(runtime, anonymousRateLimit),
  jobs: [syncGrant, narrowGrant],
  periodicJobs: [sweepTokens],
}
