import type { Outgoing } from '#kernel/outgoing.ts'
import { recoverDeliveries } from './jobs.ts'
import { countPendingBefore, dropDeliveries } from './queries.ts'

/** Deliveries in one transaction. */
const perBatch = 1000

export const outgoingDeliveries: Outgoing = {
  name: 'deliveries',
  what: 'Deliveries of webhooks, including tests',
  tables: ['webhook_deliveries'],
  workers: ['deliver-webhooks', recoverDeliveries.name],
  released: 'They leave. A receiver recognizes a repeated delivery by its ID.',
  dropped: 'They fail, and their last attempt says why. `gable webhooks recover` sends them after all.',
  jobs: [recoverDeliveries.name],
  scope: 'workspace',
  count: async ({ db }, before) => (await countPendingBefore(db, before)).count,
  async drop(ctx, before) {
    while ((await ctx.transaction((tx) => dropDeliveries(tx, before, tx.clock.real, perBatch))) === perBatch);
  },
}
