import { type Static, type TObject, Type } from 'typebox'
import { type Tx, createContext } from '#kernel/context.ts'
import { firstIdAt } from '#kernel/ids.ts'
import { type Job, job, periodicJob } from '#kernel/jobs/job.ts'
import { everyWorkspace } from '../workspaces/public.ts'
import {
  failPending,
  forgetDeliveries as deleteDeliveries,
  forgetHold,
  forgetOldDeliveries,
  forgetOldPayloads,
  scrubAnswers,
  startFailedAnew,
} from './queries.ts'

/** Rows of one transaction: no statement may run long, and what is done stays done. */
const some = 1000

/** Failed deliveries with ids from `from` to `to` begin a new round, oldest first. */
export const recoverDeliveries = job('recover-deliveries', {
  payload: Type.Object({ webhook_id: Type.String(), from: Type.String(), to: Type.String() }),
  async handle(ctx, { webhook_id, from, to }) {
    for (let next = from; ;) {
      const order = { from: next, to, limit: some }
      const now = ctx.clock.now()
      const started = await ctx.transaction((tx) => startFailedAnew(tx, webhook_id, order, now))
      const last = started
        .map(({ id }) => id)
        .toSorted()
        .at(-1)
      if (last === undefined) return
      // One that has failed again meanwhile is not begun a third time.
      next = `${last} `
    }
  },
})

export const forgetDeliveries = job('forget-deliveries', {
  payload: Type.Object({ webhook_id: Type.String() }),
  async handle(ctx, { webhook_id }) {
    while ((await ctx.transaction((tx) => deleteDeliveries(tx, webhook_id, some))) > 0);
    await ctx.transaction((tx) => forgetHold(tx, webhook_id))
  },
})

/** What waited at an endpoint when it was given up counts as failed, so that it can be recovered. */
export const failDeliveries = job('fail-deliveries', {
  payload: Type.Object({ webhook_id: Type.String() }),
  async handle(ctx, { webhook_id }) {
    while ((await ctx.transaction((tx) => failPending(tx, webhook_id, ctx.clock.now(), some))) > 0);
  },
})

/** Once more what an erasure did: an attempt that began while it was under way may have brought an answer since. */
export const scrubLateAnswers = job('scrub-late-answers', {
  payload: Type.Object({ contact_id: Type.String() }),
  async handle(ctx, { contact_id }) {
    await ctx.transaction((tx) => scrubAnswers(tx, contact_id))
  },
})

const minuteMs = 60_000

/** For what changes and attempts that are under way may still bring: by then they are over. */
export function enqueueLater<P extends TObject>(tx: Tx, later: Job<P>, payload: Static<P>): void {
  tx.enqueue(later, payload, { runAt: new Date(tx.clock.now().getTime() + minuteMs) })
}

/** Deliveries and their logs are kept as long as the journal can be pulled. */
const keptMs = 30 * 24 * 3_600_000

export const sweepDeliveries = periodicJob('sweep-deliveries', {
  cron: '41 * * * *',
  async handle(house) {
    const actor = { type: 'system', id: null, name: 'sweep-deliveries' }
    const before = firstIdAt(house.clock.now().getTime() - keptMs)
    for await (const { id: workspaceId } of everyWorkspace(house.database.directory)) {
      const ctx = createContext(house, { workspaceId, actor, scopes: new Set() })
      while ((await ctx.transaction((tx) => forgetOldDeliveries(tx, before, some))) > 0);
      while ((await ctx.transaction((tx) => forgetOldPayloads(tx, before, some))) > 0);
    }
  },
})
