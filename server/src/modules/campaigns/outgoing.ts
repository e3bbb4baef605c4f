import type { Outgoing } from '#kernel/outgoing.ts'
import { pauseCampaign, unscheduleCampaign } from './change-status.ts'
import { listUnderWay } from './queries.ts'

export const outgoingCampaigns: Outgoing = {
  name: 'campaigns',
  what: 'Campaigns',
  tables: ['campaigns'],
  workers: ['run-engine'],
  released: 'They go on. One repeats what it sent after the backup.',
  dropped: 'Scheduled ones become drafts. Running ones are paused.',
  scope: 'workspace',
  count: async ({ db }) => (await listUnderWay(db)).length,
  async drop(ctx) {
    for (const { id, status } of await listUnderWay(ctx.db))
      await (status === 'running' ? pauseCampaign : unscheduleCampaign)(ctx, id)
  },
}
