import type { Outgoing } from '#kernel/outgoing.ts'
import { cancelCall } from './cancel-call.ts'
import { removals } from './jobs.ts'
import { callFollowUp } from './process-call-at.ts'
import { countCallRemovals, listWaitingCalls } from './queries.ts'

export const outgoingCalls: Outgoing = {
  name: 'calls',
  what: 'Calls',
  tables: ['calls'],
  workers: [callFollowUp.name],
  released: 'They are placed.',
  dropped: 'They are cancelled.',
  scope: 'workspace',
  count: async ({ db }, before) => (await listWaitingCalls(db, before)).length,
  async drop(ctx, before) {
    for (const id of await listWaitingCalls(ctx.db, before)) await cancelCall(ctx, id)
  },
}

export const outgoingCallRemovals: Outgoing = {
  name: 'call_removals',
  what: 'Removals of erased calls and recordings at their providers',
  tables: ['call_removals'],
  workers: [removals.name],
  released: 'They are made.',
  dropped: 'They are made: an erasure stands, and repeating one does no harm.',
  scope: 'workspace',
  count: ({ db }) => countCallRemovals(db),
}
