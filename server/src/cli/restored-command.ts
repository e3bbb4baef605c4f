import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import type { Cli } from '#kernel/cli/cli.ts'
import { operator } from '#kernel/cli/cli.ts'
import { declare } from '#kernel/cli/declare.ts'
import { recordOutput } from '#kernel/cli/output.ts'
import { type Ctx, type Runtime, createContext } from '#kernel/context.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import { allScopes } from '../modules/access/public.ts'
import { deleteAwaited } from '../modules/ai/public.ts'
import { listRunningBackfills, updateBackfill } from '../modules/backfills/public.ts'
import { dropInvitations } from '../modules/calendar/public.ts'
import { cancelCall, listWaitingCalls } from '../modules/calls/public.ts'
import { listUnderWay, pauseCampaign, unscheduleCampaign } from '../modules/campaigns/public.ts'
import { applyStopJournal } from '../modules/compliance/public.ts'
import { listUnsentDocuments, voidDocument } from '../modules/documents/public.ts'
import { changeEnrollment, emptyInbox, listUnderWayBefore } from '../modules/enrollments/public.ts'
import type { ModuleDependencies } from '../modules/index.ts'
import { type RestoreHold, beginHold, endHold, findHold, noticedMs } from '../modules/installation/public.ts'
import { countMailsBefore, giveUpMailsBefore } from '../modules/mail/public.ts'
import { dropHeldMessages, reviewHeldMessages, sweepAllConnections } from '../modules/messages/public.ts'
import { listOverdueSearches, skipDigests } from '../modules/saved-searches/public.ts'
import { everyWorkspace } from '../modules/workspaces/public.ts'
import { openProvidedForCommand } from './open-runtime.ts'

const description = [
  'A restored database may hold what has left already, so workers let nothing leave until a person decides. `gable restore`',
  'begins that hold; a worker whose last-sent file is newer than the database does, too; after a disk snapshot or a point-in-time',
  'recovery, use --hold: workers that run stop at once. Both --release and --drop first record what the providers have received since, and look',
  'for the waiting messages where a provider can find them, which is Twilio: those that left become sent. --release then lets',
  'everything else go. --drop cancels the waiting messages, calls, emails to members, and invitations, the enrollments that are due or',
  'wait for a response, and the triggers of automations; ends the wait for AI responses; skips digests; voids documents that were',
  'not sent; and pauses backfills and campaigns.',
].join(' ')

interface Options {
  hold?: true
  release?: true
  drop?: true
  confirmGap?: true
}

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

export function addRestoredCommand(program: Command, cli: Cli): void {
  declare(program, 'restored', {
    summary: 'show, release or drop what waits in a restored database',
    description,
    example: 'restored --drop --confirm-gap',
  })
    .addOption(new Option('--hold', 'begin the hold').conflicts(['release', 'drop']))
    .addOption(new Option('--release', 'let everything that waits go').conflicts('drop'))
    .option('--drop', 'cancel what waits')
    .option(
      '--confirm-gap',
      'opt-outs and erasures of the span that nothing covers have been entered by hand',
    )
    .action(
      cli.run(async ({ runtime }, { hold: holds, release, drop, confirmGap }: Options) => {
        const { directory } = runtime.database
        const now = runtime.clock.now().toISOString()
        if (holds === true) {
          await beginHold(directory, { from: null, to: now })
          // When the command ends, nothing leaves anymore.
          await sleep(noticedMs)
        }
        const hold = await findHold(directory)
        if (hold === undefined) return { value: { held: false }, text: 'Nothing is held.' }
        const acts = release === true || drop === true
        if (acts && confirmGap !== true) throw new OperatorError(gapText(hold))
        // After a disk snapshot, no restore has applied it.
        await using provided = await openProvidedForCommand(runtime)
        if (acts) await applyStopJournal(runtime, provided.stops, operator)
        const waiting = await review(runtime, provided.carriers, hold, { requiresAll: release === true })
        if (drop === true) await dropAll(runtime, hold)
        if (acts) await directory.transaction(async (tx) => endHold(tx))
        const { sent, ...rest } = waiting
        const report = {
          held: !acts,
          since: hold.since,
          uncovered: hold.uncovered,
          left_before: sent,
          ...rest,
        }
        return {
          ...recordOutput({ ...report, uncovered: spanText(hold) }),
          value: report,
          notice: acts ? undefined : 'Nothing leaves. Let it go with --release, or cancel it with --drop.',
        }
      }),
    )
}

const spanText = ({ uncovered: { from, to } }: RestoreHold) =>
  `${from ?? 'the time to which the database was restored'} to ${to}`

const gapText = (hold: RestoreHold) =>
  `Opt-outs, suppressions and erasures from ${spanText(hold)} may be missing. Replies to Twilio and to mailboxes are read again; enter the others, such as clicked unsubscribe links, with "gable suppressions create" and "gable contacts delete", then add --confirm-gap.`

const contextIn = (runtime: Runtime, workspaceId: string): Ctx =>
  createContext(runtime, { workspaceId, actor: operator, scopes: new Set(allScopes) })

async function review(
  runtime: Runtime,
  carriers: ModuleDependencies['carriers'],
  { since }: RestoreHold,
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

async function dropAll(runtime: Runtime, { since }: RestoreHold): Promise<void> {
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
