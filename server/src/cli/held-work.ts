import { operator } from '#kernel/cli/cli.ts'
import { type Ctx, type Runtime, createContext } from '#kernel/context.ts'
import { dropJobs } from '#kernel/jobs/drop-jobs.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import type { Outgoing } from '#kernel/outgoing.ts'
import { allScopes } from '../modules/access/public.ts'
import { type ModuleDependencies, modules } from '../modules/index.ts'
import type { RestoreHold } from '../modules/installation/public.ts'
import { reviewHeldMessages, sweepAllConnections } from '../modules/messages/public.ts'
import { everyWorkspace } from '../modules/workspaces/public.ts'

/** Everything that leaves the server, in the order in which it is dropped. */
export const outgoing: readonly Outgoing[] = modules
  .flatMap((module) => module.outgoing ?? [])
  .toSorted((a, b) => Number(a.isLast ?? false) - Number(b.isLast ?? false))

/** What waits in a held database: for each kind, how many. `sent`: messages that the provider turned out to have. */
type Waiting = { sent: number } & Record<string, number>

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
  const { directory } = runtime.database
  const all: Waiting = { sent: 0, ...Object.fromEntries(outgoing.map(({ name }) => [name, 0])) }
  const add = (name: string, count: number) => (all[name] = (all[name] ?? 0) + count)
  for (const kind of outgoing)
    if (kind.scope === 'directory') add(kind.name, await kind.count(runtime, before))
  for await (const { id } of everyWorkspace(directory)) {
    const { sent, unclear } = await reviewHeldMessages(runtime, carriers, id, before)
    if (unclear > 0 && requiresAll)
      throw new OperatorError(
        `Twilio did not say whether ${unclear} messages of the workspace ${id} have left. Try again later, or cancel what waits with --drop.`,
      )
    add('sent', sent)
    const ctx = contextIn(runtime, id)
    for (const kind of outgoing) if (kind.scope === 'workspace') add(kind.name, await kind.count(ctx, before))
  }
  return all
}

/** Cancels, skips or pauses what waits since before the hold: nothing of it sends anymore, except what its kind keeps. */
export async function dropHeldWork(runtime: Runtime, { since }: Pick<RestoreHold, 'since'>): Promise<void> {
  const before = new Date(since)
  const { directory } = runtime.database
  await dropJobs(
    directory,
    outgoing.flatMap(({ jobs }) => jobs ?? []),
    before,
  )
  for (const kind of outgoing) if (kind.scope === 'directory') await kind.drop?.(runtime, before)
  for await (const { id } of everyWorkspace(directory)) {
    const ctx = contextIn(runtime, id)
    for (const kind of outgoing) if (kind.scope === 'workspace') await kind.drop?.(ctx, before)
  }
}
