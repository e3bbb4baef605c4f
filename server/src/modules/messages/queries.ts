import { Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { type Sql, sql } from '#kernel/db/sql.ts'
import { firstIdAt } from '#kernel/ids.ts'
import { within } from '#kernel/reach.ts'
import { assignments, values } from '#kernel/records/columns.ts'
import { type EarlierBatch, earlierHolders, ownerOfContact } from '../contacts/public.ts'
import { type Message, maxHoldMs, messageRecord } from './message.ts'

const { Row, columns } = messageRecord

const json = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value))

const IdRow = Type.Object({ id: Type.String() })

/** A condition for messages in reach: those of contacts that a member in reach owns, and those that one wrote. */
export const inReach = (db: Db): Sql => within(db, sql`owner_id`, sql`author_id`)

export const findMessage = (db: Db, id: string) =>
  db.maybeOne(Row)`
    select ${columns} from messages where workspace_id = ${db.workspaceId} and id = ${id} ${inReach(db)}`

export const lockMessage = (tx: Db, id: string) =>
  tx.maybeOne(Row)`
    select ${columns} from messages
    where workspace_id = ${tx.workspaceId} and id = ${id} ${inReach(tx)} for update`

/** The message that repeats this one. Ignores a repeat that never left, because a gate blocked it or it was cancelled. */
export const findResendOf = (db: Db, id: string) =>
  db.maybeOne(IdRow)`
    select id from messages
    where workspace_id = ${db.workspaceId} and resend_of = ${id} and status not in ('blocked', 'cancelled')
    limit 1`

/**
 * The messages in reach with these ids, in no particular order. Callers that act for the whole workspace pass an
 * unrestricted `db`.
 */
export const listMessagesById = (db: Db, ids: readonly string[]) =>
  db.many(Row)`
    select ${columns} from messages where workspace_id = ${db.workspaceId} and id = any (${ids}::text[]) ${inReach(db)}`

/** The subset of these messages that are in reach. */
export const listReachableMessages = async (db: Db, ids: readonly string[]): Promise<string[]> => {
  const rows = await db.many(IdRow)`
    select id from messages where workspace_id = ${db.workspaceId} and id = any (${ids}::text[]) ${inReach(db)}`
  return rows.map(({ id }) => id)
}

/** The same as `listMessagesById`, locked in the order of their ids. */
export const lockMessages = (tx: Db, ids: readonly string[]) =>
  tx.many(Row)`
    select ${columns} from messages
    where workspace_id = ${tx.workspaceId} and id = any (${ids}::text[]) ${inReach(tx)} order by id for update`

const MessageIdRow = Type.Object({ message_id: Type.String() })

export const findMessageOfAttempt = async (db: Db, attemptId: string) => {
  const row = await db.maybeOne(MessageIdRow)`
    select message_id from message_attempts where workspace_id = ${db.workspaceId} and id = ${attemptId}`
  return row?.message_id
}

/** The id of the message with this id at the provider. */
export const findByProviderId = async (db: Db, connectionId: string, providerMessageId: string) => {
  const row = await db.maybeOne(IdRow)`
    select id from messages
    where workspace_id = ${db.workspaceId} and connection_id = ${connectionId}
      and provider_message_id = ${providerMessageId}`
  return row?.id
}

export const endAttempt = (
  tx: WorkspaceTx,
  attemptId: string,
  outcome: string,
  detail: object | null,
  at: Date,
): void =>
  tx.write`
    update message_attempts set ended_at = ${at}, outcome = ${outcome}, detail = ${json(detail)}
    where workspace_id = ${tx.workspaceId} and id = ${attemptId}`

const CountOfAttempts = Type.Object({ count: Type.Integer() })

/** How many attempts to send a message ended without a clear outcome. */
export const countUnclear = async (db: Db, messageId: string): Promise<number> => {
  const { count } = await db.one(CountOfAttempts)`
    select count(*)::integer as count from message_attempts
    where workspace_id = ${db.workspaceId} and message_id = ${messageId} and outcome = 'unknown'`
  return count
}

/** Saves what a provider later says about an attempt that has ended. */
export const recordDelay = (tx: WorkspaceTx, attemptId: string, detail: object): void =>
  tx.write`
    update message_attempts set detail = ${json(detail)}
    where workspace_id = ${tx.workspaceId} and id = ${attemptId}`

const AiCountRow = Type.Object({
  ever: Type.Integer(),
  lately: Type.Integer(),
  unanswered: Type.Integer(),
})

/**
 * Counts messages to a contact. `ever`: sent messages of a persona. `lately`: messages that the AI has written since
 * `since`. `unanswered`: messages that the AI has written since the contact last wrote. Messages that never left do not
 * count.
 */
