import { Type } from 'typebox'
import type { Runtime } from '#kernel/context.ts'
import { firstIdAt } from '#kernel/ids.ts'
import { type DirectoryJob, directoryJob, periodicJob } from '#kernel/jobs/job.ts'
import { type DispatchOptions, dispatchMail } from './dispatch-mail.ts'
import { type SealedRow, forgetOldMails, lockSealedOtherwise, saveSealed } from './queries.ts'
import { sendMailJob } from './queue-mail.ts'
import { openAnswer, openMail, sealAnswer, sealMail, mailSealPurpose } from './sealed-mail.ts'

/** The job that sends mails. */
export const mailJobs = (options: DispatchOptions): DirectoryJob[] => [
  directoryJob(sendMailJob, {
    payload: Type.Object({ mail_id: Type.String() }),
    handle: (runtime, { mail_id }) => dispatchMail(runtime, mail_id, options),
  }),
]

/** How long caught and failed mails are kept. */
const keptMs = 7 * 24 * 3_600_000

/** Deletes old mails, and reseals those that an older application secret has sealed. */
export const maintainMails = periodicJob('maintain-mails', {
  cron: '*/10 * * * *',
  async handle(runtime) {
    const { database, clock, keys } = runtime
    await forgetOldMails(database.directory, firstIdAt(clock.now().getTime() - keptMs))
    await database.directory.transaction(async (tx) => {
      for (const row of await lockSealedOtherwise(tx, keys.sealMark(mailSealPurpose))) {
        const renewed = resealed(runtime, row)
        if (renewed !== undefined) saveSealed(tx, renewed)
      }
    })
  },
})

/** Returns undefined, and logs an error, if no application secret opens the mail. The caller still reseals the others. */
function resealed({ keys, log }: Runtime, { id, content, answer }: SealedRow): SealedRow | undefined {
  try {
    return {
      id,
      content: sealMail(keys, id, openMail(keys, id, content)),
      answer: answer && sealAnswer(keys, id, openAnswer(keys, id, answer)),
    }
  } catch (error) {
    log.error({ err: error, mailId: id }, 'a mail cannot be opened')
    return undefined
  }
}
