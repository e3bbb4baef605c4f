import { later } from '#kernel/clock.ts'
import { type Ctx, type Runtime, type Tx, createContext } from '#kernel/context.ts'
import { lock } from '#kernel/db/lock.ts'
import { hashSecret, isWellFormed, newSecret } from '../../access/public.ts'
import { findMember } from '../../workspaces/public.ts'
import { feedFile } from '../event-file.ts'
import { CalendarFeedCreated, CalendarFeedRemoved } from '../events.ts'
import { deleteFeed, findFeedByHash, insertFeed, listForFeed } from './feed-queries.ts'

const prefix = 'gbl_cf_'
const dayMs = 24 * 3_600_000
const [pastDays, comingDays] = [30, 365]
/** More appointments than anyone hosts in 395 days. */
const maxEvents = 10_000

/** Creates a secret feed URL for a member's calendar and replaces any existing one. Only its hash is stored. */
export const createFeed = (ctx: Ctx, memberId: string): Promise<{ url: string }> =>
  ctx.transaction(async (tx) => {
    lock(tx, `calendar feed ${memberId}`)
    await deleteFeed(tx, ctx.workspaceId, memberId)
    const secret = newSecret(prefix)
    const at = ctx.clock.now()
    insertFeed(tx, { hash: hashSecret(secret), workspaceId: ctx.workspaceId, memberId, at })
    await tx.emit(CalendarFeedCreated, { id: memberId })
    return { url: `${ctx.origin()}/calendar/feeds/${secret}.ics` }
  })

/** Removes the feed URL of a member's calendar, if there is one. */
export const removeFeed = (ctx: Ctx, memberId: string): Promise<void> =>
  ctx.transaction((tx) => endFeed(tx, memberId))

export async function endFeed(tx: Tx, memberId: string): Promise<void> {
  if (await deleteFeed(tx, tx.workspaceId, memberId)) await tx.emit(CalendarFeedRemoved, { id: memberId })
}

/** The calendar file of a feed. Undefined if the URL is unknown or its member is no longer active. */
export async function readFeed(runtime: Runtime, name: string): Promise<string | undefined> {
  const secret = name.replace(/\.ics$/, '')
  if (secret === name || !isWellFormed(prefix, secret)) return undefined
  const feed = await findFeedByHash(runtime.database.directory, hashSecret(secret))
  if (feed === undefined) return undefined
  const actor = { type: 'system', id: null, name: 'calendar feed' }
  const ctx = createContext(runtime, { workspaceId: feed.workspace_id, actor, scopes: new Set() })
  const member = await findMember(ctx.db, feed.member_id)
  if (member?.active !== true) return undefined
  const now = ctx.clock.now()
  const [from, to] = [later(now, -pastDays * dayMs), later(now, comingDays * dayMs)]
  return feedFile(member.name, await listForFeed(ctx.searches(), member.id, from, to, maxEvents))
}
