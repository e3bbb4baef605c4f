import { type Static, Type } from 'typebox'
import type { Db, DirectoryDb, DirectoryTx, WorkspaceTx } from '#kernel/db/handles.ts'
import { type Sql, sql } from '#kernel/db/sql.ts'
import type { Page } from '#kernel/http/paging.ts'
import { assignments, values } from '#kernel/records/columns.ts'
import { type MemberRow, memberFilters, memberRecord } from './member.ts'
import { roles } from './roles.ts'
import { type WorkspaceRow, workspaceRecord } from './workspace.ts'

const { Row: Workspace, columns: workspaceColumns } = workspaceRecord

export const insertWorkspace = (directory: DirectoryDb, row: WorkspaceRow) =>
  directory.run`insert into workspaces ${values(row)}`

export const findWorkspace = (directory: DirectoryDb, id: string) =>
  directory.maybeOne(Workspace)`select ${workspaceColumns} from workspaces where id = ${id}`

export const lockWorkspace = (tx: DirectoryTx, id: string) =>
  tx.maybeOne(Workspace)`select ${workspaceColumns} from workspaces where id = ${id} for update`

const ClockRow = Type.Object({ test_mode: Type.Boolean(), ahead_ms: Type.Number() })

/** By how many milliseconds the workspace's time is ahead; null without test mode, undefined if there is no such workspace. */
export const findClockAhead = async (directory: DirectoryDb, id: string) => {
  const row = await directory.maybeOne(ClockRow)`
    select test_mode, clock_ahead_ms::float8 as ahead_ms from workspaces where id = ${id}`
  return row && (row.test_mode ? row.ahead_ms : null)
}

/** The caller must hold `turningLock`. */
export const saveClockAhead = (tx: DirectoryTx, id: string, aheadMs: number): void =>
  tx.write`update workspaces set clock_ahead_ms = ${aheadMs} where id = ${id}`

/** Writes the changed columns. The caller must hold the row lock. */
export const saveWorkspace = (tx: DirectoryTx, id: string, changed: Partial<WorkspaceRow>): void =>
  tx.write`update workspaces set ${assignments(changed)} where id = ${id}`

/** Workspaces with IDs after the given one, oldest first, at most 1,000. */
export const listWorkspaces = (directory: DirectoryDb, after = '') =>
  directory.many(Workspace)`
    select ${workspaceColumns} from workspaces where id > ${after} order by id limit 1000`

/** All workspaces, oldest first, including those created during the iteration. */
export async function* everyWorkspace(directory: DirectoryDb) {
  for (let after = ''; ;) {
    const some = await listWorkspaces(directory, after)
    yield* some
    const last = some.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

/** Workspaces with exactly this name, oldest first. Names are not unique. */
export const findWorkspacesNamed = (directory: DirectoryDb, name: string) =>
  directory.many(Workspace)`
    select ${workspaceColumns} from workspaces where name = ${name} order by id limit 100`

const { Row: Member, columns: memberColumns } = memberRecord

export const insertMember = (tx: Db, row: MemberRow) =>
  tx.run`insert into members ${values({ workspace_id: tx.workspaceId, ...row })}`

/** Members of the workspace. `rest` adds conditions, order, and limit; by default oldest first, at most 10,000. */
export const listMembers = (db: Db, rest: Sql = sql`order by id limit 10000`) =>
  db.many(Member)`
    select ${memberColumns} from members where workspace_id = ${db.workspaceId} ${rest}`

export const listMembersPage = (db: Db, query: Static<typeof memberFilters.query>, page: Page) =>
  listMembers(db, sql`${memberFilters.where(query)} ${page.keyset()}`)

export const findMember = (db: Db, id: string) =>
  db.maybeOne(Member)`
    select ${memberColumns} from members where workspace_id = ${db.workspaceId} and id = ${id}`

const WorkingMemberRow = Type.Object({
  id: Type.String(),
  name: Type.String(),
  role: Type.Enum(roles),
  team_mates: Type.Array(Type.String()),
})
export type WorkingMember = Static<typeof WorkingMemberRow>

/** An active member and, if they are a team lead, the members of their teams. */
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

const nouns = ['member', 'team', 'office'] as const
type Noun = (typeof nouns)[number]
const NamedRow = Type.Object({ noun: Type.Enum(nouns), id: Type.String() })

/**
 * Looks up IDs that a request names, each as the noun that it is named as: the same text may be a team's ID and no
 * office's. Returns whether the workspace has no such member, team, or office.
 */
export const findUnknownIds = async (
  db: Db,
  named: Partial<Record<Noun, readonly string[]>>,
): Promise<(noun: Noun, id: string) => boolean> => {
  const { member = [], team = [], office = [] } = named
  const rows = await db.many(NamedRow)`
    (select 'member' as noun, id from unnest(${member}::text[]) as wanted (id)
     except select 'member', id from members where workspace_id = ${db.workspaceId})
    union all
    (select 'team', id from unnest(${team}::text[]) as wanted (id)
     except select 'team', id from teams where workspace_id = ${db.workspaceId})
    union all
    (select 'office', id from unnest(${office}::text[]) as wanted (id)
     except select 'office', id from offices where workspace_id = ${db.workspaceId})`
  const unknown = new Set(rows.map(({ noun, id }) => `${noun} ${id}`))
  return (noun, id) => unknown.has(`${noun} ${id}`)
}

/** The subset of these IDs that are members, locked until the transaction ends. */
export const lockMembers = (tx: Db, ids: readonly string[]) =>
  tx.many(Member)`
    select ${memberColumns} from members where workspace_id = ${tx.workspaceId} and id = any (${ids}::text[])
    order by id for update`

export const lockMemberByEmail = (tx: Db, email: string) =>
  tx.maybeOne(Member)`
    select ${memberColumns} from members
    where workspace_id = ${tx.workspaceId} and lower(email) = lower(${email}) for update`

/** The active owner who joined the workspace first. */
const findFirstOwner = async (db: Db) =>
  (await listMembers(db, sql`and role = 'owner' and active order by id limit 1`))[0]

/** The member to notify about a contact: its owner if active, or else the first owner of the workspace. */
export async function findResponsible(db: Db, ownerId: string | null): Promise<MemberRow | undefined> {
  const member = ownerId === null ? undefined : await findMember(db, ownerId)
  return member?.active === true ? member : findFirstOwner(db)
}

export const findFirstOwnerWithPhone = async (db: Db) =>
  (await listMembers(db, sql`and role = 'owner' and active and phone is not null order by id limit 1`))[0]

/** Locks the active owners until the transaction ends. */
export const lockOwners = (tx: Db) =>
  tx.many(IdRow)`
    select id from members where workspace_id = ${tx.workspaceId} and role = 'owner' and active
    order by id for update`

/** Writes the changed columns. The caller must hold the row lock. */
export const saveMember = (tx: WorkspaceTx, id: string, changed: Partial<MemberRow>): void =>
  tx.write`update members set ${assignments(changed)} where workspace_id = ${tx.workspaceId} and id = ${id}`
