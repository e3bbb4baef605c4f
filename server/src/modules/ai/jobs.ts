import { Type } from 'typebox'
import type { Tx } from '#kernel/context.ts'
import { type EnqueueOptions, enqueueJob, job } from '#kernel/jobs/job.ts'
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
