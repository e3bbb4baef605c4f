import type { Runtime } from '#kernel/context.ts'
import type { Reach } from '#kernel/db/handles.ts'
import { apiKeyOf, expanded, memberIdentity, reachOfKey } from '../access/public.ts'
import { findWorkingGrant, scopesInForce } from '../oauth/public.ts'
import { findMemberOfSession } from '../people/public.ts'
import type { LinkHolder } from './file-link.ts'

/** What a credential may read now. */
interface Holder {
  scopes: ReadonlySet<string>
  reach: Reach
}

/** What a link's credential may read now. Undefined if it has expired or was revoked, or if its member is inactive. */
export async function findHolderOf(
  runtime: Runtime,
  workspaceId: string,
  { type, id }: LinkHolder,
): Promise<Holder | undefined> {
  const { database, clock } = runtime
  const { directory } = database
  const ofMember = (memberId: string): Promise<Holder | undefined> =>
    memberIdentity(database.reads(workspaceId), memberId)
  if (type === 'member') return ofMember(id)
  if (type === 'session') {
    const member = await findMemberOfSession(directory, workspaceId, id, clock.now())
    return member === undefined ? undefined : ofMember(member)
  }
  if (type === 'oauth_app') {
    const grant = await findWorkingGrant(directory, workspaceId, id)
    return grant && { scopes: expanded(scopesInForce(grant)), reach: 'all' }
  }
  const key = await apiKeyOf(directory, workspaceId, id)
  const now = clock.now().toISOString()
  if (key === undefined || key.revoked_at !== null || (key.expires_at !== null && key.expires_at <= now))
    return undefined
  const scopes = expanded(key.scopes)
  if (key.member_id === null) return { scopes, reach: reachOfKey(key) }
  const member = await ofMember(key.member_id)
  return member && { scopes: new Set(scopes).intersection(member.scopes), reach: member.reach }
}
