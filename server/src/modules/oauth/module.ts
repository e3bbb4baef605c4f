import type { Module } from '#kernel/module.ts'
import {
  AppSecretWasRotated,
  AppWasDeleted,
  AppWasDisabled,
  AppWasEnabled,
  AppWasRegistered,
  GrantWasApproved,
  GrantWasResumed,
  GrantWasRevoked,
  GrantWasSuspended,
  GrantWasWidened,
  TokensWereRevoked,
} from './events.ts'
import { followApp, sweepTokens } from './jobs.ts'

export const oauth: Module = {
  events: [
    AppWasRegistered,
    AppSecretWasRotated,
    AppWasDisabled,
    AppWasEnabled,
    AppWasDeleted,
    GrantWasApproved,
    GrantWasWidened,
    GrantWasRevoked,
    GrantWasSuspended,
    GrantWasResumed,
    TokensWereRevoked,
  ],
  jobs: [followApp],
  periodicJobs: [sweepTokens],
}
