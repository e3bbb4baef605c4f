import { type Static, Type } from 'typebox'
import type { DirectoryDb, DirectoryTx } from '#kernel/db/handles.ts'
import { sql } from '#kernel/db/sql.ts'
import { assignments, values } from '#kernel/records/columns.ts'
import { nullable } from '#kernel/schemas.ts'
import type { RemoteCalendar } from '../ports.ts'

const text = nullable(Type.String())

const ConnectionRow = Type.Object({
  workspace_id: Type.String(),
  member_id: Type.String(),
  address: Type.String(),
  username: Type.String(),
  password: Type.Unsafe<Buffer>({}),
  hosts: Type.Array(Type.String()),
  status: Type.Enum(['new_host', 'choosing', 'active', 'resting']),
  new_host: text,
  calendars: Type.Unsafe<readonly RemoteCalendar[]>({}),
  calendar_url: text,
  calendar_name: text,
  error: text,
  created_at: Type.String(),
  updated_at: Type.String(),
})
export type CalendarConnection = Static<typeof ConnectionRow>

const columns = sql`workspace_id, member_id, address, username, password, hosts, status, new_host, calendars, calendar_url,
  calendar_name, error, created_at, updated_at`

export const findCalendarConnection = (directory: DirectoryDb, workspaceId: string, memberId: string) =>
  directory.maybeOne(ConnectionRow)`
    select ${columns} from calendar_connections where workspace_id = ${workspaceId} and member_id = ${memberId}`

export const lockCalendarConnection = (tx: DirectoryTx, workspaceId: string, memberId: string) =>
  tx.maybeOne(ConnectionRow)`
    select ${columns} from calendar_connections where workspace_id = ${workspaceId} and member_id = ${memberId} for update`

/** All connections of a workspace, ordered by member. */
export const listCalendarConnections = (directory: DirectoryDb, workspaceId: string) =>
  directory.many(ConnectionRow)`
    select ${columns} from calendar_connections where workspace_id = ${workspaceId} order by member_id limit 10000`

const MemberRow = Type.Object({ workspace_id: Type.String(), member_id: Type.String() })

/** The subset of these members who have chosen a calendar. */
export const findWithCalendar = async (
  directory: DirectoryDb,
  workspaceId: string,
  memberIds: readonly string[],
): Promise<string[]> => {
  const rows = await directory.many(MemberRow)`
    select workspace_id, member_id from calendar_connections
    where workspace_id = ${workspaceId} and member_id = any (${memberIds}::text[]) and calendar_url is not null`
  return rows.map(({ member_id }) => member_id)
}

const stored = ({ calendars, ...row }: Partial<CalendarConnection>) => ({
  ...row,
  ...(calendars === undefined ? {} : { calendars: JSON.stringify(calendars) }),
})

export const replaceCalendarConnection = (tx: DirectoryTx, row: CalendarConnection): void => {
  deleteCalendarConnection(tx, row.workspace_id, row.member_id)
  tx.write`insert into calendar_connections ${values(stored(row))}`
}

/** Writes the changed columns. The caller must hold the row lock. */
export const saveCalendarConnection = (
  tx: DirectoryTx,
  { workspace_id, member_id }: Pick<CalendarConnection, 'workspace_id' | 'member_id'>,
  changed: Partial<CalendarConnection>,
): void =>
  tx.write`
    update calendar_connections set ${assignments(stored(changed))}
    where workspace_id = ${workspace_id} and member_id = ${member_id}`

export const deleteCalendarConnection = (tx: DirectoryTx, workspaceId: string, memberId: string): void =>
  tx.write`
    delete from calendar_connections where workspace_id = ${workspaceId} and member_id = ${memberId}`

const SealedRow = Type.Object({ ...MemberRow.properties, password: Type.Unsafe<Buffer>({}) })

/** Locks up to 1,000 connections whose password was not sealed with the newest application secret. */
export const lockPasswordsSealedOtherwise = (tx: DirectoryTx, mark: Buffer) =>
  tx.many(SealedRow)`
    select workspace_id, member_id, password from calendar_connections
    where substring(password for ${mark.length}::integer) <> ${mark} limit 1000 for update skip locked`
