import type { Identity } from '#kernel/context.ts'
import type { Db, Reach } from '#kernel/db/handles.ts'
import type { Principal } from '#kernel/http/authentication.ts'
import { type WorkingMember, findWorkingMember } from '../workspaces/public.ts'
import { scopesOf } from './role-scopes.ts'

/**
 * Returns an active member's identity, what their role allows, and whose records they see. Undefined if the member is
 * inactive.
 */
export async function memberIdentity(
  db: Db,
  memberId: string,
): Promise<(Identity & Pick<Principal, 'reach'>) | undefined> {
  const member = await findWorkingMember(db, memberId)
  if (member === undefined) return undefined
  return {
    workspaceId: db.workspaceId,
    actor: { type: 'member', id: member.id, name: member.name },
    scopes: scopesOf(member.role),
    reach: reachOf(member),
    memberId,
  }
}

/** An agent sees their own records; a team lead also sees those of all members of their teams. */
function reachOf({ id, role, team_mates }: WorkingMember): Reach {
  if (role === 'developer') return []
  return role === 'agent' ? [...new Set([id, ...team_mates])] : 'all'
}
