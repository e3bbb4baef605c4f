import { type Static, Type } from 'typebox'
import type { Db, DirectoryDb, WorkspaceTx } from '#kernel/db/handles.ts'
import { sql } from '#kernel/db/sql.ts'
import { roles } from './roles.ts'

export const WorkspaceRow = Type.Object({
  id: Type.String(),
  name: Type.String(),
  created_at: Type.String(),
  updated_at: Type.String(),
})
export type WorkspaceRow = Static<typeof WorkspaceRow>

const workspaceColumns = sql`id, name, created_at, updated_at`

export const insertWorkspace = (directory: DirectoryDb, { id, name, created_at, updated_at }: WorkspaceRow) =>
  directory.run`
    insert into workspaces (${workspaceColumns}) values (${id}, ${name}, ${created_at}, ${updated_at})`

export const findWorkspace = (directory: DirectoryDb, id: string) =>
  directory.maybeOne(WorkspaceRow)`select ${workspaceColumns} from workspaces where id = ${id}`

/** All of them, oldest first, from after the given id; a thousand at a time. */
export const listWorkspaces = (directory: DirectoryDb, after = '') =>
  directory.many(WorkspaceRow)`
    select ${workspaceColumns} from workspaces where id > ${after} order by id limit 1000`

/** All workspaces there are, oldest first; those that come meanwhile too. */
export async function* everyWorkspace(directory: DirectoryDb) {
  for (let after = ''; ;) {
    const some = await listWorkspaces(directory, after)
    yield* some
    const last = some.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

/** Those of exactly this name, oldest first; names need not be unique. */
export const findWorkspacesNamed = (directory: DirectoryDb, name: string) =>
  directory.many(WorkspaceRow)`
    select ${workspaceColumns} from workspaces where name = ${name} order by id limit 100`

export const MemberRow = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  role: Type.Enum(roles),
  /** Whether an agent sees what the members of their teams see. */
  team_lead: Type.Boolean(),
  active: Type.Boolean(),
  office_id: Type.Union([Type.String(), Type.Null()]),
  created_at: Type.String(),
  updated_at: Type.String(),
})
export type MemberRow = Static<typeof MemberRow>

const memberColumns = sql`id, name, email, role, team_lead, active, office_id, created_at, updated_at`

export const insertMember = (tx: Db, row: MemberRow) =>
  tx.run`
    insert into members (workspace_id, ${memberColumns})
    values (${tx.workspaceId}, ${row.id}, ${row.name}, ${row.email}, ${row.role}, ${row.team_lead}, ${row.active},
      ${row.office_id}, ${row.created_at}, ${row.updated_at})`

export const listMembers = (db: Db) =>
  db.many(MemberRow)`
    select ${memberColumns} from members where workspace_id = ${db.workspaceId} order by id limit 10000`

export const findMember = (db: Db, id: string) =>
  db.maybeOne(MemberRow)`
    select ${memberColumns} from members where workspace_id = ${db.workspaceId} and id = ${id}`

const WorkingMemberRow = Type.Object({
  id: Type.String(),
  name: Type.String(),
  role: Type.Enum(roles),
  team_mates: Type.Array(Type.String()),
})
export type WorkingMember = Static<typeof WorkingMemberRow>

/** An active member, and if they lead teams, the members of those teams. */
export const findWorkingMember = (db: Db, id: string) =>
  db.maybeOne(WorkingMemberRow)`
    select m.id, m.name, m.role,
      case when m.team_lead then array(
        select mate.member_id::text from team_members mine
        join team_members mate on mate.workspace_id = ${db.workspaceId} and mate.team_id = mine.team_id
        where mine.workspace_id = ${db.workspaceId} and mine.member_id = ${id}
        order by mate.member_id limit 10000
      ) else '{}' end as team_mates
    from members m where m.workspace_id = ${db.workspaceId} and m.id = ${id} and m.active`

const IdRow = Type.Object({ id: Type.String() })

/** Those of the ids that are no members, teams or offices of the workspace. */
export const findUnknownIds = async (
  db: Db,
  { members, teams, offices }: Record<'members' | 'teams' | 'offices', readonly string[]>,
): Promise<ReadonlySet<string>> => {
  const rows = await db.many(IdRow)`
    (select id from unnest(${members}::text[]) as wanted (id)
     except select id from members where workspace_id = ${db.workspaceId})
    union all
    (select id from unnest(${teams}::text[]) as wanted (id)
     except select id from teams where workspace_id = ${db.workspaceId})
    union all
    (select id from unnest(${offices}::text[]) as wanted (id)
     except select id from offices where workspace_id = ${db.workspaceId})`
  return new Set(rows.map(({ id }) => id))
}

/** Those of the ids that are members, who stay as they are until the transaction ends. */
export const lockMembers = (tx: Db, ids: readonly string[]) =>
  tx.many(MemberRow)`
    select ${memberColumns} from members where workspace_id = ${tx.workspaceId} and id = any (${ids}::text[])
    order by id for update`

export const lockMemberByEmail = (tx: Db, email: string) =>
  tx.maybeOne(MemberRow)`
    select ${memberColumns} from members
    where workspace_id = ${tx.workspaceId} and lower(email) = lower(${email}) for update`

/** The active owners, who stay that until the transaction ends. */
export const lockOwners = (tx: Db) =>
  tx.many(IdRow)`
    select id from members where workspace_id = ${tx.workspaceId} and role = 'owner' and active
    order by id for update`

export const saveMember = (tx: WorkspaceTx, { id, role, team_lead, active, updated_at }: MemberRow) =>
  tx.write`
    update members set role = ${role}, team_lead = ${team_lead}, active = ${active}, updated_at = ${updated_at}
    where workspace_id = ${tx.workspaceId} and id = ${id}`

export const OfficeRow = Type.Object({
  id: Type.String(),
  name: Type.String(),
  created_at: Type.String(),
  updated_at: Type.String(),
})
export type OfficeRow = Static<typeof OfficeRow>

export const listOffices = (db: Db) =>
  db.many(OfficeRow)`
    select id, name, created_at, updated_at from offices where workspace_id = ${db.workspaceId} order by id limit 10000`

export const TeamRow = Type.Object({
  id: Type.String(),
  name: Type.String(),
  office_id: Type.Union([Type.String(), Type.Null()]),
  member_ids: Type.Array(Type.String()),
  created_at: Type.String(),
  updated_at: Type.String(),
})
export type TeamRow = Static<typeof TeamRow>

export const listTeams = (db: Db) =>
  db.many(TeamRow)`
    select id, name, office_id, created_at, updated_at,
      array(
        select m.member_id::text from team_members m
        where m.workspace_id = ${db.workspaceId} and m.team_id = teams.id order by m.member_id
      ) as member_ids
    from teams where workspace_id = ${db.workspaceId} order by id limit 10000`

export const insertOffice = (tx: Db, id: string, name: string, at: Date) =>
  tx.run`
    insert into offices (workspace_id, id, name, created_at, updated_at)
    values (${tx.workspaceId}, ${id}, ${name}, ${at}, ${at})`

export const insertTeam = (tx: Db, id: string, name: string, officeId: string | null, at: Date) =>
  tx.run`
    insert into teams (workspace_id, id, name, office_id, created_at, updated_at)
    values (${tx.workspaceId}, ${id}, ${name}, ${officeId}, ${at}, ${at})`

export const insertTeamMember = (tx: Db, teamId: string, memberId: string) =>
  tx.run`
    insert into team_members (workspace_id, team_id, member_id) values (${tx.workspaceId}, ${teamId}, ${memberId})
    on conflict do nothing`
