import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { type Sql, sql } from '#kernel/db/sql.ts'
import { custom, filters, oneOf } from '#kernel/http/filters.ts'
import { newestOf } from '#kernel/http/newest-of.ts'
import type { Page } from '#kernel/http/paging.ts'
import { within } from '#kernel/reach.ts'
import { assignments, values } from '#kernel/records/columns.ts'
import { reference } from '#kernel/records/fields.ts'
import { type EarlierBatch, earlierHolders, ownerOfContact } from '../contacts/public.ts'
import { directions, ofContact } from '../messages/public.ts'
import { type CallRow, TranscriptTurn, callRecord, callStatuses, dispositions, handlers } from './call.ts'

const { Row, columns } = callRecord

/** Limits rows to the caller's reach: calls belong to the owner of their contact, and to who placed them. */
const inReach = (db: Db): Sql => within(db, sql`owner_id`, sql`author_id`)

export const findCall = (db: Db, id: string) =>
  db.maybeOne(Row)`
    select ${columns} from calls where workspace_id = ${db.workspaceId} and id = ${id} ${inReach(db)}`

export const lockCall = (tx: Db, id: string) =>
  tx.maybeOne(Row)`
    select ${columns} from calls where workspace_id = ${tx.workspaceId} and id = ${id} ${inReach(tx)} for update`

export const callFilters = filters({
  contact_id: custom(reference('contact', 'Return only calls with this contact.')),
  handled_by: oneOf(Type.Enum(handlers)),
  direction: oneOf(Type.Enum(directions)),
  disposition: oneOf(Type.Enum(dispositions)),
  status: oneOf(Type.Enum(callStatuses)),
})

type CallQuery = Static<typeof callFilters.query>

/** A page of calls, newest first. `masked`: whether the reader sees only masked values. */
export const listCalls = (db: Db, query: CallQuery, page: Page, masked = false) =>
  db.many(Row)`
    select ${columns} from calls
    where workspace_id = ${db.workspaceId} ${inReach(db)} ${byFilters(db, masked, query, page)} ${page.keyset()}`

function byFilters(db: Db, masked: boolean, query: CallQuery, page: Page): Sql {
  const { contact_id, handled_by, direction, disposition, status } = query
  if (contact_id !== undefined) return sql`${callFilters.where(query)} ${ofContact(db, masked, contact_id)}`
  const first = { ...(status && { status }), ...(disposition && { disposition }) }
  const isNarrowed = [handled_by, direction, disposition, status].some((one) => one !== undefined)
  const kind = { handled_by: handled_by ?? handlers, direction: direction ?? directions }
  return newestOf(db, page, {
    table: 'calls',
    owner: 'owner_id',
    author: 'author_id',
    columns: isNarrowed ? { ...first, ...kind } : {},
  })
}

const stored = (row: Partial<CallRow>) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    ]),
  )

/**
 * Inserts a call. It belongs to the owner of its contact; `owner_id` counts only if it has none. `lookAt` is when to
 * check it next.
 */
export const insertCall = (tx: WorkspaceTx, row: CallRow, lookAt: Date | null): void =>
  tx.write`insert into calls ${values({
    workspace_id: tx.workspaceId,
    ...stored(row),
    ...(row.contact_id !== null && { owner_id: ownerOfContact(tx, row.contact_id) }),
    look_at: lookAt,
  })}`

/** Writes the changed columns. The caller holds the row lock. */
export const saveCall = (tx: WorkspaceTx, id: string, changed: Partial<CallRow>): void =>
  tx.write`
    update calls set ${assignments(stored(changed))}
    where workspace_id = ${tx.workspaceId} and id = ${id} ${inReach(tx)}`

/** Moves a contact's calls to its current owner. The caller has locked the contact. */
export const followOwnerOfCalls = (tx: WorkspaceTx, contactId: string): void =>
  tx.write`
    update calls set owner_id = ${ownerOfContact(tx, contactId)}
    where workspace_id = ${tx.workspaceId} and id = any (array(
      select id from calls
      where workspace_id = ${tx.workspaceId} and contact_id = ${contactId} ${inReach(tx)} order by id for update))`

/** The subset of these recordings that are in reach. Those of a call that a caller only placed are not. */
export const listReachableRecordings = async (db: Db, fileIds: readonly string[]): Promise<string[]> => {
  const rows = await db.many(Type.Object({ id: Type.String() }))`
    select recording_file_id as id from calls
    where workspace_id = ${db.workspaceId} and recording_file_id = any (${fileIds}::text[]) ${within(db, sql`owner_id`)}`
  return rows.map(({ id }) => id)
}

