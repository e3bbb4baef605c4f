import { type Command, Option } from 'commander'
import type pg from 'pg'
import type { Cli } from '#kernel/cli/cli.ts'
import { operator } from '#kernel/cli/cli.ts'
import { declare } from '#kernel/cli/declare.ts'
import { recordOutput } from '#kernel/cli/output.ts'
import { type Ctx, type Runtime, createContext } from '#kernel/context.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import { stopsIn } from '../app.ts'
import { readConfig } from '../config.ts'
import { allScopes } from '../modules/access/public.ts'
import { deleteAwaited } from '../modules/ai/public.ts'
import { listRunningBackfills, updateBackfill } from '../modules/backfills/public.ts'
import { cancelCall, listWaitingCalls } from '../modules/calls/public.ts'
import { listUnderWay, pauseCampaign, unscheduleCampaign } from '../modules/campaigns/public.ts'
import { applyStopJournal } from '../modules/compliance/public.ts'
import { changeEnrollment, listOverdue } from '../modules/enrollments/public.ts'
import { type RestoreHold, beginHold, endHold, findHold } from '../modules/installation/public.ts'
import { dropHeldMessages, reviewHeldMessages, sweepAllConnections } from '../modules/messages/public.ts'
import { everyWorkspace } from '../modules/workspaces/public.ts'
import { openProvidedForCommand } from './open-runtime.ts'

const description = [
  'A restored database may hold what has left already, so workers let nothing leave until a person decides. `gable restore`',
  'begins that hold; a worker whose last-sent file is newer than the database does, too; after a disk snapshot or a point-in-time',
  'recovery, stop the workers and use --hold. Both --release and --drop first record what the providers have received since, and look',
  'for the waiting messages where a provider can find them, which is Twilio: those that left become sent. --release then lets',
  'everything else go. --drop cancels the waiting messages and calls and the enrollments that are due, ends the wait for AI',
  'responses, and pauses backfills and campaigns.',
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
          await requireNoWorker(runtime)
          await beginHold(directory, { from: null, to: now })
        }
        const hold = await findHold(directory)
        if (hold === undefined) return { value: { held: false }, text: 'Nothing is held.' }
        const acts = release === true || drop === true
        if (acts && confirmGap !== true) throw new OperatorError(gapText(hold))
        // After a disk snapshot, no restore has applied it.
        if (acts) await applyStopJournal(runtime, stopsIn(readConfig().backupDir), operator)
        const waiting = await review(runtime, hold, { requiresAll: release === true })
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

/** A worker reads only at its start whether anything is held. */
async function requireNoWorker({ database }: Runtime): Promise<void> {
  const client = await database.pool.connect()
  try {
    const { rows }: pg.QueryResult = await client.query(
      "select from pg_stat_activity where datname = current_database() and application_name = 'gable gable_sender'",
    )
    if (rows.length > 0) throw new OperatorError('A worker is running. Stop all workers first.')
  } finally {
    client.release()
  }
}

const contextIn = (runtime: Runtime, workspaceId: string): Ctx =>
  createContext(runtime, { workspaceId, actor: operator, scopes: new Set(allScopes) })

async function review(
  runtime: Runtime,
  { since }: RestoreHold,
  { requiresAll }: { requiresAll: boolean },
): Promise<Waiting> {
  await using provided = await openProvidedForCommand(runtime)
  const failed = await sweepAllConnections(runtime, provided.carriers)
  if (failed.length > 0 && requiresAll)
    throw new OperatorError(
      `These connections cannot be read, so no one knows what they have sent and received: ${failed.join(', ')}. Repair them, or cancel what waits with --drop.`,
    )
  const all: Waiting = { sent: 0, messages: 0, calls: 0, enrollments: 0, campaigns: 0, backfills: 0 }
  const before = new Date(since)
  for await (const { id } of everyWorkspace(runtime.database.directory)) {
    const { sent, waiting, unclear } = await reviewHeldMessages(runtime, provided.carriers, id, before)
    if (unclear > 0 && requiresAll)
      throw new OperatorError(
        `Twilio did not say whether ${unclear} messages of the workspace ${id} have left. Try again later, or cancel what waits with --drop.`,
      )
    const { db } = contextIn(runtime, id)
    all.sent += sent
    all.messages += waiting
    all.calls += (await listWaitingCalls(db, before)).length
    for await (const ids of overdue(db, before)) all.enrollments += ids.length
    all.campaigns += (await listUnderWay(db)).length
    all.backfills += (await listRunningBackfills(db)).length
  }
  return all
}

const perBatch = 500

async function* overdue(db: Ctx['db'], at: Date): AsyncGenerator<string[]> {
  for (let after = ''; ;) {
    const ids = await listOverdue(db, at, after, perBatch)
    if (ids.length === 0) return
    yield ids
    after = ids.at(-1) ?? after
  }
}

async function dropAll(runtime: Runtime, { since }: RestoreHold): Promise<void> {
  const before = new Date(since)
  for await (const { id: workspaceId } of everyWorkspace(runtime.database.directory)) {
    const ctx = contextIn(runtime, workspaceId)
    for (const { id, status } of await listUnderWay(ctx.db))
      await (status === 'running' ? pauseCampaign : unscheduleCampaign)(ctx, id)
    for (const id of await listRunningBackfills(ctx.db)) await updateBackfill(ctx, id, { status: 'paused' })
    for await (const ids of overdue(ctx.db, before))
      for (const id of ids) await changeEnrollment(ctx, id, 'cancelled')
    await dropHeldMessages(runtime, workspaceId, before)
    for (const id of await listWaitingCalls(ctx.db, before)) await cancelCall(ctx, id)
    await ctx.transaction((tx) => deleteAwaited(tx))
  }
}
