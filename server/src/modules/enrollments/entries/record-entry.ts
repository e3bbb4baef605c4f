import type { Tx } from '#kernel/context.ts'
import { newId } from '#kernel/ids.ts'
import type { AutomationEntry } from './entry.ts'
import { insertEntry } from './queries.ts'

/** Records in the entry log what became of an attempt to enroll a contact. */
export const recordEntry = (
  { tx, now }: { tx: Tx; now: Date },
  entry: Omit<AutomationEntry, 'id' | 'created_at'>,
): void => insertEntry(tx, { ...entry, id: newId(now), created_at: now.toISOString() })
