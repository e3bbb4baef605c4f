import type { Module } from '#kernel/module.ts'
import { on } from '#kernel/subscription.ts'
import { WorkspaceCreated } from '../workspaces/public.ts'
import { assignHolders } from './jobs.ts'
import { saveAssignment } from './queries.ts'

export const holders: Module = {
  tag: 'Contacts',
  endpoints: [],
  periodicJobs: () => [assignHolders],
  // A new workspace has nothing from earlier versions.
  subscriptions: [
    on(WorkspaceCreated, (tx) =>
      saveAssignment(tx, { step: 'done', after: '', began_at: tx.clock.now().toISOString() }),
    ),
  ],
}
