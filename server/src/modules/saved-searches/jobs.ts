import { Type } from 'typebox'
import { createContext } from '#kernel/context.ts'
import { job, periodicJob } from '#kernel/jobs/job.ts'
import { everyWorkspace } from '../workspaces/public.ts'
import { listDueSearches } from './queries.ts'
import { sendDigest } from './send-digest.ts'

export const sendDigestJob = job('send-listing-digest', {
  payload: Type.Object({ search_id: Type.String() }),
  handle: (ctx, { search_id }) => sendDigest(ctx, search_id),
})

const perRead = 500

/** Queues due digests, including those whose job was lost. */
export const queueDigests = periodicJob('queue-listing-digests', {
  cron: '*/5 * * * *',
  async handle(runtime) {
    const actor = { type: 'system', id: null, name: 'queue-listing-digests' }
    for await (const { id: workspaceId } of everyWorkspace(runtime.database.directory)) {
      const ctx = createContext(runtime, { workspaceId, actor, scopes: new Set() })
      for (let ids = await listDueSearches(ctx.db, runtime.clock.now(), '', perRead); ids.length > 0;) {
        const due = ids
        await ctx.transaction(async (tx) => {
          for (const search_id of due) tx.enqueue(sendDigestJob, { search_id }, { key: search_id })
        })
        ids = await listDueSearches(ctx.db, runtime.clock.now(), due.at(-1) ?? '', perRead)
      }
    }
  },
})
