import type { Ctx, Tx } from '#kernel/context.ts'
import { ReferenceNotFound } from '#kernel/errors.ts'
import { reaches } from '#kernel/reach.ts'
import type { LockedContact } from '../contacts/public.ts'
import { findDeal } from '../deals/public.ts'
import { findListing } from '../listings/public.ts'
import { findWorkingGrant } from '../oauth/public.ts'
import { MemberInactive, findMember, findUnknownIds } from '../workspaces/public.ts'

/** Throws 404 if the member is unknown or out of reach, and 409 `member_inactive` if they are inactive. */
export async function requireActive(tx: Tx, memberId: string, path: string): Promise<void> {
  const member = reaches(tx.reach, memberId) ? await findMember(tx, memberId) : undefined
  if (member === undefined) throw ReferenceNotFound(path)
  if (!member.active) throw MemberInactive(path)
}

/** Throws 404 with the paths of members who are unknown or out of reach. */
export async function requireMembers(tx: Tx, named: readonly (readonly [string, string])[]): Promise<void> {
  if (named.length === 0) return
  const isUnknown = await findUnknownIds(tx, { member: named.map(([, id]) => id) })
  const paths = named
    .filter(([, id]) => isUnknown('member', id) || !reaches(tx.reach, id))
    .map(([path]) => path)
  if (paths.length > 0) throw ReferenceNotFound(...paths)
}

interface Linked {
  deal_id?: string | null
  listing_id?: string | null
}

/**
 * Throws 404 for a deal or listing that is deleted, unknown, or out of reach. References that the record has `already`
 * pass.
 */
export async function requireRecords(
  tx: Tx,
  { deal_id, listing_id }: Linked,
  already: Linked = {},
): Promise<void> {
  const isNew = (id: string | null | undefined, known: string | null | undefined): id is string =>
    typeof id === 'string' && id !== known
  const missing = [
    ...(isNew(deal_id, already.deal_id) && (await findDeal(tx, deal_id)) === undefined ? ['deal_id'] : []),
    ...(isNew(listing_id, already.listing_id) && (await findListing(tx, listing_id)) === undefined
      ? ['listing_id']
      : []),
  ]
  if (missing.length > 0) throw ReferenceNotFound(...missing)
}

/** The `created_by` of a new record. */
export const creator = ({ actor: { type, id } }: Pick<Ctx, 'actor'>) => ({ type, id })

/**
 * The default host or assignee: the acting member, or else the owner of the contact. Null if that member is inactive.
 */
export async function hostOf(ctx: Ctx, tx: Tx, contact: LockedContact | undefined): Promise<string | null> {
  const memberId = ctx.memberId ?? contact?.owner_id ?? null
  const member = memberId === null ? undefined : await findMember(tx, memberId)
  return member?.active === true ? member.id : null
}

/**
 * The member behind the request: the acting member, the member whose API key is used, or the member who approved the
 * app. The appointment also goes into this member's calendar.
 */
export async function creatorMember({
  memberId,
  actor,
  directory,
  workspaceId,
}: Ctx): Promise<string | null> {
  if (memberId !== undefined || actor.type !== 'oauth_app') return memberId ?? null
  const grant = await findWorkingGrant(directory, workspaceId, actor.id ?? '')
  return grant?.member_id ?? null
}
