import { type Runtime, createContext } from '#kernel/context.ts'
import { AppError } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import type { KeyRing } from '#kernel/secrets.ts'
import { eraseContact } from '../../contacts/public.ts'
import { everyWorkspace } from '../../workspaces/public.ts'
import { recordSuppressed } from '../ledger/record-entries.ts'
import type { StopJournal } from '../ports.ts'
import { openKey } from '../suppression-key.ts'
import { type NewSuppression, findSealedKey, insertKey, insertSuppressions } from '../suppression-queries.ts'
import { type JournalLine, readLine } from './journal-line.ts'

type Entry = Extract<JournalLine, { line: 'entry' }>

interface Found {
  /** The key of the hashes, once for each file and each application secret that sealed it. */
  sealed: Buffer[]
  /** By id, because processes write the same ones. */
  entries: Map<string, Entry>
  erased: Set<string>
}

interface AppliedJournal {
  suppressions: number
  erasures: number
  /** Until when the journal has everything; null if there is none. */
  covered_until: string | null
  /** Workspaces whose hashes have another key, so that their opt-outs could not be applied. */
  unreadable: string[]
}

/**
 * Adds the suppressions that the journal has and a restored database lacks, and erases the contacts that were erased. Lifted
 * ones stay as the database has them. Safe to run twice.
 */
export async function applyStopJournal(
  runtime: Runtime,
  journal: StopJournal,
  actor: { type: string; id: null; name: string },
): Promise<AppliedJournal> {
  const found = new Map<string, Found>()
  for await (const text of journal.all()) {
    const line = readLine(text)
    if (line === undefined) continue
    const one = found.get(line.workspace) ?? {
      sealed: [] as Buffer[],
      entries: new Map(),
      erased: new Set<string>(),
    }
    found.set(line.workspace, one)
    if (line.line === 'key') one.sealed.push(Buffer.from(line.sealed, 'base64'))
    else if (line.line === 'entry') one.entries.set(line.entry.id, line)
    else one.erased.add(line.contact)
  }
  const applied: AppliedJournal = {
    suppressions: 0,
    erasures: 0,
    covered_until: (await journal.findCovered())?.toISOString() ?? null,
    unreadable: [],
  }
  for await (const { id: workspaceId } of everyWorkspace(runtime.database.directory)) {
    const one = found.get(workspaceId)
    if (one === undefined) continue
    const ctx = createContext(runtime, { workspaceId, actor, scopes: new Set() })
    const rows = activeIn([...one.entries.values()], ctx.clock.now())
    const added = await ctx.transaction(async (tx) => {
      if (rows.length === 0) return 0
      const opened = (sealed: Buffer | undefined) => sealed && tryToOpen(tx.keys, workspaceId, sealed)
      const readable = one.sealed.find((sealed) => opened(sealed) !== undefined)
      if (readable === undefined) return undefined
      insertKey(tx, readable, tx.clock.now())
      const key = opened(await findSealedKey(tx))
      if (key === undefined || !one.sealed.some((sealed) => opened(sealed) === key)) return undefined
      const changed = await insertSuppressions(tx, rows, tx.actor)
      recordSuppressed(
        tx,
        changed.map((row) => ({ row, source: row.source, contactId: null })),
      )
      return changed.length
    })
    if (added === undefined) applied.unreadable.push(workspaceId)
    applied.suppressions += added ?? 0
    for (const id of one.erased) {
      const isErased = await eraseContact(ctx, id).then(
        () => true,
        (error: unknown) => {
          // The contact is newer than the backup.
          if (error instanceof AppError && error.status === 404) return false
          throw error
        },
      )
      if (isErased) applied.erasures++
    }
  }
  return applied
}

/** The key; undefined if no secret of the key ring opens it. */
function tryToOpen(keys: KeyRing, workspaceId: string, sealed: Buffer): string | undefined {
  try {
    return openKey(keys, workspaceId, sealed)
  } catch {
    return undefined
  }
}

/** The suppressions that the entries leave active, one for each subject and kind, in the order of `insertSuppressions`. */
function activeIn(entries: readonly Entry[], now: Date): NewSuppression[] {
  const active = new Map<string, NewSuppression>()
  for (const { entry } of entries.toSorted((a, b) => (a.entry.id < b.entry.id ? -1 : 1))) {
    const { kind, subject_type, subject, reason, channels, since, source } = entry
    if (subject === null || subject_type === null || reason === null) continue
    const place = `${subject} ${reason}`
    if (kind === 'opt_out_lifted' || kind === 'suppression_lifted') active.delete(place)
    else
      active.set(place, {
        id: active.get(place)?.id ?? newId(now),
        subject_type,
        subject,
        kind: reason as NewSuppression['kind'],
        source: source as NewSuppression['source'],
        channels,
        created_at: since,
      })
  }
  return [...active].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}
