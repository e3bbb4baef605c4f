import { Type } from 'typebox'
import { later } from '#kernel/clock.ts'
import { type Tx, createContext } from '#kernel/context.ts'
import { type EnqueueOptions, enqueueJob, job, periodicJob } from '#kernel/jobs/job.ts'
import { findComplianceSettings } from '../compliance/public.ts'
import { everyWorkspace } from '../workspaces/public.ts'
import { eraseGenerationsBefore } from './queries.ts'
import { type Responder, replyTo } from './reply/reply-to.ts'

const name = 'reply-to-message'

/** Responds in a conversation. */
export const replyToMessage = (responder: Responder) =>
  job(name, {
    payload: Type.Object({ conversation_id: Type.String() }),
    handle: (ctx, { conversation_id: id }) => replyTo(ctx, id, responder),
  })

export const enqueueReply = (tx: Tx, conversationId: string, options: EnqueueOptions): void =>
  enqueueJob(tx, tx.workspaceId, name, { conversation_id: conversationId }, options)

const dayMs = 24 * 3_600_000

/** Applies the retention of messages to what models proposed. One workspace that fails stops no other. */
export const eraseOldGenerations = periodicJob('generation-retention', {
  cron: '17 * * * *',
  async handle(runtime) {
    const actor = { type: 'system', id: null, name: 'generation-retention' }
    for await (const { id: workspaceId } of everyWorkspace(runtime.database.directory)) {
      try {
        const ctx = createContext(runtime, { workspaceId, actor, scopes: new Set() })
        const { retention_days: days } = await findComplianceSettings(ctx.db)
        if (days === null) continue
        const before = later(ctx.clock.now(), -days * dayMs)
        await ctx.transaction(async (tx) => eraseGenerationsBefore(tx, before))
      } catch (error) {
        runtime.log.warn({ err: error, workspaceId }, 'old proposals not erased')
      }
    }
  },
})
