import type { Runtime } from '#kernel/context.ts'
import { periodicJob } from '#kernel/jobs/job.ts'
import { credentialsPurpose, openCredentials, sealCredentials } from './accounts/credentials.ts'
import {
  type SealedCredentials,
  deletePreviousCredentials,
  lockOutdatedCredentials,
  saveResealed,
} from './connection-queries.ts'

/** Deletes previous credentials that have expired, and reseals credentials with the newest application secret. */
export const maintainCredentials = periodicJob('maintain-credentials', {
  cron: '*/10 * * * *',
  handle: (runtime) =>
    runtime.database.directory.transaction(async (tx) => {
      deletePreviousCredentials(tx, runtime.clock.now())
      for (const row of await lockOutdatedCredentials(tx, runtime.keys.sealMark(credentialsPurpose))) {
        const resealed = reseal(runtime, row)
        if (resealed !== undefined) saveResealed(tx, row.id, ...resealed)
      }
    }),
})

/**
 * Reseals credentials. Returns the current ones, then the previous ones. Returns undefined, and logs an error, if no
 * application secret opens them; the caller still reseals the others.
 */
function reseal(
  { keys, log }: Runtime,
  { id, secret, previous_secret }: SealedCredentials,
): [Buffer, Buffer | null] | undefined {
  const sealAgain = (sealed: Buffer) => sealCredentials(keys, id, openCredentials(keys, id, sealed))
  try {
    return [sealAgain(secret), previous_secret && sealAgain(previous_secret)]
  } catch (error) {
    log.error({ err: error, connectionId: id }, 'the credentials of a connection cannot be decrypted')
    return undefined
  }
}
