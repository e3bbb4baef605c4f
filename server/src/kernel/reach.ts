import type { Reach } from './db/handles.ts'
import { type Sql, empty, join, sql } from './db/sql.ts'
import { ReferenceNotFound } from './errors.ts'

/** Whether a member's records are in reach. Records without a member are in reach only of `all`. */
export const reaches = (reach: Reach, memberId: string | null): boolean =>
  reach === 'all' || (memberId !== null && reach.includes(memberId))

const createdBy = 'created_by:'

/** The reach of a key that sees only what it created. No member is in it. */
export const reachOfCreator = (keyId: string): Reach => [`${createdBy}${keyId}`]

/** The key that sees only what it created, if that is the reach. */
export const creatorIn = (reach: Reach): string | undefined =>
  reach === 'all' || reach[0]?.startsWith(createdBy) !== true ? undefined : reach[0].slice(createdBy.length)

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

/** ` and created_by = …`: as `within`, for records that say which key created them. */
export const withinCreated = (db: { reach: Reach }, creator: Sql, otherwise: Sql): Sql => {
  const key = creatorIn(db.reach)
  return key === undefined ? otherwise : sql` and ${creator} = ${key}`
}
