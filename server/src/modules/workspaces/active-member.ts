import type { Db } from '#kernel/db/handles.ts'
import type { ReferenceCheck } from '#kernel/steps/step-type.ts'
import { findMember } from './queries.ts'

/** The member, unless they are inactive. */
export async function findActiveMember(db: Db, id: string) {
  const member = await findMember(db, id)
  return member?.active === true ? member : undefined
}

/** For steps that name a member. */
export const activeMember: ReferenceCheck = async ({ db }, id) => {
  const member = await findMember(db, id)
  if (member === undefined) return 'missing'
  return member.active ? undefined : { level: 'error', message: 'is an inactive member' }
}
