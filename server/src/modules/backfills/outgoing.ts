import type { Outgoing } from '#kernel/outgoing.ts'
import { updateBackfill } from './change-backfill.ts'
import { listRunningBackfills } from './queries.ts'

export const outgoingBackfills: Outgoing = {
  name: 'backfills',
  what: 'Backfills',
  tables: ['backfills', 'backfill_contacts'],
  workers: ['run-engine'],
  released: 'They go on. A contact that was enrolled after the backup is enrolled again.',
  dropped: 'Running ones are paused.',
  scope: 'workspace',
  count: async ({ db }) => (await listRunningBackfills(db)).length,
  async drop(ctx) {
    for (const id of await listRunningBackfills(ctx.db)) await updateBackfill(ctx, id, { status: 'paused' })
  },
}
