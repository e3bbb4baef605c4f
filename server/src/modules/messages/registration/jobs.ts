import { periodicJob } from '#kernel/jobs/job.ts'
import type { Carriers } from '../ports.ts'
import { refreshAll } from './refresh-senders.ts'

/** Hourly, but not on the hour, when everyone asks. */
export const refreshSenders = (carriers: Carriers) =>
  periodicJob('refresh-senders', {
    cron: '23 * * * *',
    handle: (runtime) => refreshAll(runtime, carriers),
  })
