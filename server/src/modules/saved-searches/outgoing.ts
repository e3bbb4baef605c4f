import type { Outgoing } from '#kernel/outgoing.ts'
import { queueDigests, sendDigestJob } from './jobs.ts'
import { listOverdueSearches, skipDigests } from './skip-digests.ts'

export const outgoingDigests: Outgoing = {
  name: 'digests',
  what: 'Digests of saved searches',
  tables: ['saved_searches'],
  workers: [queueDigests.name, sendDigestJob.name],
  released: 'They leave.',
  dropped: 'They are skipped. The next ones begin with what is new from now on.',
  scope: 'workspace',
  count: async (ctx, before) => (await listOverdueSearches(ctx, before)).length,
  drop: skipDigests,
}
