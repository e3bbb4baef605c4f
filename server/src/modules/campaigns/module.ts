import type { Module } from '#kernel/module.ts'
import { on } from '#kernel/subscription.ts'
import { BackfillStatusChanged } from '../backfills/public.ts'
import { followRun } from './change-status.ts'
import * as endpoints from './endpoints.ts'
import * as events from './events.ts'
import { summarizeCampaignJob } from './jobs.ts'
import { outgoingCampaigns } from './outgoing.ts'

export const campaignModule: Module = {
  tag: 'Campaigns',
  endpoints: Object.values(endpoints),
  events: Object.values(events),
  jobs: [summarizeCampaignJob],
  outgoing: [outgoingCampaigns],
  subscriptions: [on(BackfillStatusChanged, followRun)],
}
