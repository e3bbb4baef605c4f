import { later } from '#kernel/clock.ts'
import { type Ctx, type Runtime, createContext } from '#kernel/context.ts'
import { scrubReplies } from '#kernel/http/idempotency.ts'
import { firstIdAt } from '#kernel/ids.ts'
import { findComplianceSettings } from '../../compliance/public.ts'
import { listQueued } from '../queue/queries.ts'
import { eraseContent } from './erase-content.ts'
import {
  eraseOldSuggestions,
  findErasedBefore,
  listUnerased,
  lockFreeMessages,
  saveErasedBefore,
} from './queries.ts'

/** Messages per transaction, and transactions per workspace before the next workspace gets its turn. */
const batchSize = 500
const batchesPerRun = 100

/** The maximum number of suggestions to erase per workspace and run. */
const suggestionsPerRun = 10_000

const dayMs = 24 * 3_600_000

/**
 * Erases the content of messages that are older than the workspace's `retention_days`, and AI suggestions of that age.
 * It clears the same fields as the erasure of a contact, here and then at the provider. Ids, times, statuses, and
 * conversations stay, and so does what is queued or in flight. Skips locked messages. Returns how many messages it
 * erased.
 */
export async function eraseOldMessages(runtime: Runtime, workspaceId: string): Promise<number> {
  const actor = { type: 'system', id: null, name: 'message-retention' }
  const ctx = createContext(runtime, { workspaceId, actor, scopes: new Set() })
  const { retention_days } = await findComplianceSettings(ctx.db)
  if (retention_days === null) return 0
  const time = later(ctx.clock.now(), -retention_days * dayMs)
  await ctx.transaction((tx) => eraseOldSuggestions(tx, time, suggestionsPerRun))
  const before = firstIdAt(time.getTime())
  let from = await findErasedBefore(ctx.db)
  let erased = 0
  let isWhole = true
  for (let batches = 0; batches < batchesPerRun && from < before; batches++) {
    const batch = await eraseBatch(ctx, { from, before, advances: isWhole })
    erased += batch.erased
    isWhole &&= batch.isWhole
    from = batch.next
  }
  return erased
}

/**
 * Erases the next batch of messages, beginning with the id `from`. `advances`: whether everything before `from` has
 * been erased. If so, the batch saves where the next run begins: after this batch, or at its first message that could
 * not be erased now.
 */
function eraseBatch(
  ctx: Ctx,
  { from, before, advances }: { from: string; before: string; advances: boolean },
) {
  return ctx.transaction(async (tx) => {
    const found = await listUnerased(tx, from, before, batchSize)
    const queued = new Set(await listQueued(tx, found))
    const idle = found.filter((id) => !queued.has(id))
    // The lock order of a contact's erasure: stored responses first.
    await scrubReplies(tx, idle)
    const free = await lockFreeMessages(tx, idle)
    const at = tx.clock.now().toISOString()
    const erased = await eraseContent(tx, free, at)
    const done = new Set(free)
    const held = found.find((id) => !done.has(id))
    const last = found.at(-1)
    const next = last === undefined || found.length < batchSize ? before : `${last} `
    if (advances) saveErasedBefore(tx, held ?? next)
    return { erased, next, isWhole: held === undefined }
  })
}
