import { type Static, Type } from 'typebox'
import type { Queries } from '#kernel/db/rows.ts'
import { type Sql, sql } from '#kernel/db/sql.ts'

export const MailRow = Type.Object({
  id: Type.String(),
  state: Type.Union([Type.Literal('queued'), Type.Literal('trapped'), Type.Literal('failed')]),
  content: Type.Unsafe<Buffer>({}),
  answer: Type.Unsafe<Buffer | null>({}),
  attempts: Type.Integer(),
  created_at: Type.String(),
})
export type MailRow = Static<typeof MailRow>

const columns = sql`id, state, content, answer, attempts, created_at`

export const insertMail = (id: string, content: Buffer, now: Date): Sql => sql`
  insert into mails (${columns}) values (${id}, 'queued', ${content}, null, 0, ${now})`

export const findMail = (directory: Queries, id: string) =>
  directory.maybeOne(MailRow, sql`select ${columns} from mails where id = ${id}`)

/** Newest first; `limit` at most. */
export const listMails = (directory: Queries, limit: number) =>
  directory.many(MailRow, sql`select ${columns} from mails order by id desc limit ${limit}`)

/** As listMails, of those in the trap. */
export const listTrappedMails = (directory: Queries, limit: number) =>
  directory.many(
    MailRow,
    sql`select ${columns} from mails where state = 'trapped' order by id desc limit ${limit}`,
  )

/** Takes the mail out of the table; undefined where it is not there. */
export const takeMail = (tx: Queries, id: string) =>
  tx.maybeOne(MailRow, sql`delete from mails where id = ${id} returning ${columns}`)

/** It has been sent. */
export const forgetMail = (directory: Queries, id: string) =>
  directory.run(sql`delete from mails where id = ${id}`)

/** What came of an attempt. Answers how many mails changed: none where it is not queued any more. */
export const noteAttempt = (directory: Queries, id: string, state: MailRow['state'], answer: Buffer | null) =>
  directory.run(sql`
    update mails set state = ${state}, answer = ${answer}, attempts = attempts + 1
    where id = ${id} and state = 'queued'`)

/** No further attempt is made; what the last one brought stays. */
export const giveUpMail = (directory: Queries, id: string) =>
  directory.run(sql`update mails set state = 'failed' where id = ${id} and state = 'queued'`)

/** Ids begin with the time of their making. */
export const forgetOldMails = (directory: Queries, before: string) =>
  directory.run(sql`delete from mails where id < ${before}`)

const SealedRow = Type.Object({
  id: Type.String(),
  content: Type.Unsafe<Buffer>({}),
  answer: Type.Unsafe<Buffer | null>({}),
})
export type SealedRow = Static<typeof SealedRow>

/** Those of which another than the newest application secret sealed something; they stay as they are until the end. */
export const lockSealedOtherwise = (tx: Queries, mark: Buffer) =>
  tx.many(
    SealedRow,
    sql`
    select id, content, answer from mails
    where substring(content for ${mark.length}) <> ${mark} or substring(answer for ${mark.length}) <> ${mark}
    for update`,
  )

export const saveSealed = ({ id, content, answer }: SealedRow): Sql =>
  sql`update mails set content = ${content}, answer = ${answer} where id = ${id}`
