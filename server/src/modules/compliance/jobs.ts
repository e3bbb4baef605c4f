import { createContext } from '#kernel/context.ts'
import { periodicJob } from '#kernel/jobs/job.ts'
import { everyWorkspace } from '../workspaces/public.ts'
import { openKey, sealKey, sealPurpose } from './suppression-key.ts'
import { lockKeySealedOtherwise, saveSealedKey } from './suppression-queries.ts'

/** Reseals keys that an older application secret sealed. Keeps a key that no secret opens, and logs an error on each run. */
export const maintainSuppressionKeys = periodicJob('maintain-suppression-keys', {
  cron: '*/10 * * * *',
  async handle(runtime) {
    const { keys, log } = runtime
    const mark = keys.sealMark(sealPurpose)
    const actor = { type: 'system', id: null, name: 'maintain-suppression-keys' }
    for await (const { id: workspaceId } of everyWorkspace(runtime.database.directory)) {
      await createContext(runtime, { workspaceId, actor, scopes: new Set() }).transaction(async (tx) => {
        const sealed = await lockKeySealedOtherwise(tx, mark)
        if (sealed === undefined) return
        try {
          saveSealedKey(tx, sealKey(keys, workspaceId, openKey(keys, workspaceId, sealed)))
        } catch (error) {
          log.error({ err: error, workspaceId }, 'the key of the suppressions cannot be opened')
        }
      })
    }
  },
})
