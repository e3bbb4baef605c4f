import type { Tx } from '#kernel/context.ts'
import type { Actor } from '#kernel/events/journal.ts'
import type { MemberRow } from './member.ts'
import { findMember } from './queries.ts'
import type { Role } from './roles.ts'

/** The role in which the actor manages members: a member's own, an owner's for operators. Keys, apps and former members have none. */
export function roleAs({ type }: Actor, member: MemberRow | undefined): Role {
  if (type === 'operator' || type === 'system') return 'owner'
  return type === 'member' && member?.active === true ? member.role : 'agent'
}

/** The same, read within the transaction. */
export const roleOfActor = async (tx: Tx): Promise<Role> =>
  roleAs(tx.actor, tx.actor.id === null ? undefined : await findMember(tx, tx.actor.id))
