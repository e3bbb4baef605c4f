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
  due_at: nullable(Type.String()),
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

/** Adds an inbox row, if the transaction commits. */
export const insertInboxRow = (tx: WorkspaceTx, row: NewInboxRow): void =>
  tx.write`insert into automation_inbox ${values({ workspace_id: tx.workspaceId, ...row })}`

/** How many inbox rows of a contact the engine reads at a time. */
export const inboxLimit = 500

/** A contact's oldest inbox rows, up to `inboxLimit`. */
export const listInbox = (db: Db, contactId: string) =>
  db.many(InboxRow)`
    select id, contact_id, event_id, is_trigger, automation_id, enrollment_id, seq, response, follows, chain, attempts, due_at
    from automation_inbox
    where workspace_id = ${db.workspaceId} and contact_id = ${contactId} order by id limit ${inboxLimit}`

const StartRow = Type.Object({ id: Type.String() })

/** What in a contact's inbox can start enrollments: the IDs of events, and of the rows by which steps enroll the contact. */
export const listStarts = async (db: Db, contactId: string): Promise<string[]> => {
  const rows = await db.many(StartRow)`
    select case when is_trigger then event_id else id end as id from automation_inbox
    where workspace_id = ${db.workspaceId} and contact_id = ${contactId} and (is_trigger or automation_id is not null)`
  return rows.map(({ id }) => id)
}

/** Removes the rows by which steps are about to enroll a contact in an automation. Returns whether there were any. */
export const withdrawEntry = async (
  tx: WorkspaceTx,
  contactId: string,
  automationId: string,
): Promise<boolean> =>
  (await tx.run`
    delete from automation_inbox
    where workspace_id = ${tx.workspaceId} and contact_id = ${contactId} and automation_id = ${automationId}`) >
  0

/** Removes a finished bulk change from the inbox. */
export const deleteChangeFromInbox = (tx: WorkspaceTx, changeId: string): void =>
  tx.write`delete from automation_inbox where workspace_id = ${tx.workspaceId} and id = ${changeId}`

export const deleteFromInbox = (tx: WorkspaceTx, contactId: string, ids: readonly string[]): void =>
  tx.write`
    delete from automation_inbox
    where workspace_id = ${tx.workspaceId} and contact_id = ${contactId} and id = any (${ids}::text[])`

/** Postpones a contact's inbox rows. */
export const postponeInbox = (
  tx: WorkspaceTx,
  contactId: string,
  { at, attempts }: { at: Date; attempts: number },
): void =>
  tx.write`
    update automation_inbox set attempts = ${attempts}, due_at = ${at}
    where workspace_id = ${tx.workspaceId} and contact_id = ${contactId}`

const ContactRow = Type.Object({ contact_id: Type.String() })

/** Contacts with inbox rows that are not postponed, the longest waiting first. */
export const listAddressees = (db: Db, at: Date, limit: number) =>
  db.many(ContactRow)`
    select contact_id from (
      select contact_id, id from automation_inbox
      where workspace_id = ${db.workspaceId} and contact_id is not null and (due_at is null or due_at <= ${at})
      order by id limit ${limit}
    ) as first group by contact_id order by min(id)`

const PutOffRow = Type.Object({ due_at: Type.String() })

/** When the next postponed inbox row is due. */
export const findNextPutOff = async (db: Db): Promise<string | null> => {
  const row = await db.maybeOne(PutOffRow)`
    select due_at from automation_inbox
    where workspace_id = ${db.workspaceId} and due_at is not null order by due_at limit 1`
  return row?.due_at ?? null
}

const WorkspaceRow = Type.Object({ workspace_id: Type.String() })

/** Workspaces with inbox rows that are not postponed. Skips through the index from workspace to workspace, reading one row of each. */
export const listInboxesAcrossWorkspaces = (queue: Queries) =>
  queue.many(WorkspaceRow)`
    with recursive inboxes (workspace_id) as (
      (select workspace_id from automation_inbox where due_at is null order by workspace_id limit 1)
      union all
      select (select i.workspace_id from automation_inbox i
        where i.workspace_id > inboxes.workspace_id and i.due_at is null order by i.workspace_id limit 1)
      from inboxes where inboxes.workspace_id is not null
    ) select workspace_id from inboxes where workspace_id is not null`

/** Workspaces whose lane is due, the least recently leased first. */
export const listDueLanesAcrossWorkspaces = (queue: Queries, at: Date, limit: number) =>
  queue.many(WorkspaceRow)`
    select workspace_id from automation_lanes where next_at <= ${at}
    order by held_at nulls first limit ${limit}`

/** Adds lanes for workspaces that have none. */
export const addLanesAcrossWorkspaces = (queue: Queries, ids: readonly string[], at: Date) =>
  queue.run`
    insert into automation_lanes (workspace_id, next_at, holder_id, held_until, fence)
    select id, null, null, ${at}, 0 from unnest(${ids}::text[]) as id on conflict (workspace_id) do nothing`

const LockedRow = Type.Object({ workspace_id: Type.String(), fence: Type.String() })

/** The lease of a lane. `fence`: the fencing token, which every new lease increases. */
export interface Hold {
  workspaceId: string
  fence: string
}

/**
 * Leases lanes that no engine holds, the least recently leased first, so that each gets its turn. A lane that the engine never releases is
 * due when the lease expires.
 */
export const claimLanesAcrossWorkspaces = async (
  queue: Queries,
  {
    ids,
    holder,
    now,
    until,
    limit,
  }: { ids: readonly string[]; holder: string; now: Date; until: Date; limit: number },
): Promise<Hold[]> => {
  const rows = await queue.many(LockedRow)`
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

/** Whether the engine still holds the lane. If so, no other engine can lease it until the transaction ends. */
export const isHeld = async (tx: WorkspaceTx, { fence }: Hold): Promise<boolean> => {
  const row = await tx.maybeOne(FenceRow)`
    select fence::text as fence from automation_lanes where workspace_id = ${tx.workspaceId} for share`
  return row?.fence === fence
}

/** Releases a lane, and sets when it is due next. An engine that has lost the lane changes nothing. */
export const releaseLane = (tx: WorkspaceTx, { fence }: Hold, nextAt: string | null): void =>
  tx.write`
    update automation_lanes set next_at = ${nextAt}, holder_id = null
    where workspace_id = ${tx.workspaceId} and fence = ${fence}::bigint`

/** Releases every lane that an engine holds, whether the engine knows about it or not. */
export const freeLanesAcrossWorkspaces = (queue: Queries, holder: string, now: Date) =>
  queue.run`
    update automation_lanes set next_at = ${now}, holder_id = null where holder_id = ${holder}`
