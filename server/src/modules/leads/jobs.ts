import { Type } from 'typebox'
import type { Tx } from '#kernel/context.ts'
import { job } from '#kernel/jobs/job.ts'
import { endOffer, routeWaiting } from './route-again.ts'

/** The interval between checks of the waiting leads. */
const lookMs = 30_000

/** Retries the routing of waiting leads. Reschedules itself while any lead is waiting. */
export const routeWaitingLeads = job('route-waiting-leads', {
  payload: Type.Object({}),
  async handle(ctx) {
    if (await routeWaiting(ctx)) await ctx.transaction(async (tx) => tryWaitingLater(tx))
  },
})

/** Schedules the next retry. The key limits a workspace to one such job, however many leads are waiting. */
export const tryWaitingLater = (tx: Tx): void =>
  tx.enqueue(routeWaitingLeads, {}, { key: 'next', runAt: new Date(tx.clock.now().getTime() + lookMs) })

/** Passes an expired offer to the rule's fallbacks. */
export const endLeadOffer = job('end-lead-offer', {
  payload: Type.Object({ lead_id: Type.String(), decision_id: Type.String() }),
  handle: (ctx, { lead_id, decision_id }) => endOffer(ctx, lead_id, decision_id),
})
