import { Type } from 'typebox'
import type { Queries } from '#kernel/db/rows.ts'
import { type Sql, sql } from '#kernel/db/sql.ts'

const bytes = Type.Unsafe<Buffer>({})
const nullable = Type.Union([Type.String(), Type.Null()])

const TotpRow = Type.Object({ totp: bytes, totp_confirmed_at: nullable })

/** The sealed key of a person's authenticator app, if there is one, and since when its codes are asked for. */
export const findTotp = (directory: Queries, personId: string) =>
  directory.maybeOne(
    TotpRow,
    sql`select totp, totp_confirmed_at from people where id = ${personId} and totp is not null`,
  )

/** A key that waits for its first code, in place of another such. 0 where codes are asked for already. */
export const saveTotpKey = (directory: Queries, personId: string, sealed: Buffer, now: Date) =>
  directory.run(sql`
    update people set totp = ${sealed}, totp_step = null, updated_at = ${now}
    where id = ${personId} and totp_confirmed_at is null`)

/** From now on codes are asked for, unless they were before or the key is another one by now. */
export const confirmTotpKey = (tx: Queries, personId: string, sealed: Buffer, step: number, now: Date) =>
  tx.run(sql`
    update people set totp_confirmed_at = ${now}, totp_step = ${step}, updated_at = ${now}
    where id = ${personId} and totp = ${sealed} and totp_confirmed_at is null`)

/** Uses up a time step, and with it all before it. Of two that bring its code one gets it. */
export const takeTotpStep = (directory: Queries, personId: string, step: number, confirmedAt: string) =>
  directory.run(sql`
    update people set totp_step = ${step}
    where id = ${personId} and totp_confirmed_at = ${confirmedAt} and totp_step < ${step}`)

/** 0 where there was none. */
export const forgetTotp = (tx: Queries, personId: string, now: Date) =>
  tx.run(sql`
    update people set totp = null, totp_confirmed_at = null, totp_step = null, updated_at = ${now}
    where id = ${personId} and totp is not null`)

const SealedRow = Type.Object({ id: Type.String(), totp: bytes })

/** Keys that another application secret has sealed than the one that `mark` stands for. */
export const lockTotpSealedOtherwise = (tx: Queries, mark: Buffer) =>
  tx.many(
    SealedRow,
    sql`select id, totp from people where substring(totp for ${mark.length}) <> ${mark} for update`,
  )

export const saveTotpSealed = (id: string, sealed: Buffer): Sql =>
  sql`update people set totp = ${sealed} where id = ${id}`

export const insertRecoveryCodes = (tx: Queries, personId: string, hashes: readonly Buffer[]) =>
  tx.run(sql`
    insert into recovery_codes (person_id, hash) select ${personId}, hash from unnest(${hashes}::bytea[]) as made (hash)`)

export const deleteRecoveryCodes = (tx: Queries, personId: string) =>
  tx.run(sql`delete from recovery_codes where person_id = ${personId}`)

/** Uses up a code. Of two that bring it one gets it. */
export const takeRecoveryCode = (directory: Queries, personId: string, hash: Buffer) =>
  directory.run(sql`delete from recovery_codes where person_id = ${personId} and hash = ${hash}`)

const CountRow = Type.Object({ count: Type.Integer() })

export const countRecoveryCodes = async (directory: Queries, personId: string) =>
  (
    await directory.one(
      CountRow,
      sql`select count(*)::int as count from recovery_codes where person_id = ${personId}`,
    )
  ).count
