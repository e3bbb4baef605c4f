import type { Ctx, Tx } from '#kernel/context.ts'
import { ReferenceNotFound, ValidationFailed } from '#kernel/errors.ts'
import { reaches, requireReach } from '#kernel/reach.ts'
import type { NamedContacts } from '../contacts/public.ts'
import { findLead } from '../leads/public.ts'
import { findListing } from '../listings/public.ts'
import { findUnknownIds } from '../workspaces/public.ts'
import type { DealRow, Participant } from './deal.ts'

/** The references in a request body. */
interface Named {
  contact_id?: string | null
  contact_ids?: string[]
  participants?: Participant[]
  owner_id?: string | null
  lead_id?: string | null
  listing_id?: string | null
}

/** The contacts in a request body, each with its path. */
export const contactsIn = ({ contact_id, contact_ids = [], participants = [] }: Named): NamedContacts => [
  ...(typeof contact_id === 'string' ? [['contact_id', contact_id] as const] : []),
  ...contact_ids.map((id, i) => [`contact_ids.${i}`, id] as const),
  ...participants.flatMap(({ contact_id: id }, i) =>
    id === undefined ? [] : [[`participants.${i}.contact_id`, id] as const],
  ),
]

/** `contact_ids` of a body, which may use `contact_id` as shorthand. Undefined if it has neither. */
export function partiesIn({ contact_id, contact_ids }: Named): string[] | undefined {
  if (contact_id === undefined) return contact_ids
  if (contact_ids !== undefined && (contact_ids[0] ?? null) !== contact_id)
    throw ValidationFailed([{ path: 'contact_id', message: 'is not the first of contact_ids' }])
  if (contact_ids !== undefined) return contact_ids
  return contact_id === null ? [] : [contact_id]
}

/**
 * Throws 404 if the owner, the lead, the listing, or a member among the participants is unknown or out of reach.
 * References that the deal already has pass, except the owner.
 */
export async function requireNamed(
  ctx: Ctx,
  tx: Tx,
  { owner_id, lead_id, listing_id, participants = [] }: Named,
  before?: Pick<DealRow, 'lead_id' | 'listing_id' | 'participants'>,
): Promise<void> {
  if (typeof owner_id === 'string') requireReach(ctx.reach, owner_id, 'owner_id')
  if (
    typeof lead_id === 'string' &&
    lead_id !== before?.lead_id &&
    (await findLead(tx, lead_id)) === undefined
  )
    throw ReferenceNotFound('lead_id')
  if (
    typeof listing_id === 'string' &&
    listing_id !== before?.listing_id &&
    (await findListing(tx, listing_id)) === undefined
  )
    throw ReferenceNotFound('listing_id')
  const already = new Set(before?.participants.map(({ member_id }) => member_id))
  const added = participants.flatMap(({ member_id }, i) =>
    member_id === undefined || already.has(member_id)
      ? []
      : [{ path: `participants.${i}.member_id`, member_id }],
  )
  if (added.length === 0) return
  const isUnknown = await findUnknownIds(tx, { member: added.map(({ member_id }) => member_id) })
  const paths = added
    .filter(({ member_id }) => isUnknown('member', member_id) || !reaches(ctx.reach, member_id))
    .map(({ path }) => path)
  if (paths.length > 0) throw ReferenceNotFound(...paths)
}
