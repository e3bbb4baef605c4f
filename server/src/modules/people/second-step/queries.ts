import { Type } from 'typebox'
import type { DirectoryDb, DirectoryTx } from '#kernel/db/handles.ts'

const bytes = Type.Unsafe<Buffer>({})
const nullable = Type.Union([Type.String(), Type.Null()])

const TotpRow = Type.Object({ totp: bytes, totp_confirmed_at: nullable })

/** Returns a person's sealed authenticator key, and since when its codes are required (null while the key is unconfirmed). */
export const findTotp = (directory: DirectoryDb, personId: string) =>
  directory.maybeOne(
    TotpRow,
  )`select totp, totp_confirmed_at from people where id = ${personId} and totp is not null`

/** Saves a key that is not confirmed yet. Returns 0 if codes are already required. */
export const saveTotpKey = (directory: DirectoryDb, personId: string, sealed: Buffer, now: Date) =>
  directory.run`
    update people set totp = ${sealed}, totp_step = null, updated_at = ${now}
    where id = ${personId} and totp_confirmed_at is null`

/** Confirms the key, so that codes are required from now on. Returns 0 if they already were, or if the key has changed. */
export const confirmTotpKey = (tx: DirectoryTx, personId: string, sealed: Buffer, step: number, now: Date) =>
  tx.run`
    update people set totp_confirmed_at = ${now}, totp_step = ${step}, updated_at = ${now}
    where id = ${personId} and totp = ${sealed} and totp_confirmed_at is null`

/** Uses up a time step and all earlier ones. If two requests race with one code, only one succeeds. */
export const consumeTotpStep = (
  directory: DirectoryDb,
  personId: string,
  step: number,
  confirmedAt: string,
) =>
  directory.run`
    update people set totp_step = ${step}
    where id = ${personId} and totp_confirmed_at = ${confirmedAt} and totp_step < ${step}`

/** Returns 0 if there was no key. */
export const forgetTotp = (tx: DirectoryTx, personId: string, now: Date) =>
  tx.run`
    update people set totp = null, totp_confirmed_at = null, totp_step = null, updated_at = ${now}
    where id = ${personId} and totp is not null`

const SealedRow = Type.Object({ id: Type.String(), totp: bytes })

/** Locks the keys that were sealed with an application secret other than that of `mark`. */
export const lockTotpSealedOtherwise = (tx: DirectoryTx, mark: Buffer) =>
  tx.many(
    SealedRow,
  )`select id, totp from people where substring(totp for ${mark.length}) <> ${mark} for update`

export const saveTotpSealed = (tx: DirectoryTx, id: string, sealed: Buffer): void =>
  tx.write`update people set totp = ${sealed} where id = ${id}`

export const insertRecoveryCodes = (tx: DirectoryTx, personId: string, hashes: readonly Buffer[]) =>
  tx.run`
    insert into recovery_codes (person_id, hash) select ${personId}, hash from unnest(${hashes}::bytea[]) as made (hash)`

export const deleteRecoveryCodes = (tx: DirectoryTx, personId: string) =>
  tx.run`delete from recovery_codes where person_id = ${personId}`

/** Uses up a code. If two requests race, only one succeeds. */
export const consumeRecoveryCode = (directory: DirectoryDb, personId: string, hash: Buffer) =>
  directory.run`delete from recovery_codes where person_id = ${personId} and hash = ${hash}`

const CountRow = Type.Object({ count: Type.Integer() })

export const countRecoveryCodes = async (directory: DirectoryDb, personId: string) =>
  (
    await directory.one(
      CountRow,
    )`select count(*)::int as count from recovery_codes where person_id = ${personId}`
  ).count
