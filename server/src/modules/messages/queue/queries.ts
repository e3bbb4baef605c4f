import { type Static, Type } from 'typebox'
import { idleWorkers } from '#kernel/background/idle-workers.ts'
import { leaseFrom, mayLast } from '#kernel/background/lease.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Tx } from '#kernel/context.ts'
import type { Db, Queries } from '#kernel/db/handles.ts'
import { sharedNow } from '#kernel/db/shared-now.ts'
import { sql } from '#kernel/db/sql.ts'
import { values } from '#kernel/records/columns.ts'
import type { KeyRing } from '#kernel/secrets.ts'
import type { Message } from '../message.ts'
import { lostAfterMs, unclearHoldMs } from './schedule.ts'

/** Idle workers wake when a message is queued. */
export const outboxWorkers = idleWorkers('outbox')

/** The recipient of a message on its channel, as a keyed hash. Only one message per recipient is in flight at a time. */
export const recipientKey = (
  keys: KeyRing,
  workspaceId: string,
  { channel, to }: Pick<Message, 'channel' | 'to'>,
) => keys.sign('outbox', `${workspaceId} ${channel} ${to}`).toString('base64url').slice(0, 22)

/** The priority lane: people and replies first, then automations and the AI, then campaigns. */
const laneOf = ({ source, purpose }: Message): number => {
  if (purpose === 'reply') return 0
  return { automation: 1, ai: 1, campaign: 2 }[source as string] ?? 0
}

/** Queues a message that has a sender. It is due now, or when it is scheduled. */
export const queueMessage = (tx: Tx, message: Message): void =>
  tx.write`
    insert into outbox ${values({
      workspace_id: tx.workspaceId,
      message_id: message.id,
      sender_id: message.sender_id,
      recipient: recipientKey(tx.keys, tx.workspaceId, message),
      lane: laneOf(message),
      segments: message.segments ?? 1,
      state: 'waiting',
      due_at: tx.clock.due(new Date(message.scheduled_at ?? message.created_at)),
      attempts: 0,
      turns: message.scheduled_at === null ? 0 : 1,
      created_at: message.created_at,
    })} returning ${outboxWorkers.wake}`

const IdRow = Type.Object({ id: Type.String() })

/**
 * Removes waiting messages from the queue, and returns the ids of those that it removed. An attempt to send any other
 * may have begun.
 */
export const unqueueMessages = async (tx: Tx, messageIds: readonly string[]): Promise<string[]> => {
  const rows = await tx.many(IdRow)`
    delete from outbox
    where workspace_id = ${tx.workspaceId} and message_id = any (${messageIds}::text[]) and state = 'waiting'
    returning message_id as id`
  return rows.map(({ id }) => id)
}

/** The ids of those of these messages that are in the queue: waiting, in flight, or unclear. */
export const listQueued = async (tx: Tx, messageIds: readonly string[]): Promise<string[]> => {
  const rows = await tx.many(IdRow)`
    select message_id as id from outbox
    where workspace_id = ${tx.workspaceId} and message_id = any (${messageIds}::text[])`
  return rows.map(({ id }) => id)
}

const QueuedBeforeRow = Type.Object({ id: Type.String(), is_waiting: Type.Boolean() })

/** The messages in the queue that were created before a time, in order, after an id: waiting, in flight, or unclear. */
export const listQueuedBefore = (db: Db, before: Date, after: string, limit: number) =>
  db.many(QueuedBeforeRow)`
    select message_id as id, state = 'waiting' as is_waiting from outbox
    where workspace_id = ${db.workspaceId} and created_at < ${before} and message_id > ${after}
      and on_return is distinct from 'cancel'
    order by message_id limit ${limit}`

/** The ids of messages of a sender that wait and were due before a time. */
export const listDueBefore = async (
  db: Db,
  senderId: string,
  before: Date,
  limit: number,
): Promise<string[]> => {
  const rows = await db.many(IdRow)`
    select message_id as id from outbox
    where workspace_id = ${db.workspaceId} and sender_id = ${senderId} and state = 'waiting' and due_at <= ${before}
    order by message_id limit ${limit}`
  return rows.map(({ id }) => id)
}

