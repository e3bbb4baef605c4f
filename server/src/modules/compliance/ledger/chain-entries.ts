import { listenTo } from '#kernel/background/listening.ts'
import { pollLoop } from '#kernel/background/poll-loop.ts'
import { type Ctx, type Runtime, createContext } from '#kernel/context.ts'
import { lockIfFree } from '#kernel/db/lock.ts'
import { canonicalEntry, genesis, hashOf } from './ledger-entry.ts'
import {
  type Link,
  deleteUnchained,
  findHead,
  insertLinks,
  ledgerWorkers,
  listEntriesById,
  listUnchained,
  listUnchainedAcrossWorkspaces,
} from './ledger-queries.ts'

/** Entries per transaction. */
const batchSize = 1000

/**
 * Appends a workspace's queued entries to its hash chain, ordered by id, and returns how many. If several calls run at once, one gets
 * the lock for a batch and the others return. If a queued entry no longer exists, it stays in the queue, so that `verifyLedger` reports it.
 */
export async function chainEntries(ctx: Ctx): Promise<number> {
  let count = 0
  for (let after: string | undefined = ''; after !== undefined;) {
    const batch = await chainBatch(ctx, after)
    count += batch.count
    after = batch.next
  }
  return count
}

const chainBatch = (ctx: Ctx, after: string): Promise<{ count: number; next: string | undefined }> =>
  ctx.transaction(async (tx) => {
    if (!(await lockIfFree(tx, 'consent ledger'))) return { count: 0, next: undefined }
    const ids = await listUnchained(tx, after, batchSize)
    const entries = await listEntriesById(tx, ids)
    const next = ids.length < batchSize ? undefined : ids.at(-1)
    if (entries.length === 0) return { count: 0, next }
    let { sequence, hash: previous } = (await findHead(tx)) ?? { sequence: 0, hash: genesis }
    const links = entries.map((entry): Link => {
      sequence++
      const hash = hashOf(previous, canonicalEntry(tx.workspaceId, sequence, entry))
      const link = { sequence, entry_id: entry.id, previous, hash }
      previous = hash
      return link
    })
    insertLinks(tx, links)
    deleteUnchained(
      tx,
      entries.map(({ id }) => id),
    )
    return { count: entries.length, next }
  })

/** A database role that sees the queues of all workspaces, and nothing else. */
const senderRole = 'gable_sender'

/** Entries that are written within this time are chained together. */
const pauseMs = 2000

/** Chains the entries of all workspaces until disposed. If one workspace's ledger cannot be chained, the others still are. */
export async function chainLedgers(runtime: Runtime): Promise<AsyncDisposable> {
  const listening = listenTo(runtime, ledgerWorkers, { role: senderRole })
  const actor = { type: 'system', id: null, name: 'chain-ledgers' }
  const complaint = 'the consent ledger is not chained'
  const options = { complaint, listening, pollMs: pauseMs, eagerLooks: 1 }
  const chaining = pollLoop(runtime, options, async (isStopping) => {
    let count = 0
    for (const workspaceId of await listUnchainedAcrossWorkspaces(listening.queue)) {
      if (isStopping()) break
      const ctx = createContext(runtime, { workspaceId, actor, scopes: new Set() })
      count += await chainEntries(ctx).catch((error: unknown) => {
        runtime.log.warn({ err: error, workspaceId }, complaint)
        return 0
      })
    }
    return { found: count > 0 }
  })

  return {
    async [Symbol.asyncDispose]() {
      await chaining[Symbol.asyncDispose]()
      await listening[Symbol.asyncDispose]()
    },
  }
}
