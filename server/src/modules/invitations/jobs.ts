import { later } from '#kernel/clock.ts'
import { periodicJob } from '#kernel/jobs/job.ts'
import { deleteOldInvitations } from './queries.ts'

/** Rows per DELETE statement. */
const batch = 1000

/** Invitations are kept this long after they were accepted, were revoked, or expired. */
const keptMs = 30 * 24 * 60 * 60_000

export const sweepInvitations = periodicJob('sweep-invitations', {
  cron: '29 * * * *',
  async handle({ database: { directory }, clock }) {
    const before = later(clock.now(), -keptMs)
    while ((await deleteOldInvitations(directory, before, batch)) > 0);
  },
})