export const countAiMessages = (db: Db, contactId: string, since: Date) =>
  db.one(AiCountRow)`
    select (count(*) filter (where persona_id is not null and source in ('ai', 'system')
        and status in ('sent', 'delivered', 'read')))::integer as ever,
      (count(*) filter (where ai_generated and created_at > ${since}))::integer as lately,
      (count(*) filter (where ai_generated and id > coalesce((
        select max(id) from messages
        where workspace_id = ${db.workspaceId} ${inReach(db)} and contact_id = ${contactId} and direction = 'INBOUND'
          and not automatic and sender_verified is not false), '')))::integer as unanswered
    from messages
    where workspace_id = ${db.workspaceId} ${inReach(db)} and contact_id = ${contactId}
      and (ai_generated or persona_id is not null)
      and direction = 'OUTBOUND' and status not in ('blocked', 'cancelled', 'failed')`

/** The newest messages to and from a contact that count as theirs and ours: anyone may have written an unverified email. */
export const listVerifiedOfContact = (db: Db, contactId: string, limit: number) =>
  db.many(Row)`
    select ${columns} from messages
    where workspace_id = ${db.workspaceId} ${inReach(db)} and contact_id = ${contactId} and sender_verified is not false
    order by id desc limit ${limit}`

/** How many emails of unverified senders a contact has received since then. */
export const countUnverified = async (db: Db, contactId: string, since: Date): Promise<number> => {
  const { count } = await db.one(CountOfAttempts)`
    select count(*)::integer as count from messages
    where workspace_id = ${db.workspaceId} ${inReach(db)} and contact_id = ${contactId}
      and id >= ${firstIdAt(since.getTime())} and sender_verified = false and not automatic`
  return count
}

/** The newest messages to and from a contact. */
export const listMessagesOfContact = (db: Db, contactId: string, limit: number) =>
  db.many(Row)`
    select ${columns} from messages
    where workspace_id = ${db.workspaceId} ${inReach(db)} and contact_id = ${contactId} order by id desc limit ${limit}`

/** A number or address, and the time in which someone held it. */
export interface HeldPoint {
  value: string
  since: string
  former_since: string | null
}

/** The newest messages to and from these points in these times that belong to no contact. `db` has unlimited reach. */
export const listUnassigned = (db: Db, points: readonly HeldPoint[], limit: number) =>
  db.many(Row)`
    select ${columns} from messages
    where workspace_id = ${db.workspaceId} and id in (
      select m.id from unnest(${points.map(({ value }) => value)}::text[], ${points.map(({ since }) => since)}::timestamptz[],
        ${points.map(({ former_since }) => former_since)}::timestamptz[]) as held (value, since, former_since)
      join conversations c on c.workspace_id = ${db.workspaceId} and c.address = held.value
      join messages m on m.workspace_id = ${db.workspaceId} and m.conversation_id = c.id and m.contact_id is null
        and m.created_at >= held.since and m.created_at < coalesce(held.former_since, 'infinity'))
    order by id desc limit ${limit}`

const LastRow = Type.Object({ last: Type.Union([Type.String(), Type.Null()]), assigned: Type.Integer() })

/**
 * Assigns a batch of messages without a contact, and their conversations, to the contact that held the number or
 * address at that time. Their authors keep them, and still learn nothing of the contact. Returns the last
 * message of the batch, undefined if there is none, and how many were assigned.
 */
export const assignMessages = async (tx: WorkspaceTx, { after, before, limit }: EarlierBatch) => {
  const { last, assigned } = await tx.one(LastRow)`
    with ${earlierHolders(
      tx,
      sql`
      select id, contact_id, coalesce(case direction when 'INBOUND' then "from" else "to" end, '') as value, created_at
      from messages
      where workspace_id = ${tx.workspaceId} and id > ${after} and id < ${before} order by id limit ${limit} for update`,
    )}, moved as (
      update messages m set contact_id = found.contact_id, owner_id = found.owner_id, author_id = m.owner_id,
        hidden_from = case when direction = 'OUTBOUND' then actor ->> 'id' end
      from found where m.workspace_id = ${tx.workspaceId} and m.id = found.id
      returning m.conversation_id, found.contact_id, found.owner_id
    ), threads as (
      update conversations c set contact_id = moved.contact_id, owner_id = moved.owner_id
      from moved where c.workspace_id = ${tx.workspaceId} and c.id = moved.conversation_id and c.contact_id is null)
    select max(id) as last, (select count(*) from moved)::integer as assigned from batch`
  return { last: last ?? undefined, assigned }
}

