import type { Reach } from './db/handles.ts'
import { type Sql, empty, join, sql } from './db/sql.ts'
import { ReferenceNotFound } from './errors.ts'

/** Whether a member's records are in reach. Records without a member are in reach only of `all`. */
export const reaches = (reach: Reach, memberId: string | null): boolean =>
  reach === 'all' || (memberId !== null && reach.includes(memberId))

/** Throws `ReferenceNotFound` for a member out of reach, as for a member of another workspace. */
export function requireReach(reach: Reach, memberId: string, path: string): void {
  if (!reaches(reach, memberId)) throw ReferenceNotFound(path)
}

/**
 * ` and owner_id = any (…)`: limits a statement to records of members in reach, by one of these columns. Empty if the
 * reach is `all`.
 */
export const within = ({ reach }: { reach: Reach }, ...members: Sql[]): Sql =>
  reach === 'all'
    ? empty
    : sql` and (${join(
        members.map((one) => sql`${one} = any (${reach}::text[])`),
        ' or ',
      )})`
