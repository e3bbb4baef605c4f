import { Type } from 'typebox'
import { job } from '#kernel/jobs/job.ts'
import { dropPending } from './cancel-message.ts'
import { findMessage } from './queries.ts'
import { lockContactsOfForShare } from './queue/lock-contacts.ts'

/** How long a message waits for approval. */
export const approvalMs = 24 * 3_600_000

/** Cancels a message that no one approved in time. */
export const dropUnapproved = job('drop-unapproved-message', {
  payload: Type.Object({ message_id: Type.String() }),
  handle: (ctx, { message_id: id }) =>
    ctx.transaction(async (tx) => {
      if ((await findMessage(tx, id))?.status !== 'pending_approval') return
      await lockContactsOfForShare(tx, [id])
      await dropPending(tx, id)
    }),
})
