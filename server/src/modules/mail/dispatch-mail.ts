import type { Runtime } from '#kernel/context.ts'
import { splitLinks } from './links.ts'
import type { CaughtMail, Handover, SendMail } from './ports.ts'
import { type MailRow, findMail, forgetMail, giveUpMail, recordAttempt } from './queries.ts'
import { openMail, sealAnswer } from './sealed-mail.ts'

export interface DispatchOptions {
  /** Undefined if no mail server is configured: mails are caught. */
  sendMail: SendMail | undefined
  /** The URL of the mail catcher; undefined if its pages are not served. */
  catcherUrl: () => string | undefined
  /** Called for every caught mail. Its content may be shown to a person, but must not be logged. */
  onCaught?: ((mail: CaughtMail) => void) | undefined
}

/** How long Gable keeps trying to send a mail. By then, the mail's links have expired. */
const giveUpMs = 24 * 3_600_000

/**
 * Attempts to send a mail once. Throws if the job should try again. Safe to run twice, with one exception that SMTP does
 * not prevent: if the server accepted the mail but its reply was lost, the mail goes out again.
 */
export async function dispatchMail(runtime: Runtime, id: string, options: DispatchOptions): Promise<void> {
  const row = await findMail(runtime.database.directory, id)
  if (row === undefined || row.state !== 'queued') return
  if (options.sendMail === undefined) return storeCaught(runtime, row, options)
  const writtenAt = new Date(row.created_at)
  if (runtime.clock.now().getTime() - writtenAt.getTime() >= giveUpMs) {
    await giveUpMail(runtime.database.directory, id)
    return runtime.log.warn({ mailId: id }, 'a mail was given up')
  }
  const mail = openMail(runtime.keys, id, row.content)
  await settle(runtime, id, await options.sendMail({ ...mail, id, writtenAt }))
}

async function settle({ database, keys, log }: Runtime, id: string, { kind, answer, code }: Handover) {
  if (kind === 'taken') return forgetMail(database.directory, id)
  const sealed = sealAnswer(keys, id, answer)
  await recordAttempt(database.directory, id, kind === 'rejected' ? 'failed' : 'queued', sealed)
  // The job stores and logs the message of this error, so it includes the reply's code but not its text.
  if (kind === 'later') throw new Error(`The mail ${id} was not taken (${code}).`)
  return log.warn({ mailId: id, code }, 'a mail was rejected')
}

async function storeCaught(
  runtime: Runtime,
  { id, content }: MailRow,
  { catcherUrl, onCaught }: DispatchOptions,
) {
  const mail = openMail(runtime.keys, id, content)
  if ((await recordAttempt(runtime.database.directory, id, 'caught', null)) === 0) return
  const at = catcherUrl()
  const page = at === undefined ? undefined : `${at}/${id}`
  // The log omits the URL: anyone who knows the catcher's address can read all of its mails.
  runtime.log.info({ mailId: id }, 'a mail was caught')
  const links = splitLinks(mail.text, runtime.origin()).flatMap(({ href }) => href ?? [])
  onCaught?.({ ...mail, id, page, links })
}
