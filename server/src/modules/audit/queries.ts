import type { Static } from 'typebox'
import type { Db } from '#kernel/db/handles.ts'
import type { Slice } from '#kernel/db/slice.ts'
import { empty, sql } from '#kernel/db/sql.ts'
import { listAuditEvents } from '#kernel/events/journal.ts'
import { custom, equals, filters } from '#kernel/http/filters.ts'
import { firstIdAt } from '#kernel/ids.ts'
import { text } from '#kernel/records/fields.ts'
import { Timestamp } from '#kernel/schemas.ts'
import { momentOf } from '../events/public.ts'

export const auditFilters = filters({
  type: equals(text(80, 'Return only entries of this type.'), 'name'),
  actor_id: equals(text(40, 'Return only entries of this member, API key, or app.'), "actor ->> 'id'"),
  since: custom({ ...Timestamp, description: 'Return only entries at or after this time.' }),
  before: custom({ ...Timestamp, description: 'Return only entries before this time.' }),
})

export type AuditQuery = Static<typeof auditFilters.query> & {
  /** Only entries about records of these types. */
  subjects?: readonly string[]
}

/** Entries of the audit log, newest first. IDs sort by time, so the times are compared as IDs. */
export const listAuditRows = (db: Db, { since, before, subjects, ...query }: AuditQuery, page: Slice) =>
  listAuditEvents(
    db,
    sql`${auditFilters.where(query)}
      ${subjects === undefined ? empty : sql`and subject_type = any (${subjects}::text[])`}
      ${since === undefined ? empty : sql`and id >= ${firstIdAt(momentOf(since))}`}
      ${before === undefined ? empty : sql`and id < ${firstIdAt(momentOf(before))}`}`,
    page,
  )