/** The ids of the messages that wait to be sent to these recipients. */
export const listWaitingFor = async (tx: Tx, recipients: readonly string[]): Promise<string[]> => {
  const rows = await tx.many(IdRow)`
    select message_id as id from outbox
    where workspace_id = ${tx.workspaceId} and recipient = any (${recipients}::text[]) and state = 'waiting'`
  return rows.map(({ id }) => id)
}

const QueuedRow = Type.Object({ attempt_id: Type.Union([Type.String(), Type.Null()]) })

/** Locks the outbox row of a message. Lock order: the outbox row before the message. */
export const lockQueued = (tx: Tx, messageId: string) =>
  tx.maybeOne(QueuedRow)`
    select attempt_id from outbox where workspace_id = ${tx.workspaceId} and message_id = ${messageId} for update`

const DueRow = Type.Object({
  message_id: Type.String(),
  segments: Type.Integer(),
  attempts: Type.Integer(),
  turns: Type.Integer(),
})
export type DueRow = Static<typeof DueRow>

/**
 * Whether a message is next for its recipient. Per recipient and channel, one message at a time is in flight, in the
 * order of their ids. A message in flight holds back all others. One that is due or waits for a retry holds back later
 * ones, and one whose outcome is unclear holds them back for a minute.
 */
const isNext = ({ workspaceId, clock }: Tx, at: Date) => sql`not exists (
    select from outbox other
    where other.workspace_id = ${workspaceId} and other.recipient = mine.recipient and other.message_id <> mine.message_id
      and (other.state = 'sending' or (other.message_id < mine.message_id and (
        (other.state = 'waiting' and (other.due_at <= ${clock.due(at)} or other.attempts > 0))
        or (other.state = 'unknown' and ${mayLast(sql`other.began_at`, leaseFrom(clock, unclearHoldMs))})))))`

/** The messages that a sender may send next, by lane. */
export const listDue = (tx: Tx, senderId: string, at: Date, limit: number) =>
  tx.many(DueRow)`
    select message_id, segments, attempts, turns from unnest(array[0, 1, 2]) as place, lateral (
      select message_id, segments, attempts, turns, due_at from outbox mine
      where workspace_id = ${tx.workspaceId} and sender_id = ${senderId} and state = 'waiting' and lane = place
        and due_at <= ${tx.clock.due(at)} and ${isNext(tx, at)}
      order by due_at, message_id limit ${limit}) first
    order by place, due_at, message_id limit ${limit}`

/** Locks those of these messages that may still be sent. Skips those that another transaction has locked. */
export const lockDue = (tx: Tx, messageIds: readonly string[], at: Date) =>
  tx.many(DueRow)`
    select message_id, segments, attempts, turns from outbox mine
    where workspace_id = ${tx.workspaceId} and message_id = any (${messageIds}::text[]) and state = 'waiting'
      and due_at <= ${tx.clock.due(at)} and ${isNext(tx, at)}
    order by message_id for update skip locked`

/** Marks messages as in flight, each with the id of its attempt. */
export function beginAttempts(
  tx: Tx,
  begun: readonly { messageId: string; attemptId: string }[],
  at: Date,
): void {
  if (begun.length === 0) return
  const messageIds = begun.map(({ messageId }) => messageId)
  const attemptIds = begun.map(({ attemptId }) => attemptId)
  tx.write`
    update outbox set state = 'sending', attempt_id = begun.attempt_id, attempts = attempts + 1,
      began_at = ${sharedNow(tx.clock)}
    from unnest(${messageIds}::text[], ${attemptIds}::text[]) as begun (message_id, attempt_id)
    where workspace_id = ${tx.workspaceId} and outbox.message_id = begun.message_id collate "C"`
  tx.write`
    insert into message_attempts (workspace_id, id, message_id, began_at)
    select ${tx.workspaceId}, attempt_id, message_id, ${at}::timestamptz
    from unnest(${messageIds}::text[], ${attemptIds}::text[]) as begun (message_id, attempt_id)
    returning id`
}

/** Postpones a waiting message. */
export const delay = (tx: Tx, messageId: string, until: Date): void =>
  tx.write`
    update outbox set due_at = ${tx.clock.due(until)} where workspace_id = ${tx.workspaceId} and message_id = ${messageId}`

