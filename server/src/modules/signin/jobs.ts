import type { House } from '#kernel/context.ts'
import { periodicJob } from '#kernel/jobs/job.ts'
import { deleteOldAttempts } from './attempt-queries.ts'
import { attemptsMs, later } from './lifetimes.ts'
import { deleteOldInvitations, deleteOldResets } from './link-queries.ts'
import { lockTotpSealedOtherwise, saveTotpSealed } from './second-step-queries.ts'
import { deleteEndedSessions } from './session-queries.ts'
import { deleteOldSteps } from './step-queries.ts'
import { openTotpKey, sealTotpKey, totpPurpose } from './totp.ts'

/** Rows of one statement. */
const some = 1000

/** How long invitations are kept after they have come to their end. */
const invitationKeptMs = 30 * 24 * 60 * 60 * 1000

/** Deletes what is over: sessions, steps, links, counts of attempts. */
export const sweepSignIn = periodicJob('sweep-sign-in', {
  cron: '23 * * * *',
  async handle({ database: { directory }, clock }) {
    const now = clock.now()
    while ((await deleteEndedSessions(directory, now, some)) > 0);
    while ((await deleteOldSteps(directory, now, some)) > 0);
    while ((await deleteOldResets(directory, now, some)) > 0);
    while ((await deleteOldAttempts(directory, later(now, -attemptsMs), some)) > 0);
    while ((await deleteOldInvitations(directory, later(now, -invitationKeptMs), some)) > 0);
  },
})

/** Seals anew the keys of authenticator apps that an older application secret has sealed. */
export const sealTotpKeysAnew = periodicJob('seal-authenticator-keys-anew', {
  cron: '*/10 * * * *',
  handle: (house) =>
    house.database.transaction('', async (tx) => {
      for (const { id, totp } of await lockTotpSealedOtherwise(tx, house.keys.sealMark(totpPurpose))) {
        const anew = sealedAnew(house, id, totp)
        if (anew !== undefined) tx.write(saveTotpSealed(id, anew))
      }
    }),
})

/** Undefined where no application secret opens it: the others go on without. */
function sealedAnew({ keys, log }: House, personId: string, sealed: Buffer): Buffer | undefined {
  try {
    return sealTotpKey(keys, personId, openTotpKey(keys, personId, sealed))
  } catch (error) {
    log.error({ err: error, personId }, 'the key of an authenticator app cannot be opened')
    return undefined
  }
}
