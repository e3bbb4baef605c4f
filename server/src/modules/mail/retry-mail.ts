import type { Runtime } from '#kernel/context.ts'
import { NotFound } from '#kernel/errors.ts'
import { deleteMail } from './queries.ts'
import { queueMail } from './queue-mail.ts'
import { openMail } from './sealed-mail.ts'

/**
 * Sends a stored mail again, as a new mail with its own id and 24 hours of attempts. Deletes the old mail, so its job
 * does nothing; only an attempt that is already in progress may still send it. Returns the new id. Throws `NotFound` if
 * there is no such mail.
 */
export function retryMail(
  runtime: Pick<Runtime, 'database' | 'clock' | 'keys'>,
  id: string,
): Promise<string> {
  return runtime.database.directory.transaction(async (tx) => {
    const row = await deleteMail(tx, id)
    if (row === undefined) throw NotFound(`There is no mail ${id}.`)
    return queueMail(tx, runtime, openMail(runtime.keys, id, row.content))
  })
}
