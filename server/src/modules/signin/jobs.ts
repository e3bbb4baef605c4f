import { periodicJob } from '#kernel/jobs/job.ts'
import { deleteOldAttempts } from './attempt-queries.ts'
import { attemptsMs, later } from './lifetimes.ts'
import { deleteOldInvitations, deleteOldResets } from './link-queries.ts'
import { deleteEndedSessions } from './session-queries.ts'
import { deleteOldSteps } from './step-queries.ts'

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
    await deleteOldSteps(directory, now)
    await deleteOldResets(directory, now)
    await deleteOldInvitations(directory, later(now, -invitationKeptMs))
    await deleteOldAttempts(directory, later(now, -attemptsMs))
  },
})