const LastRow = Type.Object({ last: Type.Union([Type.String(), Type.Null()]), assigned: Type.Integer() })

/** Assigns a batch of calls without a contact, as `assignMessages` does with messages. */
export const assignCalls = async (tx: WorkspaceTx, { after, before, limit }: EarlierBatch) => {
  const { last, assigned } = await tx.one(LastRow)`
    with ${earlierHolders(
      tx,
      sql`
      select id, contact_id, coalesce(case direction when 'INBOUND' then "from" else "to" end, '') as value, created_at
      from calls
      where workspace_id = ${tx.workspaceId} and id > ${after} and id < ${before} order by id limit ${limit} for update`,
    )}, moved as (
      update calls set contact_id = found.contact_id, owner_id = found.owner_id, author_id = calls.owner_id,
        hidden_from = case when direction = 'OUTBOUND' then actor ->> 'id' end
      from found where calls.workspace_id = ${tx.workspaceId} and calls.id = found.id returning calls.id)
    select max(id) as last, (select count(*) from moved)::integer as assigned from batch`
  return { last: last ?? undefined, assigned }
}

const IdRow = Type.Object({ id: Type.String() })

const TranscriptRow = Type.Object({ transcript: Type.Array(TranscriptTurn) })

/** The transcript of a call that the caller has found within reach, or null. */
export const findTranscript = async (db: Db, callId: string) => {
  const row = await db.maybeOne(TranscriptRow)`
    select transcript from call_transcripts where workspace_id = ${db.workspaceId} and call_id = ${callId}`
  return row?.transcript ?? null
}

export const saveTranscript = (
  tx: WorkspaceTx,
  callId: string,
  transcript: readonly TranscriptTurn[],
): void =>
  tx.write`
    insert into call_transcripts (workspace_id, call_id, transcript)
    values (${tx.workspaceId}, ${callId}, ${JSON.stringify(transcript)})
    on conflict (workspace_id, call_id) do update set transcript = excluded.transcript`

/** The caller has locked the calls. */
export const deleteTranscripts = (tx: WorkspaceTx, callIds: readonly string[]): void =>
  tx.write`
    delete from call_transcripts where workspace_id = ${tx.workspaceId} and call_id = any (${callIds}::text[])`

/** Locks, in ID order, the contact's calls, those whose author named it, and the calls with these numbers that have no contact. */
export const lockCallsOf = (tx: Db, contactId: string, numbers: readonly string[]) =>
  tx.many(Row)`
    select ${columns} from calls
    where workspace_id = ${tx.workspaceId} ${inReach(tx)} and (contact_id = ${contactId} or addressed_contact_id = ${contactId}
      or (contact_id is null and (case direction when 'INBOUND' then "from" else "to" end) = any (${numbers}::text[])))
    order by id for update`

/**
 * Locks the oldest completed calls before this ID that retention has not processed and that may have a recording in
 * Gable or at the provider. Skips rows that are locked.
 */
export const lockRetainedBefore = (tx: Db, before: string, limit: number) =>
  tx.many(Row)`${retainedBefore(tx, before, limit)} for update skip locked`

export const listRetainedBefore = (db: Db, before: string, limit: number) =>
  db.many(Row)`${retainedBefore(db, before, limit)}`

const retainedBefore = (db: Db, before: string, limit: number) => sql`
    select ${columns} from calls
    where workspace_id = ${db.workspaceId} ${inReach(db)} and id < ${before}
      and retention_ended_at is null and erased_at is null and completed_at is not null
      and (recording_file_id is not null or provider_call_id is not null)
    order by id limit ${limit}`

/**
 * IDs of calls completed in `[from, before)` that have a transcript but lack a summary or a disposition, oldest first.
 * For jobs with unrestricted reach.
 */
export const listCallsWithoutSummary = async (
  db: Db,
  { from, before }: { from: Date; before: Date },
  limit: number,
): Promise<string[]> => {
  const rows = await db.many(IdRow)`
    select id from calls
    where workspace_id = ${db.workspaceId} and completed_at >= ${from} and completed_at < ${before}
      and (summary is null or disposition is null) and erased_at is null and exists (
        select from call_transcripts t where t.workspace_id = ${db.workspaceId} and t.call_id = calls.id)
    order by completed_at limit ${limit}`
  return rows.map(({ id }) => id)
}

/** Finds the call with a provider's ID. For provider reports, which have unrestricted reach. */
export const findCallByProviderId = (db: Db, connectionId: string, providerCallId: string) =>
  db.maybeOne(Row)`
    select ${columns} from calls
    where workspace_id = ${db.workspaceId} and connection_id = ${connectionId}
      and provider_call_id = ${providerCallId} ${inReach(db)}`

