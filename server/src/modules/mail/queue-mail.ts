import type { Runtime } from '#kernel/context.ts'
import type { DirectoryTx } from '#kernel/db/handles.ts'
import { enqueueJob } from '#kernel/enqueue.ts'
import { newId } from '#kernel/ids.ts'
import type { Mail } from './ports.ts'
import { insertMail } from './queries.ts'
import { sealMail } from './sealed-mail.ts'

export const sendMailJob = 'send-mail'

/** Queues a mail that is sent if this transaction commits. Returns its id. */
export function queueMail(
  tx: DirectoryTx,
  { clock, keys }: Pick<Runtime, 'clock' | 'keys'>,
  mail: Mail,
): string {
  const now = clock.now()
  const id = newId(now)
  insertMail(tx, id, sealMail(keys, id, mail), now)
  // A directory job: the person may have several workspaces, or none.
  enqueueJob(tx, null, sendMailJob, { mail_id: id })
  return id
}
