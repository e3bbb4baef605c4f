import { later } from '#kernel/clock.ts'
import { type Ctx, type Runtime, createContext } from '#kernel/context.ts'
import { scopesOf } from '../access/public.ts'
import {
  type MemberRow,
  type WorkspaceRow,
  findMember,
  findWorkspace,
  isAdmin,
} from '../workspaces/public.ts'
import { findMembership, listMemberships } from './queries.ts'

/** A workspace and a person's member in it. */
export interface WorkspaceMembership {
  workspace: WorkspaceRow
  member: MemberRow
  /** The time in the workspace, if it is in test mode and its clock has been turned. */
  turnedTo: string | null
}

/**
 * Returns a person's active memberships, sorted by workspace name. Reads the database each time, so removals take
 * effect at once.
 */
export async function membershipsOf(runtime: Runtime, personId: string): Promise<WorkspaceMembership[]> {
  const rows = await listMemberships(runtime.database.directory, personId)
  const memberships = await Promise.all(
    rows.map((row) => membershipIn(runtime, row.workspace_id, row.member_id)),
  )
  return memberships
    .filter((place) => place !== undefined)
    .toSorted((one, other) => one.workspace.name.localeCompare(other.workspace.name, 'en'))
}

/** Returns the person's membership of one workspace, or undefined unless they are an active member. */
export async function membershipOf(
  runtime: Runtime,
  personId: string,
  workspaceId: string,
): Promise<WorkspaceMembership | undefined> {
  const row = await findMembership(runtime.database.directory, personId, workspaceId)
  return row && (await membershipIn(runtime, row.workspace_id, row.member_id))
}

async function membershipIn(
  { database, clock, testClocks }: Runtime,
  workspaceId: string,
  memberId: string,
): Promise<WorkspaceMembership | undefined> {
  const [workspace, member] = await Promise.all([
    findWorkspace(database.directory, workspaceId),
    findMember(database.reads(workspaceId), memberId),
  ])
  if (workspace === undefined || member?.active !== true) return undefined
  // The member's context then has the workspace's time.
  await testClocks.read(database.directory, workspaceId)
  const aheadMs = testClocks.aheadMs(workspaceId) ?? 0
  return { workspace, member, turnedTo: aheadMs === 0 ? null : later(clock.now(), aheadMs).toISOString() }
}

/**
 * Whether the member may manage the workspace (its members, keys, apps and webhooks) and approve apps. Owners and
 * admins may.
 */
export const administers = ({ member: { role } }: WorkspaceMembership): boolean => isAdmin(role)

/** The context of use cases that the member starts. */
export const contextOf = (runtime: Runtime, { workspace, member }: WorkspaceMembership): Ctx =>
  createContext(runtime, {
    workspaceId: workspace.id,
    actor: { type: 'member', id: member.id, name: member.name },
    scopes: scopesOf(member.role),
  })