/** Locks the calls to a number that are waiting to be placed. */
export const lockWaitingCallsTo = (tx: Db, to: string) =>
  tx.many(Row)`
    select ${columns} from calls
    where workspace_id = ${tx.workspaceId} and status = 'queued' and direction = 'OUTBOUND' and "to" = ${to}
      and began_at is null ${inReach(tx)}
    order by id for update`

/** Sets when to check the call next; null means never. Does not change `updated_at`. */
export const saveNextLookAtCall = (tx: WorkspaceTx, id: string, at: Date | null): void =>
  tx.write`update calls set look_at = ${at} where workspace_id = ${tx.workspaceId} and id = ${id}`

/** IDs of calls due for a check, longest overdue first. */
export const listDueCalls = async (db: Db, at: Date, limit: number): Promise<string[]> => {
  const rows = await db.many(IdRow)`
    select id from calls where workspace_id = ${db.workspaceId} and look_at <= ${at}
    order by look_at limit ${limit}`
  return rows.map(({ id }) => id)
}

const ThereRow = Type.Object({ is_there: Type.Boolean() })

/** Whether a connection has calls that are waiting, in progress, or of unknown outcome, or a recording left to copy. */
export const hasOpenCalls = async (db: Db, connectionId: string): Promise<boolean> => {
  const { is_there } = await db.one(ThereRow)`
    select exists (
      select from calls
      where workspace_id = ${db.workspaceId} and look_at is not null and connection_id = ${connectionId}
        and (completed_at is null and status in ('queued', 'ringing', 'in_progress', 'unknown')
          or recording_source is not null)
        ${inReach(db)}) as is_there`
  return is_there
}

/** Whether data still has to be removed at the connection's provider. */
export const hasOpenRemovals = async (db: Db, connectionId: string): Promise<boolean> => {
  const { is_there } = await db.one(ThereRow)`
    select exists (
      select from call_removals
      where workspace_id = ${db.workspaceId} and connection_id = ${connectionId}) as is_there`
  return is_there
}

const RemovalRow = Type.Object({
  call_id: Type.String(),
  connection_id: Type.String(),
  provider_call_id: Type.String(),
  due_at: Type.String(),
  attempts: Type.Integer(),
})
export type CallRemoval = Static<typeof RemovalRow>

/** Queues the removal of these calls' data at the provider. Restarts a removal that is already queued. */
export function queueCallRemovals(tx: WorkspaceTx, calls: readonly CallRow[], at: string): void {
  for (const { id, connection_id, provider_call_id } of calls) {
    if (connection_id === null || provider_call_id === null) continue
    tx.write`
      insert into call_removals (workspace_id, call_id, connection_id, provider_call_id, due_at, attempts)
      values (${tx.workspaceId}, ${id}, ${connection_id}, ${provider_call_id}, ${at}, 0)
      on conflict (workspace_id, call_id) do update set due_at = excluded.due_at, attempts = 0`
  }
}

const CountRow = Type.Object({ count: Type.Integer() })

export const countCallRemovals = async (db: Db): Promise<number> =>
  (
    await db.one(CountRow)`
    select count(*)::integer as count from call_removals where workspace_id = ${db.workspaceId}`
  ).count

export const listRemovals = (db: Db, at: Date, limit: number) =>
  db.many(RemovalRow)`
    select call_id, connection_id, provider_call_id, due_at, attempts from call_removals
    where workspace_id = ${db.workspaceId} and due_at <= ${at} order by due_at limit ${limit}`

/** Deletes a removal, unless it has been queued again since it was read. */
export const deleteRemoval = (tx: WorkspaceTx, { call_id, due_at }: CallRemoval): void =>
  tx.write`
    delete from call_removals
    where workspace_id = ${tx.workspaceId} and call_id = ${call_id} and due_at = ${due_at}`

/** Postpones a removal, unless it has been queued again since it was read. */
export const postponeRemoval = (tx: WorkspaceTx, { call_id, due_at }: CallRemoval, at: Date): void =>
  tx.write`
    update call_removals set due_at = ${at}, attempts = least(attempts + 1, 20)
    where workspace_id = ${tx.workspaceId} and call_id = ${call_id} and due_at = ${due_at}`

/** The ids of calls that wait to be placed and were added before a time. */
export const listWaitingCalls = async (db: Db, before: Date): Promise<string[]> => {
  const rows = await db.many(Type.Object({ id: Type.String() }))`
    select id from calls
    where workspace_id = ${db.workspaceId} and status = 'queued' and began_at is null and created_at < ${before} ${inReach(db)}
    order by id`
  return rows.map(({ id }) => id)
}
