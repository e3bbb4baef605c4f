import { operator } from '#kernel/cli/cli.ts'
import { type Ctx, type Runtime, createContext } from '#kernel/context.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import { allScopes } from '../modules/access/public.ts'
import { deleteAwaited } from '../modules/ai/public.ts'
import { listRunningBackfills, updateBackfill } from '../modules/backfills/public.ts'
import { dropInvitations } from '../modules/calendar/public.ts'
import { cancelCall, listWaitingCalls } from '../modules/calls/public.ts'
import { listUnderWay, pauseCampaign, unscheduleCampaign } from '../modules/campaigns/public.ts'
import { listUnsentDocuments, voidDocument } from '../modules/documents/public.ts'
import { changeEnrollment, emptyInbox, listUnderWayBefore } from '../modules/enrollments/public.ts'
import type { ModuleDependencies } from '../modules/index.ts'
import type { RestoreHold } from '../modules/installation/public.ts'
import { countMailsBefore, giveUpMailsBefore } from '../modules/mail/public.ts'
import { dropHeldMessages, reviewHeldMessages, sweepAllConnections } from '../modules/messages/public.ts'
import { listOverdueSearches, skipDigests } from '../modules/saved-searches/public.ts'
import { everyWorkspace } from '../modules/workspaces/public.ts'

/** What waits in a held database. */
interface Waiting {
  /** Messages that the provider turned out to have. */
  sent: number
  messages: number
  calls: number
  enrollments: number
  campaigns: number
  backfills: number
  digests: number
  documents: number
  /** System emails, such as those to members. */
  emails: number
}

const contextIn = (runtime: Runtime, workspaceId: string): Ctx =>
  createContext(runtime, { workspaceId, actor: operator, scopes: new Set(allScopes) })

/**
 * Counts what waits since before the hold, once all that the providers have received is recorded and what they turn out to have
 * sent is sent. `requiresAll`: throws `OperatorError` unless every provider could be asked.
 */
export async function reviewHeldWork(
  runtime: Runtime,
  carriers: ModuleDependencies['carriers'],
  { since }: Pick<RestoreHold, 'since'>,
  { requiresAll }: { requiresAll: boolean },
): Promise<Waiting> {
  const failed = await sweepAllConnections(runtime, carriers)
  if (failed.length > 0 && requiresAll)
    throw new OperatorError(
      `These connections cannot be read, so no one knows what they have sent and received: ${failed.join(', ')}. Repair them, or cancel what waits with --drop.`,
    )
  const before = new Date(since)
  const all: Waiting = {
    sent: 0,
    messages: 0,
    calls: 0,
    enrollments: 0,
    campaigns: 0,
    backfills: 0,
    digests: 0,
    documents: 0,
    emails: await countMailsBefore(runtime.database.directory, before),
  }
  for await (const { id } of everyWorkspace(runtime.database.directory)) {
    const { sent, waiting, unclear } = await reviewHeldMessages(runtime, carriers, id, before)
    if (unclear > 0 && requiresAll)
      throw new OperatorError(
        `Twilio did not say whether ${unclear} messages of the workspace ${id} have left. Try again later, or cancel what waits with --drop.`,
      )
    const ctx = contextIn(runtime, id)
    const { db } = ctx
    all.sent += sent
    all.messages += waiting
    all.calls += (await listWaitingCalls(db, before)).length
    for await (const ids of underWay(db, before)) all.enrollments += ids.length
    all.campaigns += (await listUnderWay(db)).length
    all.backfills += (await listRunningBackfills(db)).length
    all.digests += (await listOverdueSearches(ctx, before)).length
    all.documents += (await listUnsentDocuments(db, before)).length
  }
  return all
}

const perBatch = 500

async function* underWay(db: Ctx['db'], at: Date): AsyncGenerator<string[]> {
  for (let after = ''; ;) {
    const ids = await listUnderWayBefore(db, at, after, perBatch)
    if (ids.length === 0) return
    yield ids
    after = ids.at(-1) ?? after
  }
}

/** Cancels, skips or pauses what waits since before the hold: nothing of it sends anymore. */
export async function dropHeldWork(runtime: Runtime, { since }: Pick<RestoreHold, 'since'>): Promise<void> {
  const before = new Date(since)
  const { directory } = runtime.database
  await giveUpMailsBefore(directory, before)
  await dropInvitations(directory, before)
  for await (const { id: workspaceId } of everyWorkspace(directory)) {
    const ctx = contextIn(runtime, workspaceId)
    for (const { id, status } of await listUnderWay(ctx.db))
      await (status === 'running' ? pauseCampaign : unscheduleCampaign)(ctx, id)
    for (const id of await listRunningBackfills(ctx.db)) await updateBackfill(ctx, id, { status: 'paused' })
    for await (const ids of underWay(ctx.db, before))
      for (const id of ids) await changeEnrollment(ctx, id, 'cancelled')
    await dropHeldMessages(runtime, workspaceId, before)
    for (const id of await listWaitingCalls(ctx.db, before)) await cancelCall(ctx, id)
    await skipDigests(ctx, before)
    for (const id of await listUnsentDocuments(ctx.db, before))
      await voidDocument(ctx, id, 'The database was restored.')
    await ctx.transaction(async (tx) => {
      await deleteAwaited(tx)
      // Last: what was cancelled before may be a trigger, too.
      emptyInbox(tx)
    })
  }
}
