import type { Tx } from '#kernel/context.ts'
import type { Actor } from '#kernel/events/journal.ts'
import type { MemberRow } from './member.ts'
import { findMember } from './queries.ts'
import type { Role } from './roles.ts'

/**
 * The role with which the actor manages members: a member's own, and owner for operators and the system. Keys, apps,
 * and former members count as agents, who manage no one.
 */
export function roleAs({ type }: Actor, member: MemberRow | undefined): Role {
  if (type === 'operator' || type === 'system') return 'owner'
  return type === 'member' && member?.active === true ? member.role : 'agent'
}

/** Like `roleAs`, with the member read in the transaction. */
export const roleOfActor = async (tx: Tx): Promise<Role> =>
  roleAs(tx.actor, tx.actor.id === null ? undefined : await findMember(tx, tx.actor.id))
