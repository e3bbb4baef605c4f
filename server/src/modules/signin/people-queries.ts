import { type Static, Type } from 'typebox'
import type { Queries } from '#kernel/db/rows.ts'
import { sql } from '#kernel/db/sql.ts'

const nullable = Type.Union([Type.String(), Type.Null()])

export const PersonRow = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  /** As password.ts writes it; null for none. */
  password: nullable,
  /** Since when codes of an authenticator app are asked for; null while they are not. */
  totp_confirmed_at: nullable,
  created_at: Type.String(),
  updated_at: Type.String(),
})
export type PersonRow = Static<typeof PersonRow>

const columns = sql`id, name, email, password, totp_confirmed_at, created_at, updated_at`

export const findPerson = (directory: Queries, id: string) =>
  directory.maybeOne(PersonRow, sql`select ${columns} from people where id = ${id}`)

/** Whatever the case of the address. */
export const findPersonByEmail = (directory: Queries, email: string) =>
  directory.maybeOne(PersonRow, sql`select ${columns} from people where lower(email) = lower(${email})`)

export const insertPerson = (tx: Queries, { id, name, email, password, created_at }: PersonRow) =>
  tx.run(sql`
    insert into people (id, name, email, password, created_at, updated_at)
    values (${id}, ${name}, ${email}, ${password}, ${created_at}, ${created_at})`)

/** How somebody signs in, as it was when they showed it. */
export type SignsInBy = Pick<PersonRow, 'id' | 'password' | 'totp_confirmed_at'>

/** The person, if they sign in by the same still, which they do until the transaction ends. */
export const holdPerson = (tx: Queries, { id, password, totp_confirmed_at }: SignsInBy) =>
  tx.maybeOne(
    PersonRow,
    sql`
    select ${columns} from people
    where id = ${id} and password is not distinct from ${password}
      and totp_confirmed_at is not distinct from ${totp_confirmed_at}
    for share`,
  )

/** Nobody else changes how they sign in, and no session of theirs begins, until the transaction ends. */
export const lockPerson = (tx: Queries, id: string) =>
  tx.maybeOne(PersonRow, sql`select ${columns} from people where id = ${id} for no key update`)

export const savePassword = (tx: Queries, id: string, password: string, now: Date) =>
  tx.run(sql`update people set password = ${password}, updated_at = ${now} where id = ${id}`)

/** The same password, hashed anew; a password that is another by now stays. */
export const savePasswordAnew = (directory: Queries, id: string, dated: string, anew: string, now: Date) =>
  directory.run(sql`
    update people set password = ${anew}, updated_at = ${now} where id = ${id} and password = ${dated}`)

const MembershipRow = Type.Object({
  person_id: Type.String(),
  workspace_id: Type.String(),
  member_id: Type.String(),
})

/** Where a person is a member; a hundred at most. */
export const listMemberships = (directory: Queries, personId: string) =>
  directory.many(
    MembershipRow,
    sql`
    select person_id, workspace_id, member_id from memberships where person_id = ${personId}
    order by workspace_id limit 100`,
  )

export const findMembership = (directory: Queries, personId: string, workspaceId: string) =>
  directory.maybeOne(
    MembershipRow,
    sql`
    select person_id, workspace_id, member_id from memberships
    where person_id = ${personId} and workspace_id = ${workspaceId}`,
  )

/** Makes a person one of the workspace's members; nothing happens where they are that already. */
export const insertMembership = (
  tx: Queries & { workspaceId: string },
  personId: string,
  memberId: string,
  now: Date,
) =>
  tx.run(sql`
    insert into memberships (person_id, workspace_id, member_id, created_at)
    values (${personId}, ${tx.workspaceId}, ${memberId}, ${now})
    on conflict (person_id, workspace_id) do nothing`)

const SignsInRow = Type.Object({ member_id: Type.String(), person_id: Type.String() })

/** Which members of a workspace are people who can sign in. */
export const listWhoSignsIn = (directory: Queries, workspaceId: string) =>
  directory.many(
    SignsInRow,
    sql`select member_id, person_id from memberships where workspace_id = ${workspaceId} limit 10000`,
  )

/** Who signs in as this member; undefined for nobody. */
export const findMembershipOf = (tx: Queries & { workspaceId: string }, memberId: string) =>
  tx.maybeOne(
    MembershipRow,
    sql`
    select person_id, workspace_id, member_id from memberships
    where workspace_id = ${tx.workspaceId} and member_id = ${memberId}`,
  )
