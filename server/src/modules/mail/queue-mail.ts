import type { House } from '#kernel/context.ts'
import type { Writer } from '#kernel/db/transaction.ts'
import { newId } from '#kernel/ids.ts'
import { enqueueJob } from '#kernel/jobs/job.ts'
import type { Mail } from './ports.ts'
import { insertMail } from './queries.ts'
import { sealMail } from './sealed-mail.ts'

export const sendMailJob = 'send-mail'

/**
 * Queues a mail that is sent if this transaction commits, and never otherwise. Answers its id. The transaction may be one
 * of a workspace or of none; `house` is a use case's context, or the house itself.
 */
export function queueMail(tx: Writer, { clock, keys }: Pick<House, 'clock' | 'keys'>, mail: Mail): string {
  const now = clock.now()
  const id = newId(now)
  tx.write(insertMail(id, sealMail(keys, id, mail), now))
  // Of no workspace, wherever it was queued: the person may have several, or none.
  tx.write(enqueueJob('', sendMailJob, { mail_id: id }, {}))
  return id
}
