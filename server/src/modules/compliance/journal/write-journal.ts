import { pollLoop } from '#kernel/background/poll-loop.ts'
import { later } from '#kernel/clock.ts'
import { type Ctx, type Runtime, createContext } from '#kernel/context.ts'
import { newId } from '#kernel/ids.ts'
import { everyWorkspace } from '../../workspaces/public.ts'
import { chainEntries } from '../ledger/chain-entries.ts'
import { listEntriesById, listLinks } from '../ledger/ledger-queries.ts'
import type { StopJournal } from '../ports.ts'
import { findSealedKey } from '../suppression-queries.ts'
import { type JournalLine, readLine } from './journal-line.ts'
import { listErasures } from './queries.ts'

const everyMs = 30_000
const perPage = 1000

/** Longer than any transaction: an event may become visible this long after its id was made. */
const overlapMs = 600_000

/** What the journal has of a workspace. */
interface Known {
  /** The sealed key of the hashes, as the last line has it. A rotation of the application secret seals it again. */
  key: string | undefined
  /** The last entry of the chain. */
  last: { sequence: number; entryId: string } | undefined
  erased: Set<string>
}

/**
 * Writes opt-outs, suppressions, revocations, lifts and erasures of all workspaces to the journal, within a minute, until
 * disposed. Starts where the journal ends, and from the beginning if the database is another one.
 */
export async function writeStopJournal(runtime: Runtime, journal: StopJournal): Promise<AsyncDisposable> {
  const { clock, database } = runtime
  const actor = { type: 'system', id: null, name: 'stop-journal' }
  let known: Map<string, Known> | undefined
  let first = true
  return pollLoop(
    runtime,
    { complaint: 'the journal of opt-outs was not written', pollMs: everyMs, eagerLooks: 1 },
    async (isStopping) => {
      const at = clock.now()
      known ??= await readKnown(journal)
      let failed = false
      for await (const { id: workspaceId } of everyWorkspace(database.directory)) {
        if (isStopping()) return { found: false }
        const mine = known.get(workspaceId) ?? { key: undefined, last: undefined, erased: new Set<string>() }
        known.set(workspaceId, mine)
        const ctx = createContext(runtime, { workspaceId, actor, scopes: new Set() })
        await appendNews(ctx, journal, mine, first ? '' : newId(later(at, -overlapMs))).catch(
          (error: unknown) => {
            failed = true
            runtime.log.warn({ err: error, workspaceId }, 'opt-outs of a workspace were not journaled')
          },
        )
      }
      if (!failed) {
        first = false
        await journal.saveCovered(at)
      }
      return { found: false, dueAt: later(at, everyMs) }
    },
  )
}

async function readKnown(journal: StopJournal): Promise<Map<string, Known>> {
  const known = new Map<string, Known>()
  for await (const text of journal.own()) {
    const line = readLine(text)
    if (line === undefined) continue
    const one = known.get(line.workspace) ?? { key: undefined, last: undefined, erased: new Set<string>() }
    known.set(line.workspace, one)
    if (line.line === 'key') one.key = line.sealed
    else if (line.line === 'entry') one.last = { sequence: line.sequence, entryId: line.entry.id }
    else one.erased.add(line.event)
  }
  return known
}

async function appendNews(ctx: Ctx, journal: StopJournal, known: Known, erasedAfter: string): Promise<void> {
  const { workspaceId: workspace, db } = ctx
  // Entries have their places in the chain only afterwards, and what is read by place misses none.
  await chainEntries(ctx)
  const append = (lines: readonly JournalLine[]) => journal.append(lines.map((line) => JSON.stringify(line)))
  const sealed = (await findSealedKey(db))?.toString('base64')
  if (sealed !== undefined && sealed !== known.key) {
    await append([{ line: 'key', workspace, sealed }])
    known.key = sealed
  }
  if (known.last !== undefined) {
    const [link] = await listLinks(db, known.last.sequence - 1, 1)
    if (link?.entry_id !== known.last.entryId) known.last = undefined
  }
  for (;;) {
    const links = await listLinks(db, known.last?.sequence ?? 0, perPage)
    const last = links.at(-1)
    if (last === undefined) break
    const entries = new Map(
      (
        await listEntriesById(
          db,
          links.map(({ entry_id }) => entry_id),
        )
      ).map((entry) => [entry.id, entry]),
    )
    await append(
      links.flatMap(({ sequence, entry_id }) => {
        const entry = entries.get(entry_id)
        if (entry === undefined || entry.kind === 'consent_captured' || entry.kind === 'opt_out_confirmed')
          return []
        const { actor: _, record_id: __, artifact_sha256: ___, ...shown } = entry
        return [{ line: 'entry' as const, workspace, sequence, entry: shown }]
      }),
    )
    known.last = { sequence: last.sequence, entryId: last.entry_id }
  }
  for (let after = erasedAfter; ;) {
    const erasures = await listErasures(db, after, perPage)
    const news = erasures.filter(({ id }) => !known.erased.has(id))
    if (news.length > 0)
      await append(
        news.map(({ id, contact_id, at }) => ({
          line: 'erasure',
          workspace,
          contact: contact_id,
          event: id,
          at,
        })),
      )
    for (const { id } of news) known.erased.add(id)
    const last = erasures.at(-1)
    if (last === undefined || erasures.length < perPage) return
    after = last.id
  }
}
