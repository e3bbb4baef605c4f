import { type House, createContext } from '#kernel/context.ts'
import { periodicJob } from '#kernel/jobs/job.ts'
import { everyWorkspace } from '../workspaces/public.ts'
import { type SealedRow, forgetPreviousSecrets, listSealedOtherwise, saveSealed } from './queries.ts'
import { openSecret, sealPurpose, sealSecret } from './webhook.ts'

/** Forgets secrets whose 24 hours are over, and seals anew what an older application secret has sealed. */
export const tendWebhookSecrets = periodicJob('tend-webhook-secrets', {
  cron: '*/10 * * * *',
  async handle(house) {
    const mark = house.keys.sealMark(sealPurpose)
    const actor = { type: 'system', id: null, name: 'tend-webhook-secrets' }
    for await (const { id: workspaceId } of everyWorkspace(house.database.directory)) {
      await createContext(house, { workspaceId, actor, scopes: new Set() }).transaction(async (tx) => {
        await forgetPreviousSecrets(tx, house.clock.now())
        for (const row of await listSealedOtherwise(tx, mark)) {
          const anew = sealedAnew(house, workspaceId, row)
          if (anew !== undefined) await saveSealed(tx, row.id, ...anew)
        }
      })
    }
  },
})

/** The secrets, the present one first; undefined where no application secret opens them: the others go on without. */
function sealedAnew(
  { keys, log }: House,
  workspaceId: string,
  { id, secret, previous_secret }: SealedRow,
): [Buffer, Buffer | null] | undefined {
  const anew = (sealed: Buffer) =>
    sealSecret(keys, workspaceId, id, openSecret(keys, workspaceId, id, sealed))
  try {
    return [anew(secret), previous_secret && anew(previous_secret)]
  } catch (error) {
    log.error({ err: error, webhookId: id }, 'the secret of a webhook cannot be opened')
    return undefined
  }
}
