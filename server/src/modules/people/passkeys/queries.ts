import { type Static, Type } from 'typebox'
import type { DirectoryDb, DirectoryTx } from '#kernel/db/handles.ts'
import { sql } from '#kernel/db/sql.ts'

export const PasskeyRow = Type.Object({
  /** The credential's id, in base64url. */
  id: Type.String(),
  person_id: Type.String(),
  name: Type.String(),
  public_key: Type.Unsafe<Buffer>({}),
  counter: Type.Number(),
  transports: Type.Array(Type.String()),
  created_at: Type.String(),
  last_used_at: Type.Union([Type.String(), Type.Null()]),
})
export type PasskeyRow = Static<typeof PasskeyRow>

const columns = sql`id, person_id, name, public_key, counter::float8 as counter, transports, created_at, last_used_at`

export const insertPasskey = (tx: DirectoryTx, row: Omit<PasskeyRow, 'last_used_at'>) =>
  tx.run`
    insert into passkeys (id, person_id, name, public_key, counter, transports, created_at)
    values (${row.id}, ${row.person_id}, ${row.name}, ${row.public_key}, ${row.counter}, ${row.transports},
      ${row.created_at})`

export const findPasskey = (directory: DirectoryDb, id: string) =>
  directory.maybeOne(PasskeyRow)`select ${columns} from passkeys where id = ${id}`

/** Oldest first, at most 100. */
export const listPasskeys = (directory: DirectoryDb, personId: string) =>
  directory.many(
    PasskeyRow,
  )`select ${columns} from passkeys where person_id = ${personId} order by created_at, id limit 100`

/**
 * Records a use. Returns 0 if the authenticator's counter has not increased, which means that a copy of the
 * authenticator, or the same response, was used before (WebAuthn, 6.1.1). Many authenticators do not count and always
 * send 0.
 */
export const recordPasskeyUse = (directory: DirectoryDb, id: string, counter: number, now: Date) =>
  directory.run`
    update passkeys set counter = ${counter}, last_used_at = ${now}
    where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0))`

export const deletePasskey = (tx: DirectoryTx, personId: string, id: string) =>
  tx.run`delete from passkeys where person_id = ${personId} and id = ${id}`
