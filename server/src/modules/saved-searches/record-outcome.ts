import type { Static } from 'typebox'
import type { Tx } from '#kernel/context.ts'
import type { MessageBlocked, MessageSent } from '../messages/public.ts'
import { findDigestOf, markFailed, markSent } from './digest-queries.ts'
import { SavedSearchSent } from './events.ts'
import { lockSearch } from './queries.ts'
import type { SavedSearch } from './saved-search.ts'
import { changeSearch } from './update-search.ts'

type Sent = Static<(typeof MessageSent)['data']>
type Blocked = Static<(typeof MessageBlocked)['data']>

/** A digest and its search, locked. Undefined for any other message. */
async function digestOf(tx: Tx, { id, channel, source, resend_of }: Sent) {
  const isDigest = channel === 'EMAIL' && (source === 'automation' || resend_of !== undefined)
  const digest = isDigest ? await findDigestOf(tx, resend_of ?? id) : undefined
  const search = digest && (await lockSearch(tx, digest.search_id))
  return digest && search && { digest, search }
}

/** The message of a digest was sent: publishes `saved_search.sent`, once. From now on, the next digest has what is news since. */
export async function recordSent(tx: Tx, message: Sent): Promise<void> {
  const known = await digestOf(tx, message)
  if (known === undefined) return
  const { digest, search } = known
  const now = tx.clock.now()
  if (!(await markSent(tx, digest.message_id, now))) return
  const { until, listing_count } = digest
  await changeSearch(tx, search, {
    last_sent_at: now.toISOString(),
    unsent_since: until > search.unsent_since ? until : search.unsent_since,
  })
  await tx.emit(SavedSearchSent, { ...search, message_id: message.id, listing_count })
}

/** Reasons that pass by waiting. */
const hours: ReadonlySet<string> = new Set(['quiet_hours', 'restricted_day'])

/** The gates forbade the message of a digest: pauses the search with the reason. What it had stays unsent. */
export async function recordBlock(tx: Tx, message: Blocked): Promise<void> {
  const known = await digestOf(tx, message)
  if (known === undefined) return
  markFailed(tx, known.digest.message_id, tx.clock.now())
  if (!message.reasons.every((reason) => hours.has(reason)))
    await pauseSearch(tx, known.search, message.reason)
}

/** The message of a digest ended without being sent, as far as is known: the next digest has what it had. */
export async function recordFailure(tx: Tx, message: Sent): Promise<void> {
  const known = await digestOf(tx, message)
  if (known !== undefined) markFailed(tx, known.digest.message_id, tx.clock.now())
}

/** Pauses a search that could not be sent; one that a person has paused stays as it is. The caller holds its lock. */
export async function pauseSearch(tx: Tx, search: SavedSearch, reason: string): Promise<void> {
  if (search.active) await changeSearch(tx, search, { active: false, paused_reason: reason, next_at: null })
}
