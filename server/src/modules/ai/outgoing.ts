import { later } from '#kernel/clock.ts'
import type { Outgoing } from '#kernel/outgoing.ts'
import { listCallsWithoutSummary } from '../calls/public.ts'
import { summarizedForMs, summarizing, summarizingAgain } from './jobs.ts'
import { listAwaitedBefore } from './reply/awaited-queries.ts'
import { leaveAwaited } from './reply/leave-awaited.ts'
import { leaveUnsent } from './reply/leave-unsent.ts'
import { replies } from './reply/replies.ts'

export const outgoingResponses: Outgoing = {
  name: 'responses',
  what: 'Responses of the AI, and the requests to the language model for them',
  tables: ['awaited_replies'],
  workers: [replies.name, leaveUnsent.name],
  released:
    'They are written and leave. The AI hands off the conversations that have waited for over an hour.',
  dropped: 'The AI hands the conversations off to their owners, without a message to the contact.',
  jobs: [leaveUnsent.name],
  scope: 'workspace',
  count: async ({ db }, before) => (await listAwaitedBefore(db, before)).length,
  drop: leaveAwaited,
}

export const outgoingSummaries: Outgoing = {
  name: 'summaries',
  what: 'Requests to the language model for summaries of calls of the last day',
  tables: ['call_transcripts'],
  workers: [summarizing, summarizingAgain],
  released: 'They are made.',
  dropped: 'They are made: they reach no person, and the calls would have no summary.',
  scope: 'workspace',
  count: async ({ db, clock }, before) =>
    (await listCallsWithoutSummary(db, { from: later(clock.now(), -summarizedForMs), before }, 1000)).length,
}
