import { createContext } from '#kernel/context.ts'
import { deleteExpiredReplies } from '#kernel/http/idempotency.ts'
import { periodicJob } from '#kernel/jobs/job.ts'
import { listWorkspaces } from './queries.ts'

/** Answers to POST requests are kept for a day; each workspace's are swept in a transaction of its own. */
export const sweepIdempotencyReplies = periodicJob('sweep-idempotency-replies', {
  cron: '17 * * * *',
  async handle(house) {
    const actor = { type: 'system', id: null, name: 'sweep' }
    for (let after: string | undefined = ''; after !== undefined;) {
      const workspaces = await listWorkspaces(house.database.directory, after)
      for (const { id } of workspaces) {
        const ctx = createContext(house, { workspaceId: id, actor, scopes: new Set() })
        await ctx.transaction((tx) => deleteExpiredReplies(tx, house.clock.now()))
      }
      after = workspaces.at(-1)?.id
    }
  },
})
