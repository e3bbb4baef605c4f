import { type Static, type TObject, Type } from 'typebox'
import { type Tx, createContext } from '#kernel/context.ts'
import { firstIdAt } from '#kernel/ids.ts'
import { type Job, job, periodicJob } from '#kernel/jobs/job.ts'
import { everyWorkspace } from '../workspaces/public.ts'
import {
  failPending,
  deleteDeliveries,
  releaseLease,
  deleteOldDeliveries,
  deleteOldPayloads,
  requeueAll,
} from './queries.ts'
import { scrubLaterResponses } from './scrub-deliveries.ts'

/** Rows per transaction, so that no statement runs long. */
const batchSize = 1000

/** Makes failed and waiting deliveries due with ids from `from` up to but not including `to`, oldest first. */
export const recoverDeliveries = job('recover-deliveries', {
  payload: Type.Object({ webhook_id: Type.String(), from: Type.String(), to: Type.String() }),
  async handle(ctx, { webhook_id, from, to }) {
    for (let next = from; ;) {
      const range = { from: next, to, limit: batchSize }
      const started = await ctx.transaction((tx) => requeueAll(tx, webhook_id, range, tx.clock.real))
      const last = started
        .map(({ id }) => id)
        .toSorted()
        .at(-1)
      if (last === undefined) return
      // Do not restart a delivery that has failed again in the meantime.
      next = `${last} `
    }
  },
})

export const forgetDeliveries = job('forget-deliveries', {
  payload: Type.Object({ webhook_id: Type.String() }),
  async handle(ctx, { webhook_id }) {
    while ((await ctx.transaction((tx) => deleteDeliveries(tx, webhook_id, batchSize))) > 0);
    await ctx.transaction((tx) => releaseLease(tx, webhook_id))
  },
})

/** Fails the deliveries that were pending when a webhook was disabled, so that they can be recovered. */
export const failDeliveries = job('fail-deliveries', {
  payload: Type.Object({ webhook_id: Type.String() }),
  async handle(ctx, { webhook_id }) {
    while ((await ctx.transaction((tx) => failPending(tx, webhook_id, tx.clock.real, batchSize))) > 0);
  },
})

/** Removes the responses to attempts that ran during an erasure. */
export const scrubLateResponses = job('scrub-late-responses', {
  payload: Type.Object({ contact_id: Type.String() }),
  async handle(ctx, { contact_id }) {
    await ctx.transaction((tx) => scrubLaterResponses(tx, contact_id))
  },
})

const minuteMs = 60_000

/** Runs the job again once the transactions and attempts that are in progress now have ended. */
export function enqueueLater<P extends TObject>(tx: Tx, later: Job<P>, payload: Static<P>): void {
  tx.enqueue(later, payload, { runAt: new Date(tx.clock.now().getTime() + minuteMs) })
}

/** Deliveries and their logs are kept as long as events are available at `GET /events`. */
const keptMs = 30 * 24 * 3_600_000

export const sweepDeliveries = periodicJob('sweep-deliveries', {
  cron: '41 * * * *',
  async handle(runtime) {
    const actor = { type: 'system', id: null, name: 'sweep-deliveries' }
    const before = firstIdAt(runtime.clock.now().getTime() - keptMs)
    for await (const { id: workspaceId } of everyWorkspace(runtime.database.directory)) {
      const ctx = createContext(runtime, { workspaceId, actor, scopes: new Set() })
      while ((await ctx.transaction((tx) => deleteOldDeliveries(tx, before, batchSize))) > 0);
      while ((await ctx.transaction((tx) => deleteOldPayloads(tx, before, batchSize))) > 0);
    }
  },
})
