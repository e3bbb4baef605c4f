import type { House } from '#kernel/context.ts'
import { NotFound } from '#kernel/errors.ts'
import { takeMail } from './queries.ts'
import { queueMail } from './queue-mail.ts'
import { openMail } from './sealed-mail.ts'

/**
 * Sends a mail that is still here once more: as a new one, with another id and 24 hours of its own, in place of the old
 * one, whose job then finds nothing to do. Only an attempt that is under way may send the old one as well.
 */
export function retryMail(house: Pick<House, 'database' | 'clock' | 'keys'>, id: string): Promise<string> {
  return house.database.transaction('', async (tx) => {
    const row = await takeMail(tx, id)
    if (row === undefined) throw NotFound(`There is no mail ${id}.`)
    return queueMail(tx, house, openMail(house.keys, id, row.content))
  })
}
