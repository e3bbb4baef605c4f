import { Type } from 'typebox'
import type { Tx } from '#kernel/context.ts'
import { job } from '#kernel/jobs/job.ts'
import { endOffer, routeWaiting } from './route-again.ts'

/** The interval between two checks of the waiting leads. */
const lookMs = 30_000

/** Tries to route waiting leads again, as long as there are any. */
export const routeWaitingLeads = job('route-waiting-leads', {
  payload: Type.Object({}),
  async handle(ctx) {
    if (await routeWaiting(ctx)) await ctx.transaction(async (tx) => tryWaitingLater(tx))
  },
})

/** A workspace has one such job, however many leads wait. */
export const tryWaitingLater = (tx: Tx): void =>
  tx.enqueue(routeWaitingLeads, {}, { key: 'next', runAt: new Date(tx.clock.now().getTime() + lookMs) })

/** An expired offer goes to the rule's fallback. */
export const endLeadOffer = job('end-lead-offer', {
  payload: Type.Object({ lead_id: Type.String(), decision_id: Type.String() }),
  handle: (ctx, { lead_id, decision_id }) => endOffer(ctx, lead_id, decision_id),
})
