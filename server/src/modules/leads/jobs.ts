import { Type } from 'typebox'
import type { Tx } from '#kernel/context.ts'
import { job } from '#kernel/jobs/job.ts'
import { endOffer, routeWaiting } from './route-again.ts'

/** How long leads wait until it is tried again to place them. */
const retryMs = 30_000

/** Leads that nobody could be given are tried again, oldest first, for as long as there are some. */
export const routeWaitingLeads = job('route-waiting-leads', {
  payload: Type.Object({ after: Type.String() }),
  async handle(ctx, { after }) {
    const next = await routeWaiting(ctx, after)
    if (next === undefined) return
    await ctx.transaction(async (tx) => {
      if (next === '') tryWaitingLater(tx)
      else tx.enqueue(routeWaitingLeads, { after: next })
    })
  },
})

/** One such job waits in a workspace, however many leads do. */
export const tryWaitingLater = (tx: Tx): void =>
  tx.enqueue(
    routeWaitingLeads,
    { after: '' },
    { key: 'next', runAt: new Date(tx.clock.now().getTime() + retryMs) },
  )

/** An offer that nobody took in time goes on to what the rule falls back on. */
export const endLeadOffer = job('end-lead-offer', {
  payload: Type.Object({ lead_id: Type.String(), decision_id: Type.String() }),
  handle: (ctx, { lead_id, decision_id }) => endOffer(ctx, lead_id, decision_id),
})
