import { Type } from 'typebox'
import { job } from '#kernel/jobs/job.ts'
import { nullable } from '#kernel/schemas.ts'
import { summarizeMore } from './summarize.ts'

/** After so long a job leaves the rest to another, so that none holds a worker for good. */
const turnMs = 20_000

/** Goes on with the summary of a large audience. What it has looked at is stored with what it has counted. */
export const summarizeCampaignJob = job('summarize-campaign', {
  payload: Type.Object({
    campaign_id: Type.String(),
    at: Type.String(),
    summary_of: Type.String(),
    reach: nullable(Type.Array(Type.String())),
  }),
  async handle(ctx, payload) {
    const { campaign_id, at, summary_of, reach } = payload
    const began = ctx.clock.elapsed()
    while (ctx.clock.elapsed() - began < turnMs)
      if (await summarizeMore(ctx, campaign_id, { at, summary_of }, reach ?? 'all')) return
    await ctx.transaction(async (tx) => tx.enqueue(summarizeCampaignJob, payload))
  },
})