const valuesOf = (db: Db, { template, reaction, compliance, error, actor, approved_by, media, ...row }: Message) =>
  values({
    workspace_id: db.workspaceId,
    ...row,
    ...(row.contact_id !== null && { owner_id: ownerOfContact(db, row.contact_id) }),
    template: json(template),
    reaction: json(reaction),
    media: json(media),
    compliance: json(compliance),
    error: json(error),
    actor: json(actor),
    approved_by: json(approved_by),
  })

/** Adds a message. It belongs to the owner of its contact; `owner_id` counts only if it has none. */
export const insertMessage = (tx: WorkspaceTx, message: Message) =>
  tx.write`insert into messages ${valuesOf(tx, message)}`

/** Adds a message that a provider reports. Returns false if it is already recorded. */
export const insertReported = async (tx: WorkspaceTx, message: Message): Promise<boolean> =>
  (await tx.run`
    insert into messages ${valuesOf(tx, message)}
    on conflict (workspace_id, connection_id, provider_message_id) where provider_message_id is not null do nothing`) ===
  1

/** Writes the changed columns. The caller holds the row's lock. */
export const saveMessage = (tx: WorkspaceTx, id: string, changed: Partial<Message>) =>
  tx.write`
    update messages set ${assignments(
      Object.fromEntries(
        Object.entries(changed).map(([name, value]) => [
          name,
          typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
        ]),
      ),
    )}
    where workspace_id = ${tx.workspaceId} and id = ${id} ${inReach(tx)}`

/**
 * Moves the messages and conversations of a contact to its current owner, who then sees them. The caller has locked the
 * contact.
 */
export const followOwner = (tx: WorkspaceTx, contactId: string): void => {
  tx.write`
    update messages set owner_id = ${ownerOfContact(tx, contactId)}
    where workspace_id = ${tx.workspaceId} and id = any (array(
      select id from messages
      where workspace_id = ${tx.workspaceId} and contact_id = ${contactId} ${inReach(tx)} order by id for update))`
  tx.write`
    update conversations set owner_id = ${ownerOfContact(tx, contactId)}
    where workspace_id = ${tx.workspaceId} and contact_id = ${contactId} ${inReach(tx)}`
}

/** The id of the last message that was received in a conversation, except emails of unverified senders. */
export const findLastReceived = async (db: Db, conversationId: string): Promise<string | undefined> => {
  const row = await db.maybeOne(IdRow)`
    select id from messages
    where workspace_id = ${db.workspaceId} and conversation_id = ${conversationId} and direction = 'INBOUND'
      and sender_verified is not false
    order by id desc limit 1`
  return row?.id
}

const ConfirmedRow = Type.Object({ to: Type.String(), at: Type.String() })

/** For each number, when the latest confirmation of an opt-out was written that has left, or may have. */
export const listConfirmations = async (db: Db, numbers: readonly string[]) => {
  const rows = await db.many(ConfirmedRow)`
    select "to", max(m.created_at) as at ${outboundTo(db, numbers)} and kind = 'opt_out_confirmation' group by "to"`
  return new Map(rows.map(({ to, at }) => [to, at]))
}

/**
 * Messages to these numbers that have left, or may have. Looks up each number separately, whatever the query planner
 * estimates.
 */
const outboundTo = (db: Db, numbers: readonly string[]) => sql`
  from unnest(${numbers}::text[]) as number
    join conversations c on c.workspace_id = ${db.workspaceId} and c.address = number
    join messages m on m.workspace_id = ${db.workspaceId} and m.conversation_id = c.id
  where direction = 'OUTBOUND' and status in ('sending', 'sent', 'delivered', 'read', 'undelivered', 'unknown')`

const CountRow = Type.Object({ to: Type.String(), count: Type.Integer() })

/**
 * Returns a function that counts, for a number, the calls (except `withoutCalls`) and marketing messages by phone that
 * began since then, or may have.
 */
export const listMarketingCounts = async (
  db: Db,
  numbers: readonly string[],
  since: Date,
  withoutCalls: readonly string[],
) => {
  const rows = await db.many(CountRow)`
    select "to", count(*)::integer as count from (
      select "to" ${outboundTo(db, numbers)}
        and m.channel in ('SMS', 'WHATSAPP') and message_class = 'marketing'
        and coalesce(compliance ->> 'effective_purpose', purpose) = 'outbound'
        and coalesce(sent_at, m.updated_at) > ${since} and m.id >= ${firstIdAt(since.getTime() - maxHoldMs)}
      union all
      select "to" from unnest(${numbers}::text[]) as number join calls c on c."to" = number
      where c.workspace_id = ${db.workspaceId} and direction = 'OUTBOUND' and began_at > ${since}
        and c.id <> all (${withoutCalls}::text[])) as begun
    group by "to"`
  const counts = new Map(rows.map(({ to, count }) => [to, count]))
  return (number: string) => counts.get(number) ?? 0
}
