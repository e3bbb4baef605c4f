import type { Ctx } from '#kernel/context.ts'
import type { Db } from '#kernel/db/handles.ts'
import { found } from '#kernel/errors.ts'
import { findComplianceSettings } from '../compliance/public.ts'
import type { Contact } from '../contacts/public.ts'
import { type MemberRow, findFirstOwnerWithPhone, findMember } from '../workspaces/public.ts'
import { changeCall } from './change-call.ts'
import type { IncomingRoute } from './ports.ts'
import { lockCall } from './queries.ts'

/** The number that rings first; null where there is none, the member is deactivated, or the AI talks. */
export async function phoneToRing(db: Db, memberId: string | null): Promise<string | null> {
  const member = memberId === null ? undefined : await findMember(db, memberId)
  return member?.active === true ? member.phone : null
}

type Owned = Pick<Contact, 'owner_id'> | undefined

async function activeOwner(db: Db, contact: Owned): Promise<MemberRow | undefined> {
  const owner = contact?.owner_id ? await findMember(db, contact.owner_id) : undefined
  return owner?.active === true ? owner : undefined
}

/** Whose phone rings for a call that came in: that of the owner of the contact, else of the first owner of the workspace who has one. */
export async function whomToRing(db: Db, contact: Owned): Promise<MemberRow | undefined> {
  const owner = await activeOwner(db, contact)
  return owner?.phone ? owner : findFirstOwnerWithPhone(db)
}

/**
 * How a call that came in goes on. It is announced as recorded where the workspace records calls: that is decided once, however often the
 * provider asks.
 */
export const routeCall = (ctx: Ctx, id: string): Promise<IncomingRoute> =>
  ctx.transaction(async (tx) => {
    const call = found(await lockCall(tx, id))
    const recorded = call.recorded ?? (await findComplianceSettings(tx)).record_calls
    await changeCall(tx, call, { recorded })
    return { ring: await phoneToRing(tx, call.member_id), recorded }
  })
