import { type Static, Type } from 'typebox'
import type { DirectoryDb, DirectoryTx, WorkspaceTx } from '#kernel/db/handles.ts'
import { sql } from '#kernel/db/sql.ts'

const nullable = Type.Union([Type.String(), Type.Null()])

export const PersonRow = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  /** A hash in the format of password.ts, or null for none. */
  password: nullable,
  /** When the second step was turned on; null while no authenticator codes are required. */
  totp_confirmed_at: nullable,
  created_at: Type.String(),
  updated_at: Type.String(),
})
export type PersonRow = Static<typeof PersonRow>

const columns = sql`id, name, email, password, totp_confirmed_at, created_at, updated_at`

export const findPerson = (directory: DirectoryDb, id: string) =>
  directory.maybeOne(PersonRow)`select ${columns} from people where id = ${id}`

/** Ignores the case of the address. */
export const findPersonByEmail = (directory: DirectoryDb, email: string) =>
  directory.maybeOne(PersonRow)`select ${columns} from people where lower(email) = lower(${email})`

export const insertPerson = (tx: DirectoryTx, { id, name, email, password, created_at }: PersonRow) =>
  tx.run`
    insert into people (id, name, email, password, created_at, updated_at)
    values (${id}, ${name}, ${email}, ${password}, ${created_at}, ${created_at})`

/** A person's password hash and second step at the time they proved who they are. */
export type SignInState = Pick<PersonRow, 'id' | 'password' | 'totp_confirmed_at'>

/** Returns the person if their password and second step are unchanged, and prevents changes until the transaction ends. */
export const lockUnchangedForShare = (tx: DirectoryTx, { id, password, totp_confirmed_at }: SignInState) =>
  tx.maybeOne(PersonRow)`
    select ${columns} from people
    where id = ${id} and password is not distinct from ${password}
      and totp_confirmed_at is not distinct from ${totp_confirmed_at}
    for share`

/** Locks the person until the transaction ends: no one else can change how they sign in, and no session can start. */
export const lockPerson = (tx: DirectoryTx, id: string) =>
  tx.maybeOne(PersonRow)`select ${columns} from people where id = ${id} for no key update`

export const savePassword = (tx: DirectoryTx, id: string, password: string, now: Date) =>
  tx.run`update people set password = ${password}, updated_at = ${now} where id = ${id}`

/** Changes nothing if the name is the same. */
export const savePersonName = (directory: DirectoryDb, id: string, name: string, now: Date) =>
  directory.run`update people set name = ${name}, updated_at = ${now} where id = ${id} and name <> ${name}`

/** Saves a new hash of the same password, unless the password has changed. */
export const saveRehashedPassword = (
  directory: DirectoryDb,
  id: string,
  dated: string,
  renewed: string,
  now: Date,
) =>
  directory.run`
    update people set password = ${renewed}, updated_at = ${now} where id = ${id} and password = ${dated}`

const MembershipRow = Type.Object({
  person_id: Type.String(),
  workspace_id: Type.String(),
  member_id: Type.String(),
})

/** A person's memberships, at most 100. */
export const listMemberships = (directory: DirectoryDb, personId: string) =>
  directory.many(MembershipRow)`
    select person_id, workspace_id, member_id from memberships where person_id = ${personId}
    order by workspace_id limit 100`

export const findMembership = (directory: DirectoryDb, personId: string, workspaceId: string) =>
  directory.maybeOne(MembershipRow)`
    select person_id, workspace_id, member_id from memberships
    where person_id = ${personId} and workspace_id = ${workspaceId}`

/** Links a person to a member. Does nothing if the person already has a membership of the workspace. */
export const insertMembership = (tx: WorkspaceTx, personId: string, memberId: string, now: Date) =>
  tx.run`
    insert into memberships (person_id, workspace_id, member_id, created_at)
    values (${personId}, ${tx.workspaceId}, ${memberId}, ${now})
    on conflict (person_id, workspace_id) do nothing`

const SignsInRow = Type.Object({ member_id: Type.String(), person_id: Type.String() })

/** The members of the workspace who can sign in. */
export const listWhoSignsIn = (directory: DirectoryDb, workspaceId: string) =>
  directory.many(
    SignsInRow,
  )`select member_id, person_id from memberships where workspace_id = ${workspaceId} limit 10000`

/** The membership of this member, if they can sign in. */
export const findMembershipOf = (tx: WorkspaceTx, memberId: string) =>
  tx.maybeOne(MembershipRow)`
    select person_id, workspace_id, member_id from memberships
    where workspace_id = ${tx.workspaceId} and member_id = ${memberId}`

export const insertReset = (tx: DirectoryTx, hash: Buffer, personId: string, now: Date, expiresAt: Date) =>
  tx.run`
    insert into password_resets (hash, person_id, expires_at, created_at)
    values (${hash}, ${personId}, ${expiresAt}, ${now})`

const ResetRow = Type.Object({ person_id: Type.String() })

export const findReset = (directory: DirectoryDb, hash: Buffer, now: Date) =>
  directory.maybeOne(
    ResetRow,
  )`select person_id from password_resets where hash = ${hash} and expires_at > ${now}`

/** Uses up the link. If two requests race, only one gets the row. */
export const consumeReset = (tx: DirectoryTx, hash: Buffer, now: Date) =>
  tx.maybeOne(
    ResetRow,
  )`delete from password_resets where hash = ${hash} and expires_at > ${now} returning person_id`

/** Deletes all password links of a person, for example after a password change. */
export const deleteResetsOf = (tx: DirectoryTx, personId: string) =>
  tx.run`delete from password_resets where person_id = ${personId}`

/** Deletes at most `limit` expired links. */
export const deleteOldResets = (directory: DirectoryDb, now: Date, limit: number) =>
  directory.run`
    delete from password_resets where hash in (
      select hash from password_resets where expires_at <= ${now} limit ${limit})`
