import { type Runtime, type Tx, createContext } from '#kernel/context.ts'
import { periodicJob } from '#kernel/jobs/job.ts'
import { everyWorkspace } from './queries.ts'

/** Rows per transaction, and transactions per workspace before the next workspace gets its turn. */
const batchSize = 200
const batchesPerRun = 250

/**
 * Derives columns again that earlier versions of the code derived otherwise, once in each workspace. `readBatch` handles
 * the next rows, marks them, and returns how many they were, so a run that ends early goes on later. `records`: what
 * they are, for the log. Returns the periodic job, and what it does in one workspace, which returns the number of rows.
 */
export function readingAgain(records: string, readBatch: (tx: Tx, limit: number) => Promise<number>) {
  async function readAgain(runtime: Runtime, workspaceId: string): Promise<number> {
    const actor = { type: 'system', id: null, name: `read-${records}-again` }
    const ctx = createContext(runtime, { workspaceId, actor, scopes: new Set() })
    let read = 0
    for (let batches = 0; batches < batchesPerRun; batches++) {
      const some = await ctx.transaction((tx) => readBatch(tx, batchSize))
      if (some === 0) break
      read += some
    }
    return read
  }
  const job = periodicJob(`read-${records}-again`, {
    cron: '*/10 * * * *',
    async handle(runtime) {
      for await (const { id: workspaceId } of everyWorkspace(runtime.database.directory)) {
        try {
          const read = await readAgain(runtime, workspaceId)
          if (read > 0) runtime.log.info({ workspaceId, read }, `${records} of earlier versions read again`)
        } catch (error) {
          runtime.log.warn({ err: error, workspaceId }, `${records} of earlier versions not read again`)
        }
      }
    },
  })
  return { job, readAgain }
}
