import { Type } from 'typebox'
import type { House } from '#kernel/context.ts'
import { firstIdAt } from '#kernel/ids.ts'
import { type Job, job, periodicJob } from '#kernel/jobs/job.ts'
import { type DispatchOptions, dispatchMail } from './dispatch-mail.ts'
import { type SealedRow, forgetOldMails, lockSealedOtherwise, saveSealed } from './queries.ts'
import { sendMailJob } from './queue-mail.ts'
import { openAnswer, openMail, sealAnswer, sealMail, sealPurpose } from './sealed-mail.ts'

/** The job that sends mails. Made by whoever knows the mail server, as routes are by whoever knows the address. */
export const mailJobs = (options: DispatchOptions): Job[] => [
  job(sendMailJob, {
    payload: Type.Object({ mail_id: Type.String() }),
    handle: (ctx, { mail_id }) => dispatchMail(ctx, mail_id, options),
  }),
]

/** How long a mail that was not sent is kept: in the trap, or for the operator. */
const keptMs = 7 * 24 * 3_600_000

/** Forgets mails whose time is over, and seals anew what an older application secret has sealed. */
export const tendMails = periodicJob('tend-mails', {
  cron: '*/10 * * * *',
  async handle(house) {
    const { database, clock, keys } = house
    await forgetOldMails(database.directory, firstIdAt(clock.now().getTime() - keptMs))
    await database.transaction('', async (tx) => {
      for (const row of await lockSealedOtherwise(tx, keys.sealMark(sealPurpose))) {
        const anew = sealedAnew(house, row)
        if (anew !== undefined) tx.write(saveSealed(anew))
      }
    })
  },
})

/** Undefined where no application secret opens it: the others go on without. */
function sealedAnew({ keys, log }: House, { id, content, answer }: SealedRow): SealedRow | undefined {
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
