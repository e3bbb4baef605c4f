import { type Runtime, createContext } from '#kernel/context.ts'
import { periodicJob } from '#kernel/jobs/job.ts'
import { everyWorkspace } from '../workspaces/public.ts'
import {
  type SealedSecretRow,
  deletePreviousSecrets,
  lockOutdatedSecrets,
  saveSealedSecrets,
} from './queries.ts'
import { openSecret, webhookSealPurpose, sealSecret } from './secret.ts'

/** Deletes previous secrets that have expired, and reseals secrets with the newest application secret. */
export const maintainWebhookSecrets = periodicJob('maintain-webhook-secrets', {
  cron: '*/10 * * * *',
  async handle(runtime) {
    const mark = runtime.keys.sealMark(webhookSealPurpose)
    const actor = { type: 'system', id: null, name: 'maintain-webhook-secrets' }
    for await (const { id: workspaceId } of everyWorkspace(runtime.database.directory)) {
      await createContext(runtime, { workspaceId, actor, scopes: new Set() }).transaction(async (tx) => {
        await deletePreviousSecrets(tx, runtime.clock.now())
        for (const row of await lockOutdatedSecrets(tx, mark)) {
          const resealed = reseal(runtime, workspaceId, row)
          if (resealed !== undefined) await saveSealedSecrets(tx, row.id, ...resealed)
        }
      })
    }
  },
})

/**
 * Returns the resealed secrets, the current one first. Returns undefined if no application secret opens them, so that
 * the job continues with the other webhooks.
 */
function reseal(
  { keys, log }: Runtime,
  workspaceId: string,
  { id, secret, previous_secret }: SealedSecretRow,
): [Buffer, Buffer | null] | undefined {
  const sealAgain = (sealed: Buffer) =>
    sealSecret(keys, workspaceId, id, openSecret(keys, workspaceId, id, sealed))
  try {
    return [sealAgain(secret), previous_secret && sealAgain(previous_secret)]
  } catch (error) {
    log.error({ err: error, webhookId: id }, 'a webhook secret cannot be decrypted')
    return undefined
  }
}
