import type { Ctx } from '#kernel/context.ts'
import { findKey, nameOf } from './suppression-key.ts'
import { type SuppressionRow, listHeld } from './suppression-queries.ts'
import type { Subject } from './suppression.ts'

/** What holds against subjects, by their values. One against whom nothing holds is not among them. */
export type Held = ReadonlyMap<string, readonly SuppressionRow[]>

/**
 * What holds against any of these subjects, however many they are: one statement, and a second one the first time that a
 * process asks for a workspace. 503 `suppressions_unreadable` where it cannot be known.
 */
export async function findSuppressions(
  ctx: Pick<Ctx, 'db' | 'keys'>,
  subjects: readonly Subject[],
): Promise<Held> {
  if (subjects.length === 0) return new Map()
  const key = await findKey(ctx)
  if (key === undefined) return new Map()
  const values = new Map(subjects.map((subject) => [nameOf(key, subject), subject.value]))
  const rows = await listHeld(ctx.db, [...values.keys()])
  return Map.groupBy(rows, (row) => values.get(row.subject) ?? '')
}
