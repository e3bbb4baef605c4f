import type { Ctx } from '#kernel/context.ts'
import type { Db } from '#kernel/db/handles.ts'
import { orNotFound } from '#kernel/errors.ts'
import { findComplianceSettings } from '../compliance/public.ts'
import type { Contact } from '../contacts/public.ts'
import { type MemberRow, findFirstOwnerWithPhone, findMember } from '../workspaces/public.ts'
import { changeCall } from './change-call.ts'
import type { IncomingRoute } from './ports.ts'
import { lockCall } from './queries.ts'

/** The member's number. Null if there is no member or number, or the member is deactivated. */
export async function phoneToRing(db: Db, memberId: string | null): Promise<string | null> {
  const member = memberId === null ? undefined : await findMember(db, memberId)
  return member?.active === true ? member.phone : null
}

type Owned = Pick<Contact, 'owner_id'> | undefined

async function activeOwner(db: Db, contact: Owned): Promise<MemberRow | undefined> {
  const owner = contact?.owner_id ? await findMember(db, contact.owner_id) : undefined
  return owner?.active === true ? owner : undefined
}

/**
 * The member to ring for an incoming call: the contact's owner, if active and with a phone, or else the first workspace
 * owner with a phone.
 */
export async function findMemberToRing(db: Db, contact: Owned): Promise<MemberRow | undefined> {
  const owner = await activeOwner(db, contact)
  return owner?.phone ? owner : findFirstOwnerWithPhone(db)
}

/**
 * Routes an incoming call. Decides once whether the call is recorded, by the workspace setting, no matter how often the
 * provider asks.
 */
export const routeCall = (ctx: Ctx, id: string): Promise<IncomingRoute> =>
  ctx.transaction(async (tx) => {
    const call = orNotFound(await lockCall(tx, id))
    const recorded = call.recorded ?? (await findComplianceSettings(tx)).record_calls
    await changeCall(tx, call, { recorded })
    return { ring: await phoneToRing(tx, call.member_id), recorded }
  })