/** Selects the rows of messages, and locks them in the order in which `lockAttempts` does. */
const theseInOrder = (tx: Tx, messageIds: readonly string[]) => sql`
  workspace_id = ${tx.workspaceId} and message_id = any (array(
    select message_id from outbox
    where workspace_id = ${tx.workspaceId} and message_id = any (${messageIds}::text[])
    order by message_id for update))`

/** Marks messages that are in flight: they are not sent again. */
export const stopRetries = (tx: Tx, messageIds: readonly string[]): void =>
  tx.write`
    update outbox set on_return = 'cancel' where ${theseInOrder(tx, messageIds)} and state <> 'waiting'`

/**
 * Holds messages until `resumeRetries` and `releaseQueued`: those that wait, and those in flight if they would have to
 * be sent again. With no attempts, they do not hold back later messages to their recipients.
 */
export const holdQueued = (tx: Tx, messageIds: readonly string[]): void =>
  tx.write`
    update outbox set
      due_at = case state when 'waiting' then 'infinity' else due_at end,
      attempts = case state when 'waiting' then 0 else attempts end,
      on_return = case when state <> 'waiting' then coalesce(on_return, 'hold') end
    where ${theseInOrder(tx, messageIds)}`

/** Lets messages that were in flight when they were held be sent again. Call it before `listHeldBack`. */
export const resumeRetries = (tx: Tx, messageIds: readonly string[]): void =>
  tx.write`
    update outbox set on_return = null where ${theseInOrder(tx, messageIds)} and on_return = 'hold'`

/** The ids of those of these messages that are held, in order. */
export const listHeldBack = async (tx: Tx, messageIds: readonly string[]): Promise<string[]> => {
  const rows = await tx.many(IdRow)`
    select message_id as id from outbox
    where workspace_id = ${tx.workspaceId} and message_id = any (${messageIds}::text[]) and due_at = 'infinity'
    order by message_id`
  return rows.map(({ id }) => id)
}

/** Releases held messages, each at its time. */
export const releaseQueued = (tx: Tx, turns: readonly { id: string; at: Date }[]): void => {
  tx.write`select ${outboxWorkers.wake}`
  tx.write`
    update outbox set due_at = turn.at
    from unnest(${turns.map(({ id }) => id)}::text[], ${turns.map(({ at }) => tx.clock.due(at).toISOString())}::timestamptz[])
      as turn (id, at)
    where workspace_id = ${tx.workspaceId} and message_id = turn.id collate "C" and state = 'waiting'`
}

/** Postpones a message until the hours begin, and counts that as a turn; see `maxTurns`. */
export const postpone = (tx: Tx, messageId: string, until: string): void =>
  tx.write`
    update outbox set due_at = ${tx.clock.due(new Date(until))}, turns = turns + 1
    where workspace_id = ${tx.workspaceId} and message_id = ${messageId}`

/** Makes what waits, and what is to be looked up, due earlier by so many milliseconds. */
export const bringOutboxForward = (tx: Tx, ms: number): void => {
  tx.write`select ${outboxWorkers.wake}`
  tx.write`
    update outbox set due_at = due_at - ${ms} * interval '1 millisecond'
    where workspace_id = ${tx.workspaceId} and state in ('waiting', 'unknown')`
}

const AttemptRow = Type.Object({
  message_id: Type.String(),
  attempt_id: Type.String(),
  attempts: Type.Integer(),
  on_return: Type.Union([Type.Enum(['cancel', 'hold']), Type.Null()]),
})

/**
 * Locks those of these attempts that are not settled yet: in flight, or unclear. The missing ones were settled by a
 * callback or another worker.
 */
export async function lockAttempts(tx: Tx, sought: readonly { messageId: string; attemptId: string }[]) {
  const attemptIds = new Set(sought.map(({ attemptId }) => attemptId))
  const rows = await tx.many(AttemptRow)`
    select message_id, attempt_id, attempts, on_return from outbox
    where workspace_id = ${tx.workspaceId} and message_id = any (${sought.map(({ messageId }) => messageId)}::text[])
      and state in ('sending', 'unknown')
    order by message_id for update`
  return rows.filter(({ attempt_id }) => attemptIds.has(attempt_id))
}

export const endAttempts = (tx: Tx, messageIds: readonly string[]): void =>
  tx.write`delete from outbox where workspace_id = ${tx.workspaceId} and message_id = any (${messageIds}::text[])`

