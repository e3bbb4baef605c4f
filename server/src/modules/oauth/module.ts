import type { Module } from '#kernel/module.ts'
import {
  AppSecretWasRotated,
  AppWasDeleted,
  AppWasDisabled,
  AppWasEnabled,
  AppWasRegistered,
  AppWasUpdated,
  GrantWasApproved,
  GrantWasNarrowed,
  GrantWasResumed,
  GrantWasRevoked,
  GrantWasSuspended,
  GrantWasWidened,
  TokensWereRevoked,
} from './events.ts'
import { followApp, narrowGrant, sweepTokens } from './jobs.ts'

export const oauth: Module = {
  events: [
    AppWasRegistered,
    AppWasUpdated,
    AppSecretWasRotated,
    AppWasDisabled,
    AppWasEnabled,
    AppWasDeleted,
    GrantWasApproved,
    GrantWasWidened,
    GrantWasNarrowed,
    GrantWasRevoked,
    GrantWasSuspended,
    GrantWasResumed,
    TokensWereRevoked,
  ],
  jobs: [followApp, narrowGrant],
  periodicJobs: [sweepTokens],
}
