import { type Static, Type } from 'typebox'
import type { DirectoryDb, DirectoryTx } from '#kernel/db/handles.ts'
import { sql } from '#kernel/db/sql.ts'

export const MailRow = Type.Object({
  id: Type.String(),
  state: Type.Union([Type.Literal('queued'), Type.Literal('caught'), Type.Literal('failed')]),
  content: Type.Unsafe<Buffer>({}),
  answer: Type.Unsafe<Buffer | null>({}),
  attempts: Type.Integer(),
  created_at: Type.String(),
})
export type MailRow = Static<typeof MailRow>

const columns = sql`id, state, content, answer, attempts, created_at`

export const insertMail = (tx: DirectoryTx, id: string, content: Buffer, now: Date): void =>
  tx.write`
  insert into mails (${columns}) values (${id}, 'queued', ${content}, null, 0, ${now})`

export const findMail = (directory: DirectoryDb, id: string) =>
  directory.maybeOne(MailRow)`select ${columns} from mails where id = ${id}`

/** Lists mails, newest first, at most `limit`. */
export const listMails = (directory: DirectoryDb, limit: number) =>
  directory.many(MailRow)`select ${columns} from mails order by id desc limit ${limit}`

/** The same as `listMails`, but only caught mails. */
export const listCaughtMails = (directory: DirectoryDb, limit: number) =>
  directory.many(MailRow)`select ${columns} from mails where state = 'caught' order by id desc limit ${limit}`

/** Deletes and returns the mail; undefined if it does not exist. */
export const deleteMail = (tx: DirectoryTx, id: string) =>
  tx.maybeOne(MailRow)`delete from mails where id = ${id} returning ${columns}`

/** Deletes a mail that was sent. */
export const forgetMail = (directory: DirectoryDb, id: string) =>
  directory.run`delete from mails where id = ${id}`

/** Records an attempt. Returns the number of mails changed: 0 if it is no longer queued. */
export const recordAttempt = (
  directory: DirectoryDb,
  id: string,
  state: MailRow['state'],
  answer: Buffer | null,
) =>
  directory.run`
    update mails set state = ${state}, answer = ${answer}, attempts = attempts + 1
    where id = ${id} and state = 'queued'`

/** Stops retrying a mail. The outcome of the last attempt stays, unless `answer` says why. */
export const giveUpMail = (directory: DirectoryDb, id: string, answer: Buffer | null = null) =>
  directory.run`
    update mails set state = 'failed', answer = coalesce(${answer}::bytea, answer) where id = ${id} and state = 'queued'`

const IdRow = Type.Object({ id: Type.String() })

/** The IDs of the mails that wait since before a time. */
export const listMailsBefore = async (directory: DirectoryDb, before: Date): Promise<string[]> => {
  const rows = await directory.many(IdRow)`
    select id from mails where state = 'queued' and created_at < ${before} order by id`
  return rows.map(({ id }) => id)
}

/** How many mails wait since before a time. */
export const countMailsBefore = async (directory: DirectoryDb, before: Date): Promise<number> => {
  const { count } = await directory.one(Type.Object({ count: Type.Integer() }))`
    select count(*)::integer as count from mails where state = 'queued' and created_at < ${before}`
  return count
}

/** Deletes mails with an id below `before`. An id begins with the time at which it was created. */
export const forgetOldMails = (directory: DirectoryDb, before: string) =>
  directory.run`delete from mails where id < ${before}`

const SealedRow = Type.Object({
  id: Type.String(),
  content: Type.Unsafe<Buffer>({}),
  answer: Type.Unsafe<Buffer | null>({}),
})
export type SealedRow = Static<typeof SealedRow>

/** Mails that were sealed with an older application secret. Locks them until the transaction ends. */
export const lockSealedOtherwise = (tx: DirectoryTx, mark: Buffer) =>
  tx.many(SealedRow)`
    select id, content, answer from mails
    where substring(content for ${mark.length}) <> ${mark} or substring(answer for ${mark.length}) <> ${mark}
    for update`

export const saveSealed = (tx: DirectoryTx, { id, content, answer }: SealedRow): void =>
  tx.write`update mails set content = ${content}, answer = ${answer} where id = ${id}`
