import type { Tx } from '#kernel/context.ts'
import type { Actor } from '#kernel/events/journal.ts'
import type { MemberRow } from './member.ts'
import { findMember } from './queries.ts'
import type { Role } from './roles.ts'

/** The role in which the actor manages members. Only a member has limits; one removed since they asked has the lowest. */
export function roleAs({ type }: Actor, member: MemberRow | undefined): Role {
  if (type !== 'member') return 'owner'
  return member?.active === true ? member.role : 'agent'
}

/** The same, read within the transaction. */
export const roleOfActor = async (tx: Tx): Promise<Role> =>
  roleAs(tx.actor, tx.actor.id === null ? undefined : await findMember(tx, tx.actor.id))
