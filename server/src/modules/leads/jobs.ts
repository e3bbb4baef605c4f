import { Type } from 'typebox'
import type { Tx } from '#kernel/context.ts'
import { job } from '#kernel/jobs/job.ts'
import { endOffer, routeWaiting } from './route-again.ts'

/** Between one look at the leads that wait and the next. */
const lookMs = 30_000

/** Leads that nobody could be given are tried again, for as long as there are some. */
export const routeWaitingLeads = job('route-waiting-leads', {
  payload: Type.Object({}),
  async handle(ctx) {
    if (await routeWaiting(ctx)) await ctx.transaction(async (tx) => tryWaitingLater(tx))
  },
})

/** One such job waits in a workspace, however many leads do. */
export const tryWaitingLater = (tx: Tx): void =>
  tx.enqueue(routeWaitingLeads, {}, { key: 'next', runAt: new Date(tx.clock.now().getTime() + lookMs) })

/** An offer that nobody took in time goes on to what the rule falls back on. */
export const endLeadOffer = job('end-lead-offer', {
  payload: Type.Object({ lead_id: Type.String(), decision_id: Type.String() }),
  handle: (ctx, { lead_id, decision_id }) => endOffer(ctx, lead_id, decision_id),
})
