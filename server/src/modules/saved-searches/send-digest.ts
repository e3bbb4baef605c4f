import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import { AppError, orNotFound } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { dayIn } from '#kernel/timezones.ts'
import { type Contact, findContact, lockContact, nameInText } from '../contacts/public.ts'
import { planMessage, sendMessage } from '../messages/public.ts'
import { type WorkspaceRow, findMember, findWorkspace } from '../workspaces/public.ts'
import { type Digest, hasDigest, insertDigest } from './digest-queries.ts'
import { digestText } from './digest-text.ts'
import { isDaytime, nextDigestAt } from './digest-times.ts'
import { DigestNotDue } from './errors.ts'
import { type Found, findNews } from './find-listings.ts'
import { findSearch, lockSearch, postponeSearch, saveSearch } from './queries.ts'
import { pauseSearch } from './record-outcome.ts'
import type { SavedSearch } from './saved-search.ts'

/** Changes this recent wait for the next digest, because a slower transaction with an earlier time may still commit. */
const settlingMs = 10 * 60_000

/**
 * Sends the due digest of a search if there is news. The digest is recorded in the transaction that accepts its
 * message, so there is at most one per day however often this runs. A block by the gates pauses the search; see
 * `recordBlock`.
 */
export async function sendDigest(ctx: Ctx, id: string): Promise<void> {
  const search = await findSearch(ctx.db, id)
  const now = ctx.clock.now()
  if (search === undefined || !isDue(search, now)) return
  const workspace = orNotFound(await findWorkspace(ctx.directory, ctx.workspaceId))
  const { timezone } = workspace
  const day = dayIn(timezone, now)
  if (!isDaytime(timezone, now))
    return postpone(ctx, search, nextDigestAt({ ...search, frequency: 'daily' }, timezone, now))
  const span = { since: search.unsent_since, until: later(now, -settlingMs).toISOString() }
  const news = (await hasDigest(ctx.db, id, day)) ? [] : await findNews(ctx.db, search.criteria, span)
  if (news.length === 0) return postpone(ctx, search, nextDigestAt(search, timezone, now))
  const contact = orNotFound(await findContact(ctx.db, search.contact_id))
  if (contact.email === null) return pauseWithoutEmail(ctx, search)
  const digest = {
    search_id: id,
    local_date: day,
    message_id: newId(now),
    listing_count: news.length,
    until: span.until,
    created_at: now.toISOString(),
  }
  try {
    await send(ctx, { search, workspace, contact, news, digest })
  } catch (error) {
    // A message that the gates block is already recorded. After the other client errors there is nothing to send, or a
    // later run retries.
    if (!(error instanceof AppError) || error.status >= 500) throw error
  }
}

const isDue = ({ next_at }: SavedSearch, now: Date) =>
  next_at !== null && Date.parse(next_at) <= now.getTime()

const postpone = (ctx: Ctx, search: SavedSearch, at: Date): Promise<void> =>
  ctx.transaction(async (tx) => postponeSearch(tx, search, at))

const pauseWithoutEmail = (ctx: Ctx, { id, contact_id }: SavedSearch): Promise<void> =>
  ctx.transaction(async (tx) => {
    if ((await lockContact(tx, contact_id))?.email !== null) return
    const search = await lockSearch(tx, id)
    if (search !== undefined) await pauseSearch(tx, search, 'email_missing')
  })

interface Prepared {
  search: SavedSearch
  workspace: WorkspaceRow
  contact: Contact
  news: readonly Found[]
  digest: Digest
}

async function send(ctx: Ctx, prepared: Prepared): Promise<void> {
  const { search, workspace, contact, news, digest } = prepared
  const agent = contact.owner_id === null ? undefined : await findMember(ctx.db, contact.owner_id)
  const draft = {
    channel: 'email' as const,
    to: contact.email ?? '',
    contact_id: contact.id,
    when_blocked: 'schedule' as const,
    ...digestText(news, {
      name: search.name,
      firstName: nameInText(contact.first_name),
      signature: [...(agent?.active === true ? [agent.name] : []), workspace.name],
    }),
  }
  const own = { id: digest.message_id, messageClass: 'marketing', source: 'automation' } as const
  await sendMessage(ctx, draft, await planMessage(ctx, draft, own), {
    id: null,
    lock: (tx) => claim(tx, prepared),
  })
}

/** Records the digest. Throws `digest_not_due` if there already is one or the search has changed. */
async function claim(tx: Tx, { search: { id, updated_at }, workspace, contact, digest }: Prepared) {
  await lockContact(tx, contact.id)
  const search = await lockSearch(tx, id)
  const now = tx.clock.now()
  if (search === undefined || search.updated_at !== updated_at || !isDue(search, now)) throw DigestNotDue()
  if (!(await insertDigest(tx, digest))) throw DigestNotDue()
  saveSearch(tx, id, { next_at: nextDigestAt(search, workspace.timezone, now).toISOString() })
}