/** Puts a message back into the queue for another attempt. `counts`: whether the last attempt counts. */
export const retryAttempt = (tx: Tx, messageId: string, dueAt: Date, counts: boolean): void => {
  tx.write`select ${outboxWorkers.wake}`
  tx.write`
    update outbox set state = 'waiting', attempt_id = null,
      due_at = case on_return when 'hold' then 'infinity' else ${tx.clock.due(dueAt)}::timestamptz end,
      attempts = case on_return when 'hold' then 0 else attempts - ${counts ? 0 : 1}::integer end, on_return = null
    where workspace_id = ${tx.workspaceId} and message_id = ${messageId}`
}

/** Marks an attempt as unclear. The next lookup is due at `realDueAt`, by the machine's clock, which also began the attempt. */
export const clarifyLater = (tx: Tx, messageId: string, realDueAt: Date): void =>
  tx.write`
    update outbox set state = 'unknown', due_at = ${realDueAt}
    where workspace_id = ${tx.workspaceId} and message_id = ${messageId}`

const PairRow = Type.Object({ workspace_id: Type.String(), sender_id: Type.String() })

/** `pairs`: the senders in all workspaces that have waiting messages. Reads one row per sender. */
const pairs = sql`
  recursive pairs as (
    (select workspace_id, sender_id from outbox where state = 'waiting' order by workspace_id, sender_id limit 1)
    union all
    select next.workspace_id, next.sender_id from pairs, lateral (
      select workspace_id, sender_id from outbox
      where state = 'waiting' and (workspace_id, sender_id) > (pairs.workspace_id, pairs.sender_id)
      order by workspace_id, sender_id limit 1) next
  )`

/** Senders in all workspaces that have due messages. Reads a few rows per sender, however many messages wait. */
export const listDueSendersAcrossWorkspaces = (queue: Queries, at: Date) =>
  queue.many(PairRow)`
    with ${pairs}
    select workspace_id, sender_id from pairs
    where exists (
      select from unnest(array[0, 1, 2]) as lane, lateral (
        select from outbox due
        where due.workspace_id = pairs.workspace_id and due.sender_id = pairs.sender_id and due.state = 'waiting'
          and due.lane = lane.lane and due.due_at <= ${at} limit 1) first)`

const UnclearRow = Type.Object({
  workspace_id: Type.String(),
  message_id: Type.String(),
  attempt_id: Type.String(),
  began_at: Type.String(),
  state: Type.Enum(['sending', 'unknown']),
})
export type UnclearRow = Static<typeof UnclearRow>

/** Attempts that no worker will settle anymore, and unclear ones that are due for a lookup. */
export const listUnclearAcrossWorkspaces = (queue: Queries, clock: Clock, limit: number) =>
  queue.many(UnclearRow)`
    (select workspace_id, message_id, attempt_id, began_at, state from outbox
     where state = 'sending' and not ${mayLast(sql`began_at`, leaseFrom(clock, lostAfterMs))} order by began_at limit ${limit})
    union all
    (select workspace_id, message_id, attempt_id, began_at, state from outbox
     where state = 'unknown' and due_at <= ${clock.now()} order by due_at limit ${limit})`

const DueAtRow = Type.Object({ due_at: Type.Union([Type.String(), Type.Null()]) })

/** When the next message is due in any workspace: to be sent, to be looked up, or to be given up by its worker. */
export const findNextDueAcrossWorkspaces = async (queue: Queries, clock: Clock): Promise<string | null> => {
  const { due_at } = await queue.one(DueAtRow)`
    with ${pairs}
    select least(
      (select min(first.due_at) from pairs, unnest(array[0, 1, 2]) as lane (lane), lateral (
        select due_at from outbox due
        where due.workspace_id = pairs.workspace_id and due.sender_id = pairs.sender_id and due.state = 'waiting'
          and due.lane = lane.lane order by due_at limit 1) first
       where first.due_at < 'infinity'),
      (select min(due_at) from outbox where state = 'unknown'),
      (select least(min(began_at), ${sharedNow(clock)}) from outbox where state = 'sending' having count(*) > 0) + ${lostAfterMs} * interval '1 millisecond') as due_at`
  return due_at
}
