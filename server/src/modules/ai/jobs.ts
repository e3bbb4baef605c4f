import { Type } from 'typebox'
import { later } from '#kernel/clock.ts'
import { type Ctx, type Runtime, type Tx, createContext } from '#kernel/context.ts'
import { enqueueJob } from '#kernel/enqueue.ts'
import { job, periodicJob } from '#kernel/jobs/job.ts'
import { findTranscript, listCallsWithoutSummary } from '../calls/public.ts'
import { findComplianceSettings } from '../compliance/public.ts'
import { everyWorkspace } from '../workspaces/public.ts'
import type { Responder } from './model/responder.ts'
import type { AiDependencies } from './ports.ts'
import { eraseGenerationsBefore } from './queries.ts'
import { replies } from './reply/replies.ts'
import { replyTo } from './reply/reply-to.ts'
import { summarizeCall } from './summary/summarize-call.ts'

/** The job that responds in a conversation. */
export const replyToMessage = (responder: Responder) => replies.job((ctx, id) => replyTo(ctx, id, responder))

export const summarizing = 'summarize-call'
export const summarizingAgain = 'summarize-calls'

/** The job that summarizes a call. */
export const summarize = (responder: Responder) =>
  job(summarizing, {
    runner: 'slow',
    payload: Type.Object({ call_id: Type.String() }),
    handle: (ctx, { call_id: id }) => summarizeCall(ctx, id, responder),
  })

/** Queues a summary for a completed call that lacks a summary or a disposition, if it has a transcript. */
export async function queueSummary(tx: Tx, { id, disposition, summary }: Completed): Promise<void> {
  if (disposition !== null && typeof summary === 'string') return
  if ((await findTranscript(tx, id)) === null) return
  enqueueJob(tx, tx.workspaceId, summarizing, { call_id: id }, { key: id })
}

interface Completed {
  id: string
  disposition: string | null
  summary?: string | null | undefined
}

const dayMs = 24 * 3_600_000

/** How long after its end a call may get its summary. */
export const summarizedForMs = dayMs

/** Maximum calls per workspace in one run. */
const perRun = 100

/** Retries the missing summaries of calls completed in the last day: there was no model, or it failed. */
export const summarizeAgain = ({ model }: AiDependencies) =>
  periodicJob(summarizingAgain, {
    cron: '*/20 * * * *',
    async handle(runtime) {
      if (model === undefined) return
      await inEachWorkspace(runtime, summarizingAgain, async (ctx) => {
        const before = runtime.clock.now()
        const due = await listCallsWithoutSummary(
          ctx.db,
          { from: later(before, -summarizedForMs), before },
          perRun,
        )
        if (due.length === 0) return
        await ctx.transaction(async (tx) => {
          for (const id of due) enqueueJob(tx, tx.workspaceId, summarizing, { call_id: id }, { key: id })
        })
      })
    },
  })

/** Runs the work in each workspace. A failure in one doesn't stop the others. */
async function inEachWorkspace(runtime: Runtime, name: string, work: (ctx: Ctx) => Promise<void>) {
  const actor = { type: 'system', id: null, name }
  for await (const { id: workspaceId } of everyWorkspace(runtime.database.directory)) {
    try {
      await work(createContext(runtime, { workspaceId, actor, scopes: new Set() }))
    } catch (error) {
      runtime.log.warn({ err: error, workspaceId }, `${name} failed`)
    }
  }
}

/** Applies the workspace's message retention to generations. */
export const eraseOldGenerations = periodicJob('generation-retention', {
  cron: '17 * * * *',
  handle: (runtime) =>
    inEachWorkspace(runtime, 'generation-retention', async (ctx) => {
      const { retention_days: days } = await findComplianceSettings(ctx.db)
      if (days === null) return
      const before = later(ctx.clock.now(), -days * dayMs)
      await ctx.transaction(async (tx) => eraseGenerationsBefore(tx, before))
    }),
})
