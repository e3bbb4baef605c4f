import { type Sql, empty, sql } from './db/sql.ts'
import { ReferenceNotFound } from './errors.ts'

/**
 * Whose records someone may read and write: everyone's, or those of these members. A record out of reach does not exist,
 * exactly like another workspace's.
 */
export type Reach = 'all' | readonly string[]

/** Whether a member's records are in reach. Records of no member are only within `all`. */
export const reaches = (reach: Reach, memberId: string | null): boolean =>
  reach === 'all' || (memberId !== null && reach.includes(memberId))

/** Throws `ReferenceNotFound` for a member out of reach, as for one of another workspace. */
export function requireReach(reach: Reach, memberId: string, path: string): void {
  if (!reaches(reach, memberId)) throw ReferenceNotFound(path)
}

/** ` and owner_id = any (…)`: limits a statement to the records of members in reach; empty where all are. */
export const within = ({ reach }: { reach: Reach }, owner: Sql): Sql =>
  reach === 'all' ? empty : sql` and ${owner} = any (${reach}::text[])`

/** The reach as the setting `gable.reach` has it. */
export const reachSetting = (reach: Reach): string => {
  if (reach === 'all') return 'all'
  return reach.length === 0 ? 'none' : reach.join(',')
}
