import { Type } from 'typebox'
import type { Db } from '#kernel/db/handles.ts'

const ErasureRow = Type.Object({ id: Type.String(), contact_id: Type.String(), at: Type.String() })

/** Erasures of contacts, in the order of their events' ids, after an id. */
export const listErasures = (db: Db, after: string, limit: number) =>
  db.many(ErasureRow)`
    select id, subject_id as contact_id, occurred_at as at from events
    where workspace_id = ${db.workspaceId} and audit and name = 'contact.erased' and id > ${after}
    order by id limit ${limit}`
