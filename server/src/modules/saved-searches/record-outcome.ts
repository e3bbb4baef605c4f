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

/** The digest of a message and its locked search. Undefined for any other message. */
async function digestOf(tx: Tx, { id, channel, source, resend_of }: Sent) {
  const isDigest = channel === 'EMAIL' && (source === 'automation' || resend_of !== undefined)
  const digest = isDigest ? await findDigestOf(tx, resend_of ?? id) : undefined
  const search = digest && (await lockSearch(tx, digest.search_id))
  return digest && search && { digest, search }
}

/**
 * Records that a digest's message was sent, and publishes `saved_search.sent` once. The next digest starts where this
 * one ended.
 */
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

/** Block reasons that pass with time. */
const hours: ReadonlySet<string> = new Set(['quiet_hours', 'restricted_day'])

/**
 * Records that the gates blocked a digest's message, and pauses the search with the reason unless it passes with time.
 * The news stays unsent.
 */
export async function recordBlock(tx: Tx, message: Blocked): Promise<void> {
  const known = await digestOf(tx, message)
  if (known === undefined) return
  markFailed(tx, known.digest.message_id, tx.clock.now())
  if (!message.reasons.every((reason) => hours.has(reason)))
    await pauseSearch(tx, known.search, message.reason)
}

/** Records that a digest's message failed, as far as is known. The next digest repeats its news. */
export async function recordFailure(tx: Tx, message: Sent): Promise<void> {
  const known = await digestOf(tx, message)
  if (known !== undefined) markFailed(tx, known.digest.message_id, tx.clock.now())
}

/** Pauses a search that could not be sent. Leaves an already paused search alone. The caller must hold the row lock. */
export async function pauseSearch(tx: Tx, search: SavedSearch, reason: string): Promise<void> {
  if (search.active) await changeSearch(tx, search, { active: false, paused_reason: reason, next_at: null })
}
