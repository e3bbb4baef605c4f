import type { Runtime } from '#kernel/context.ts'
import { apiKeyOf, expanded, scopesOf } from '../access/public.ts'
import { findWorkingGrant, scopesInForce } from '../oauth/public.ts'
import { findMemberOfSession } from '../people/public.ts'
import { findWorkingMember } from '../workspaces/public.ts'
import type { LinkHolder } from './file-link.ts'

const none: ReadonlySet<string> = new Set()

/** The current scopes of a credential. None if it has expired or was revoked, or if its member is inactive. */
export async function scopesOfHolder(
  runtime: Runtime,
  workspaceId: string,
  { type, id }: LinkHolder,
): Promise<ReadonlySet<string>> {
  const { directory } = runtime.database
  if (type === 'member') return scopesOfMember(runtime, workspaceId, id)
  if (type === 'session') {
    const member = await findMemberOfSession(directory, workspaceId, id, runtime.clock.now())
    return member === undefined ? none : scopesOfMember(runtime, workspaceId, member)
  }
  if (type === 'oauth_app') {
    const grant = await findWorkingGrant(directory, workspaceId, id)
    return grant === undefined ? none : expanded(scopesInForce(grant))
  }
  const key = await apiKeyOf(directory, workspaceId, id)
  const now = runtime.clock.now().toISOString()
  if (key === undefined || key.revoked_at !== null || (key.expires_at !== null && key.expires_at <= now))
    return none
  const scopes = expanded(key.scopes)
  if (key.member_id === null) return scopes
  return new Set(scopes).intersection(await scopesOfMember(runtime, workspaceId, key.member_id))
}

async function scopesOfMember({ database }: Runtime, workspaceId: string, id: string) {
  const member = await findWorkingMember(database.reads(workspaceId), id)
  return member === undefined ? none : scopesOf(member.role)
}
