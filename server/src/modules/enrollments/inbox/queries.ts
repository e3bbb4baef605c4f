import { type Static, Type } from 'typebox'
import { idleWorkers } from '#kernel/background/idle-workers.ts'
import type { Tx } from '#kernel/context.ts'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { sql } from '#kernel/db/sql.ts'
import { newId } from '#kernel/ids.ts'
import { values } from '#kernel/records/columns.ts'
import { nullable } from '#kernel/schemas.ts'
import type { OutsideResponse } from '../enrollment.ts'
import { currentConcern } from '../queries.ts'

/** Inbox rows wake idle engines. */
export const engineWorkers = idleWorkers('automation_inbox')

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
  tx.write`
    insert into automation_inbox ${values({ workspace_id: tx.workspaceId, ...row })} returning ${engineWorkers.wake}`

/** How many inbox rows of a contact the engine reads at a time. */
export const inboxLimit = 500

/** A contact's oldest inbox rows, up to `inboxLimit`. */
export const listInbox = (db: Db, contactId: string) =>
  db.many(InboxRow)`
    select id, contact_id, event_id, is_trigger, automation_id, enrollment_id, seq, response, follows, chain, attempts, due_at
    from automation_inbox
    where workspace_id = ${db.workspaceId} and contact_id = ${contactId} order by id limit ${inboxLimit}`

const StartRow = Type.Object({ id: Type.String() })

const starts = ({ workspaceId }: Db, contactId: string) => sql`
    select case when is_trigger then event_id else id end as id from automation_inbox
    where workspace_id = ${workspaceId} and contact_id = ${contactId} and (is_trigger or automation_id is not null)`

/** What in a contact's inbox can start enrollments: the IDs of events, and of the rows by which steps enroll the contact. */
export const listStarts = async (db: Db, contactId: string): Promise<string[]> =>
  (await db.many(StartRow)`${starts(db, contactId)}`).map(({ id }) => id)

/** Adds an event to a contact's inbox, if `setConcern` found that it can start or end an enrollment. */
export const insertIfConcerned = (
  tx: Tx,
  { contact_id, event_id, chain }: Pick<NewInboxRow, 'contact_id' | 'event_id' | 'chain'>,
  mayStart: boolean,
): void => {
  const now = tx.clock.now()
  tx.write`
    insert into automation_inbox (workspace_id, id, contact_id, event_id, is_trigger, follows, chain, created_at)
    select ${tx.workspaceId}, ${newId(now)}, ${contact_id}, ${event_id}, is_trigger, follows, ${chain}, ${now}
    from (select ${mayStart}::boolean and (${currentConcern} ->> 'is_trigger')::boolean as is_trigger,
      array(select jsonb_array_elements_text(${currentConcern} -> 'enrollment_ids')) || array(${starts(tx, contact_id)}) as follows) as heard
    where is_trigger or follows <> '{}'
    returning ${engineWorkers.wake}`
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

export const deleteFromInbox = (tx: WorkspaceTx, contactId: string, ids: readonly string[]): void =>
  tx.write`
    delete from automation_inbox
    where workspace_id = ${tx.workspaceId} and contact_id = ${contactId} and id = any (${ids}::text[])`

/** Removes all of the inbox: nothing starts or goes on because of what has happened until now. */
const CountRow = Type.Object({ count: Type.Integer() })

export const countInbox = async (db: Db): Promise<number> =>
  (
    await db.one(CountRow)`
    select count(*)::integer as count from automation_inbox where workspace_id = ${db.workspaceId}`
  ).count

export const emptyInbox = (tx: WorkspaceTx): void =>
  tx.write`delete from automation_inbox where workspace_id = ${tx.workspaceId}`

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
      where workspace_id = ${db.workspaceId} and (due_at is null or due_at <= ${at})
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
