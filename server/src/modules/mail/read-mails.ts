import type { House } from '#kernel/context.ts'
import { isId } from '#kernel/ids.ts'
import type { Mail } from './ports.ts'
import { type MailRow, findMail, listMails, listTrappedMails } from './queries.ts'
import { openAnswer, openMail } from './sealed-mail.ts'

type Reader = Pick<House, 'keys'> & { database: Pick<House['database'], 'directory'> }

/** A mail that is still here, opened. */
export interface StoredMail {
  id: string
  /** queued: to be sent; trapped: kept here for want of a mail server; failed: not sent, and not tried again. */
  state: MailRow['state']
  attempts: number
  created_at: string
  /** Undefined where no application secret opens it any more. */
  mail: Mail | undefined
  /** What came of the last attempt; null where there was none, or none that said anything. */
  answer: string | null
}

/** Rows of one list. */
const some = 500

/** The newest of all that are still here. */
export const readMails = async (house: Reader): Promise<StoredMail[]> =>
  (await listMails(house.database.directory, some)).map((row) => opened(house, row))

/** The newest of those in the trap. */
export const readTrap = async (house: Reader): Promise<StoredMail[]> =>
  (await listTrappedMails(house.database.directory, some)).map((row) => opened(house, row))

export async function readMail(house: Reader, id: string): Promise<StoredMail | undefined> {
  const row = isId(id) ? await findMail(house.database.directory, id) : undefined
  return row && opened(house, row)
}

const opened = (
  { keys }: Reader,
  { id, state, content, answer, attempts, created_at }: MailRow,
): StoredMail => ({
  id,
  state,
  attempts,
  created_at,
  mail: readable(() => openMail(keys, id, content)),
  answer: (answer && readable(() => openAnswer(keys, id, answer))) ?? null,
})

function readable<T>(open: () => T): T | undefined {
  try {
    return open()
  } catch {
    return undefined
  }
}
