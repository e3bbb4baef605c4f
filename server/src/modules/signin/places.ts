import { type Ctx, type House, createContext } from '#kernel/context.ts'
import { allScopes } from '../access/public.ts'
import { type MemberRow, type WorkspaceRow, findMember, findWorkspace } from '../workspaces/public.ts'
import { findMembership, listMemberships } from './people-queries.ts'

/** A workspace, and who somebody is there. */
export interface Place {
  workspace: WorkspaceRow
  member: MemberRow
}

/** Where a person is an active member, by name. Asked anew each time: whoever is removed is out on the next request. */
export async function placesOf(house: House, personId: string): Promise<Place[]> {
  const rows = await listMemberships(house.database.directory, personId)
  const places = await Promise.all(rows.map((row) => placeIn(house, row.workspace_id, row.member_id)))
  return places
    .filter((place) => place !== undefined)
    .toSorted((one, other) => one.workspace.name.localeCompare(other.workspace.name, 'en'))
}

/** Who a person is in one workspace; undefined where they are no active member, as where there is none. */
export async function placeOf(
  house: House,
  personId: string,
  workspaceId: string,
): Promise<Place | undefined> {
  const row = await findMembership(house.database.directory, personId, workspaceId)
  return row && (await placeIn(house, row.workspace_id, row.member_id))
}

async function placeIn(
  { database }: House,
  workspaceId: string,
  memberId: string,
): Promise<Place | undefined> {
  const [workspace, member] = await Promise.all([
    findWorkspace(database.directory, workspaceId),
    findMember(database.reads(workspaceId), memberId),
  ])
  return workspace === undefined || member?.active !== true ? undefined : { workspace, member }
}

/** Owners and admins look after a workspace: its members, keys, apps and webhooks, and what apps may. */
export const administers = ({ member: { role } }: Place): boolean => role !== 'agent'

/** For use cases that an owner or admin starts. */
export const contextOf = (house: House, { workspace, member }: Place): Ctx =>
  createContext(house, {
    workspaceId: workspace.id,
    actor: { type: 'member', id: member.id, name: member.name },
    scopes: new Set(administers({ workspace, member }) ? allScopes : []),
  })
