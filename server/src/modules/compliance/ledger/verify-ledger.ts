import type { Ctx } from '#kernel/context.ts'
import { canonicalEntry, genesis, hashOf } from './ledger-entry.ts'
import {
  type Link,
  findHead,
  listEntriesById,
  listEntryIds,
  listLinks,
  listLinksOf,
  listUnchained,
  listUnchainedOf,
} from './ledger-queries.ts'

/** A head that was kept elsewhere: the entry at this sequence number had this hash. */
export interface KnownHead {
  sequence: number
  hash: string
}

export interface LedgerBreak {
  /** The place in the chain; null for an entry outside the chain. */
  sequence: number | null
  entry_id: string | null
  problem: 'changed' | 'missing' | 'reordered' | 'truncated' | 'replaced' | 'unchained'
  message: string
}

export interface LedgerReport {
  /** Entries in the chain before the first break. */
  entries: number
  /** Entries that are not chained yet. */
  waiting: number
  head: KnownHead | null
  broken: LedgerBreak | null
}

const pageSize = 1000

/**
 * Verifies a workspace's chain from its first entry, then checks for entries outside the chain, and reports the first break. Memory use
 * is bounded. The chain alone cannot prove two things: that its end was not cut off together with the entries, and that it was not
 * recomputed. `known`, a head that was kept elsewhere, detects both.
 */
export async function verifyLedger(
  { db, workspaceId }: Pick<Ctx, 'db' | 'workspaceId'>,
  { known, onProgress }: { known?: KnownHead; onProgress?: (done: number, total: number) => void } = {},
): Promise<LedgerReport> {
  const total = (await findHead(db))?.sequence ?? 0
  let head: KnownHead | null = null
  const report = async (broken: LedgerBreak | null): Promise<LedgerReport> => ({
    entries: head?.sequence ?? 0,
    waiting: await countUnchained(db),
    head,
    broken,
  })
  for (;;) {
    const links = await listLinks(db, head?.sequence ?? 0, pageSize)
    if (links.length === 0) break
    const entries = await listEntriesById(
      db,
      links.map(({ entry_id }) => entry_id),
    )
    const entryOf = new Map(entries.map((entry) => [entry.id, entry]))
    for (const link of links) {
      const broken = breakAt(link, head, known)
      if (broken !== undefined) return report(broken)
      const entry = entryOf.get(link.entry_id)
      if (entry === undefined)
        return report(brokenAt(link, 'missing', `the entry ${link.entry_id} is missing`))
      if (hashOf(link.previous, canonicalEntry(workspaceId, link.sequence, entry)) !== link.hash)
        return report(brokenAt(link, 'changed', `the entry ${link.entry_id} or its hash was changed`))
      head = { sequence: link.sequence, hash: link.hash }
    }
    onProgress?.(head?.sequence ?? 0, total)
  }
  if (known !== undefined && (head === null || head.sequence < known.sequence)) {
    const sequence = (head?.sequence ?? 0) + 1
    return report({
      sequence,
      entry_id: null,
      problem: 'truncated',
      message: `the chain ends before entry ${known.sequence}, which it once had`,
    })
  }
  return report(await outsideOfChain(db))
}

/** Checks a link against the head so far; undefined if it is intact. */
function breakAt(link: Link, head: KnownHead | null, known?: KnownHead): LedgerBreak | undefined {
  const expected = (head?.sequence ?? 0) + 1
  if (link.sequence !== expected)
    return {
      sequence: expected,
      entry_id: null,
      problem: 'missing',
      message: `number ${expected} of the chain is missing`,
    }
  if (link.previous !== (head?.hash ?? genesis))
    return brokenAt(link, 'reordered', `the entry ${link.entry_id} does not follow the one before it`)
  if (known?.sequence === link.sequence && known.hash !== link.hash)
    return brokenAt(
      link,
      'replaced',
      `the entry ${link.entry_id} has another hash than the one that was kept`,
    )
  return undefined
}

const brokenAt = (
  { sequence, entry_id }: Link,
  problem: LedgerBreak['problem'],
  message: string,
): LedgerBreak => ({ sequence, entry_id, problem, message })

const unchained = (entry_id: string, problem: 'missing' | 'unchained', message: string): LedgerBreak => ({
  sequence: null,
  entry_id,
  problem,
  message,
})

/** Finds an entry that is neither chained nor queued, or a queued entry that no longer exists. */
async function outsideOfChain(db: Ctx['db']): Promise<LedgerBreak | null> {
  for (let after = ''; ;) {
    const ids = await listEntryIds(db, after, pageSize)
    const last = ids.at(-1)
    if (last === undefined) break
    after = last
    const linked = new Set((await listLinksOf(db, ids)).map(({ entry_id }) => entry_id))
    const open = ids.filter((id) => !linked.has(id))
    if (open.length === 0) continue
    const waiting = new Set(await listUnchainedOf(db, open))
    const lost = open.filter((id) => !waiting.has(id))
    // Some may have been chained between the two queries.
    const since = new Set((await listLinksOf(db, lost)).map(({ entry_id }) => entry_id))
    const first = lost.find((id) => !since.has(id))
    if (first !== undefined)
      return unchained(first, 'unchained', `the entry ${first} is in no chain: its number is gone`)
  }
  for (let after = ''; ;) {
    const ids = await listUnchained(db, after, pageSize)
    const last = ids.at(-1)
    if (last === undefined) return null
    after = last
    const present = new Set((await listEntriesById(db, ids)).map(({ id }) => id))
    const gone = ids.find((id) => !present.has(id))
    if (gone !== undefined)
      return unchained(gone, 'missing', `the entry ${gone}, which waits to be chained, is missing`)
  }
}

async function countUnchained(db: Ctx['db']): Promise<number> {
  let count = 0
  for (let after = ''; ;) {
    const ids = await listUnchained(db, after, pageSize)
    count += ids.length
    const last = ids.at(-1)
    if (last === undefined || ids.length < pageSize) return count
    after = last
  }
}
