import type { Tx } from '#kernel/context.ts'
import { type EnqueueOptions, enqueueJob } from '#kernel/enqueue.ts'

export const replyJob = 'reply-to-message'

export const enqueueReply = (tx: Tx, conversationId: string, options: EnqueueOptions): void =>
  enqueueJob(tx, tx.workspaceId, replyJob, { conversation_id: conversationId }, options)
