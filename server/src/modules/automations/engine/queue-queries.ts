import { type Static, Type } from 'typebox'
import type { Db, Queries, WorkspaceTx } from '#kernel/db/handles.ts'
import { values } from '#kernel/records/columns.ts'
import { nullable } from '#kernel/schemas.ts'
import type { OutsideResponse } from '../enrollment.ts'

const InboxRow = Type.Object({
  id: Type.String(),
  contact_id: Type.String(),
  event_id: nullable(Type.String()),
  is_trigger: Type.Boolean(),
  automation_id: nullable(Type.String()),
  enrollment_id: nullable(Type.String()),
  seq: nullable(Type.Integer()),
  response: Type.Unsafe<OutsideResponse | null>({ type: ['object', 'null'] }),
  follows: Type.Array(Type.String()),
  chain: Type.Array(Type.String()),
  attempts: Type.Integer(),
})
export type InboxRow = Static<typeof InboxRow>

interface NewInboxRow {
  id: string
  contact_id: string
  event_id: string | null
  is_trigger: boolean
  automation_id: string | null
  enrollment_id: string | null
  seq: number | null
  response: OutsideResponse | null
  follows: readonly string[]
  chain: readonly string[]
  created_at: string
}

/** Adds a row for the engine, if the transaction commits. */
export const insertInboxRow = (tx: WorkspaceTx, row: NewInboxRow): void =>
  tx.write`insert into automation_inbox ${values({ workspace_id: tx.workspaceId, ...row })}`

/** So much of what has come for a contact is looked at at once. */
export const inboxLimit = 500

/** What has come for a contact, oldest first, as far as it is looked at at once. */
export const listInbox = (db: Db, contactId: string) =>
  db.many(InboxRow)`
    select id, contact_id, event_id, is_trigger, automation_id, enrollment_id, seq, response, follows, chain, attempts
    from automation_inbox
    where workspace_id = ${db.workspaceId} and contact_id = ${contactId} order by id limit ${inboxLimit}`

const EventRow = Type.Object({ event_id: Type.String() })

/** The events of a contact that can start automations, and that the engine has not looked at. */
export const listWaitingTriggers = (db: Db, contactId: string) =>
  db.many(EventRow)`
    select event_id from automation_inbox
    where workspace_id = ${db.workspaceId} and contact_id = ${contactId} and is_trigger`

/** Takes a change of many enrollments, which is over, out of the inbox. */
export const deleteChangeFromInbox = (tx: WorkspaceTx, changeId: string): void =>
  tx.write`delete from automation_inbox where workspace_id = ${tx.workspaceId} and id = ${changeId}`

export const deleteFromInbox = (tx: WorkspaceTx, contactId: string, ids: readonly string[]): void =>
  tx.write`
    delete from automation_inbox
    where workspace_id = ${tx.workspaceId} and contact_id = ${contactId} and id = any (${ids}::text[])`

/** Has what has come for a contact looked at again then. */
export const postponeInbox = (tx: WorkspaceTx, contactId: string, at: Date): void =>
  tx.write`
    update automation_inbox set attempts = attempts + 1, due_at = ${at}
    where workspace_id = ${tx.workspaceId} and contact_id = ${contactId}`

const ContactRow = Type.Object({ contact_id: Type.String() })

/** Contacts for whom something has come that is not put off, the longest waiting first. */
export const listAddressees = (db: Db, at: Date, limit: number) =>
  db.many(ContactRow)`
    select contact_id from (
      select contact_id, id from automation_inbox
      where workspace_id = ${db.workspaceId} and contact_id is not null and (due_at is null or due_at <= ${at})
      order by id limit ${limit}
    ) as first group by contact_id order by min(id)`

const PutOffRow = Type.Object({ due_at: Type.String() })

/** When something that is put off is looked at again. */
export const findNextPutOff = async (db: Db): Promise<string | null> => {
  const row = await db.maybeOne(PutOffRow)`
    select due_at from automation_inbox
    where workspace_id = ${db.workspaceId} and due_at is not null order by due_at limit 1`
  return row?.due_at ?? null
}

const WorkspaceRow = Type.Object({ workspace_id: Type.String() })

/** Workspaces for which something has come that is not put off. Reads one row of each. */
export const listInboxesAcrossWorkspaces = (queue: Queries) =>
  queue.many(WorkspaceRow)`
    with recursive inboxes (workspace_id) as (
      (select workspace_id from automation_inbox where due_at is null order by workspace_id limit 1)
      union all
      select (select i.workspace_id from automation_inbox i
        where i.workspace_id > inboxes.workspace_id and i.due_at is null order by i.workspace_id limit 1)
      from inboxes where inboxes.workspace_id is not null
    ) select workspace_id from inboxes where workspace_id is not null`

/** Workspaces in which something is due, the one that was held longest ago first. */
export const listDueLanesAcrossWorkspaces = (queue: Queries, at: Date, limit: number) =>
  queue.many(WorkspaceRow)`
    select workspace_id from automation_lanes where next_at <= ${at}
    order by held_at nulls first limit ${limit}`

/** Makes the lanes of workspaces that have none. */
export const addLanesAcrossWorkspaces = (queue: Queries, ids: readonly string[], at: Date) =>
  queue.run`
    insert into automation_lanes (workspace_id, next_at, holder_id, held_until, fence)
    select id, null, null, ${at}, 0 from unnest(${ids}::text[]) as id on conflict (workspace_id) do nothing`

const HeldRow = Type.Object({ workspace_id: Type.String(), fence: Type.String() })
export interface Hold {
  workspaceId: string
  fence: string
}

/**
 * Takes lanes that no engine holds, the one that was held longest ago first, so that each has its turn. Should it not let them go,
 * they are due when its hold ends.
 */
export const holdLanesAcrossWorkspaces = async (
  queue: Queries,
  {
    ids,
    holder,
    now,
    until,
    limit,
  }: { ids: readonly string[]; holder: string; now: Date; until: Date; limit: number },
): Promise<Hold[]> => {
  const rows = await queue.many(HeldRow)`
    update automation_lanes
    set holder_id = ${holder}, held_until = ${until}, held_at = ${now}, next_at = ${until}, fence = fence + 1
    where workspace_id in (
      select workspace_id from automation_lanes
      where workspace_id = any (${ids}::text[]) and (holder_id is null or held_until <= ${now})
      order by held_at nulls first limit ${limit} for update skip locked)
    returning workspace_id, fence::text as fence`
  return rows.map(({ workspace_id, fence }) => ({ workspaceId: workspace_id, fence }))
}

const FenceRow = Type.Object({ fence: Type.String() })

/** Whether the lane is still held. If it is, no other engine takes it until the transaction ends. */
export const isHeld = async (tx: WorkspaceTx, { fence }: Hold): Promise<boolean> => {
  const row = await tx.maybeOne(FenceRow)`
    select fence::text as fence from automation_lanes where workspace_id = ${tx.workspaceId} for share`
  return row?.fence === fence
}

/** Lets the lane go, and says when it is to be looked at again. An engine that has lost it changes nothing. */
export const releaseLane = (tx: WorkspaceTx, { fence }: Hold, nextAt: string | null): void =>
  tx.write`
    update automation_lanes set next_at = ${nextAt}, holder_id = null
    where workspace_id = ${tx.workspaceId} and fence = ${fence}::bigint`

/** Lets go all that an engine holds, whether it knows of it or not. */
export const freeLanesAcrossWorkspaces = (queue: Queries, holder: string, now: Date) =>
  queue.run`
    update automation_lanes set next_at = ${now}, holder_id = null where holder_id = ${holder}`
