import { later } from '#kernel/clock.ts'
import type { Runtime } from '#kernel/context.ts'
import { periodicJob } from '#kernel/jobs/job.ts'
import { deleteOldAttempts } from './attempt-queries.ts'
import { attemptsMs } from './attempts.ts'
import { deleteOldResets } from './queries.ts'
import { lockTotpSealedOtherwise, saveTotpSealed } from './second-step/queries.ts'
import { openTotpKey, sealTotpKey, totpPurpose } from './second-step/totp.ts'
import { deleteEndedSessions, deleteOldSteps } from './session-queries.ts'

/** Rows per DELETE statement. */
const batch = 1000

/** Deletes expired sessions, sign-in steps, password links and attempt counts. */
export const sweepSignIn = periodicJob('sweep-sign-in', {
  cron: '23 * * * *',
  async handle({ database: { directory }, clock }) {
    const now = clock.now()
    while ((await deleteEndedSessions(directory, now, batch)) > 0);
    while ((await deleteOldSteps(directory, now, batch)) > 0);
    while ((await deleteOldResets(directory, now, batch)) > 0);
    while ((await deleteOldAttempts(directory, later(now, -attemptsMs), batch)) > 0);
  },
})

/** Reseals authenticator keys that were sealed with an older application secret. */
export const resealTotpKeys = periodicJob('reseal-authenticator-keys', {
  cron: '*/10 * * * *',
  handle: (runtime) =>
    runtime.database.directory.transaction(async (tx) => {
      for (const { id, totp } of await lockTotpSealedOtherwise(tx, runtime.keys.sealMark(totpPurpose))) {
        const renewed = resealed(runtime, id, totp)
        if (renewed !== undefined) saveTotpSealed(tx, id, renewed)
      }
    }),
})

/** Returns undefined if no application secret opens the key, so that the job still reseals the other keys. */
function resealed({ keys, log }: Runtime, personId: string, sealed: Buffer): Buffer | undefined {
  try {
    return sealTotpKey(keys, personId, openTotpKey(keys, personId, sealed))
  } catch (error) {
    log.error({ err: error, personId }, 'an authenticator key cannot be opened')
    return undefined
  }
}
