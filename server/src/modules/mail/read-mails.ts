import type { Runtime } from '#kernel/context.ts'
import { isId } from '#kernel/ids.ts'
import type { Mail } from './ports.ts'
import { type MailRow, findMail, listMails, listCaughtMails } from './queries.ts'
import { openAnswer, openMail } from './sealed-mail.ts'

type Reader = Pick<Runtime, 'keys'> & { database: Pick<Runtime['database'], 'directory'> }

/** A stored mail, opened. */
export interface StoredMail {
  id: string
  /** queued: to be sent; caught: kept because no mail server is configured; failed: not sent, and not tried again. */
  state: MailRow['state']
  attempts: number
  created_at: string
  /** Undefined if no application secret opens it anymore. */
  mail: Mail | undefined
  /** The server's reply to the last attempt; null if there is none. */
  answer: string | null
}

/** The maximum number of mails in a list. */
const some = 500

/** The newest stored mails. */
export const readMails = async (runtime: Reader): Promise<StoredMail[]> =>
  (await listMails(runtime.database.directory, some)).map((row) => opened(runtime, row))

/** The newest caught mails. */
export const readCaughtMails = async (runtime: Reader): Promise<StoredMail[]> =>
  (await listCaughtMails(runtime.database.directory, some)).map((row) => opened(runtime, row))

export async function readMail(runtime: Reader, id: string): Promise<StoredMail | undefined> {
  const row = isId(id) ? await findMail(runtime.database.directory, id) : undefined
  return row && opened(runtime, row)
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
