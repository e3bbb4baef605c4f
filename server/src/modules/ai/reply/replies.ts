import { defineFollowUp } from '#kernel/jobs/follow-up.ts'
import { listDueReplies } from './awaited-queries.ts'

/** Responses, by conversation. They are due if their job has not begun, or has not ended, in time. */
export const replies = defineFollowUp('reply-to-message', { runner: 'prompt', listDue: listDueReplies })
