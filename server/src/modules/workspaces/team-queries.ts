import { Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { type Sql, sql } from '#kernel/db/sql.ts'
import { assignments, values } from '#kernel/records/columns.ts'
import { type OfficeRow, officeRecord } from './office.ts'
import { Team, type TeamRow, teamRecord } from './team.ts'

/** Offices of the workspace. `rest` adds conditions, order, and limit; by default oldest first, at most 10,000. */
export const listOffices = (db: Db, rest: Sql = sql`order by id limit 10000`) =>
  db.many(officeRecord.Row)`
    select ${officeRecord.columns} from offices where workspace_id = ${db.workspaceId} ${rest}`

export const findOffice = async (db: Db, id: string) => (await listOffices(db, sql`and id = ${id}`))[0]
export const lockOffice = async (tx: WorkspaceTx, id: string) =>
  (await listOffices(tx, sql`and id = ${id} for update`))[0]

export const insertOffice = (tx: WorkspaceTx, row: OfficeRow): void =>
  tx.write`insert into offices ${values({ workspace_id: tx.workspaceId, ...row })}`

/** Writes the changed columns. The caller must hold the row lock. */
export const saveOffice = (tx: WorkspaceTx, id: string, changed: Partial<OfficeRow>): void =>
  tx.write`update offices set ${assignments(changed)} where workspace_id = ${tx.workspaceId} and id = ${id}`

/** Teams of the workspace. `rest` adds conditions, order, and limit; by default oldest first, at most 10,000. */
export const listTeams = (db: Db, rest: Sql = sql`order by id limit 10000`) =>
  db.many(Team)`
    select ${teamRecord.columns},
      array(
        select m.member_id::text from team_members m
        where m.workspace_id = ${db.workspaceId} and m.team_id = teams.id order by m.member_id
      ) as member_ids
    from teams where workspace_id = ${db.workspaceId} ${rest}`

export const findTeam = async (db: Db, id: string) => (await listTeams(db, sql`and id = ${id}`))[0]
/** Locks the team before reading it, so that its members include every earlier change. */
export function lockTeam(tx: WorkspaceTx, id: string) {
  tx.write`select from teams where workspace_id = ${tx.workspaceId} and id = ${id} for update`
  return findTeam(tx, id)
}

const TeamOfRow = Type.Object({ member_id: Type.String(), team_id: Type.String() })

/** The members with the IDs of their teams, by ID. */
export async function withTeams<R extends { id: string }>(
  db: Db,
  members: readonly R[],
): Promise<(R & { team_ids: string[] })[]> {
  const ids = members.map(({ id }) => id)
  const rows = await db.many(TeamOfRow)`
    select member_id, team_id from team_members
    where workspace_id = ${db.workspaceId} and member_id = any (${ids}::text[]) order by team_id limit 10000`
  const of = Map.groupBy(rows, ({ member_id }) => member_id)
  return members.map((one) => ({ ...one, team_ids: (of.get(one.id) ?? []).map(({ team_id }) => team_id) }))
}

export const insertTeam = (tx: WorkspaceTx, { member_ids: _, ...row }: TeamRow): void =>
  tx.write`insert into teams ${values({ workspace_id: tx.workspaceId, ...row })}`

/** Writes the changed columns. The caller must hold the row lock. */
export const saveTeam = (tx: WorkspaceTx, id: string, changed: Partial<TeamRow>): void =>
  tx.write`update teams set ${assignments(changed)} where workspace_id = ${tx.workspaceId} and id = ${id}`

export const insertTeamMember = (tx: WorkspaceTx, teamId: string, memberId: string): void =>
  tx.write`
    insert into team_members (workspace_id, team_id, member_id) values (${tx.workspaceId}, ${teamId}, ${memberId})`

export const deleteMemberOfTeam = (tx: WorkspaceTx, teamId: string, memberId: string): void =>
  tx.write`
    delete from team_members
    where workspace_id = ${tx.workspaceId} and team_id = ${teamId} and member_id = ${memberId}`
