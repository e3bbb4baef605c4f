import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { type Sql, empty, sql } from '#kernel/db/sql.ts'
import { custom, equals, filters } from '#kernel/http/filters.ts'
import type { Page } from '#kernel/http/paging.ts'
import { firstIdAt } from '#kernel/ids.ts'
import { assignments, values } from '#kernel/records/columns.ts'
import { reference } from '#kernel/records/fields.ts'
import type { Send } from '../compliance/public.ts'
import { findReachable } from '../contacts/public.ts'
import { ChannelSchema, channels, sendChannels } from '../senders/public.ts'
import { conversationRecord } from './conversation.ts'
import { type Message, directions, messageRecord, messageStatuses } from './message.ts'
import { maxHoldMs } from './outbox/schedule.ts'

const { Row, columns } = messageRecord

const json = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value))

const IdRow = Type.Object({ id: Type.String() })

/** ` and contact_id in (…)`: the records of contacts in reach; empty where all are. */
const inReach = (db: Db): Sql => {
  const reachable = findReachable(db)
  return reachable === undefined ? empty : sql` and contact_id in (${reachable})`
}

export const findMessage = (db: Db, id: string) =>
  db.maybeOne(Row)`
    select ${columns} from messages where workspace_id = ${db.workspaceId} and id = ${id} ${inReach(db)}`

export const lockMessage = (tx: Db, id: string) =>
  tx.maybeOne(Row)`
    select ${columns} from messages
    where workspace_id = ${tx.workspaceId} and id = ${id} ${inReach(tx)} for update`

/** The message that repeats this one; not one that never left, because a gate forbade it or it was cancelled. */
export const findResendOf = (db: Db, id: string) =>
  db.maybeOne(IdRow)`
    select id from messages
    where workspace_id = ${db.workspaceId} and resend_of = ${id} and status not in ('blocked', 'cancelled')
    limit 1`

/** For what acts for the workspace as a whole. */
export const listMessagesById = (db: Db, ids: readonly string[]) =>
  db.many(Row)`
    select ${columns} from messages where workspace_id = ${db.workspaceId} and id = any (${ids}::text[]) ${inReach(db)}`

/** The same, locked, in the order of their ids. */
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

/** Adds what a provider says of an attempt that has ended. */
export const noteDelay = (tx: WorkspaceTx, attemptId: string, detail: object): void =>
  tx.write`
    update message_attempts set detail = ${json(detail)}
    where workspace_id = ${tx.workspaceId} and id = ${attemptId}`

export const messageFilters = filters({
  contact_id: custom(reference('contact', 'Messages to and from this contact.')),
  channel: equals(ChannelSchema),
  direction: equals(Type.Enum(directions)),
  status: equals(Type.Enum(messageStatuses)),
  conversation_id: equals(Type.String({ maxLength: 40, description: 'Messages of this conversation.' })),
})

type MessageQuery = Static<typeof messageFilters.query>

/**
 * A page of messages, the newest first. For a status, a channel or a direction it looks at the newest of each channel and status,
 * which are in the order of their ids: however few a filter finds, no other messages are read.
 */
export const listMessages = (db: Db, query: MessageQuery, page: Page) =>
  db.many(Row)`
    select ${columns} from messages
    where workspace_id = ${db.workspaceId} ${inReach(db)} ${byFilters(db, query, page)} ${page.keyset()}`

function byFilters(db: Db, query: MessageQuery, page: Page): Sql {
  const { contact_id, conversation_id, channel, direction, status } = query
  const isOfOne = contact_id !== undefined || conversation_id !== undefined
  const isNarrowed = channel !== undefined || direction !== undefined || status !== undefined
  if (isOfOne || !isNarrowed || db.reach !== 'all')
    return sql`${messageFilters.where(query)} ${contact_id === undefined ? empty : sql`and contact_id = ${contact_id}`}`
  const statuses = messageStatuses
    .filter((one) => status === undefined || one === status)
    .filter((one) => direction === undefined || (one === 'received') === (direction === 'INBOUND'))
  return sql`and id = any (array(
    select newest.id from unnest(${statuses}::text[]) as wanted_status, unnest(${channel === undefined ? channels : [channel]}::text[]) as wanted_channel,
      lateral (
        select id from messages
        where workspace_id = ${db.workspaceId} and status = wanted_status and channel = wanted_channel ${page.keyset()}) newest))`
}

/** The newest messages to and from a contact. */
export const listMessagesOfContact = (db: Db, contactId: string, limit: number) =>
  db.many(Row)`
    select ${columns} from messages
    where workspace_id = ${db.workspaceId} ${inReach(db)} and contact_id = ${contactId} order by id desc limit ${limit}`

const valuesOf = ({ workspaceId }: Db, { template, compliance, error, actor, ...row }: Message) =>
  values({
    workspace_id: workspaceId,
    ...row,
    template: json(template),
    compliance: json(compliance),
    error: json(error),
    actor: json(actor),
  })

export const insertMessage = (tx: WorkspaceTx, message: Message) =>
  tx.write`insert into messages ${valuesOf(tx, message)}`

/** Adds a message that a provider reports. False if it is there already. */
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

export const findConversation = (db: Db, id: string) =>
  db.maybeOne(conversationRecord.Row)`
    select ${conversationRecord.columns} from conversations
    where workspace_id = ${db.workspaceId} and id = ${id} ${inReach(db)}`

export const conversationFilters = filters({
  contact_id: custom(reference('contact', 'Conversations with this contact.')),
  channel: equals(ChannelSchema),
})

export const listConversations = (db: Db, query: Static<typeof conversationFilters.query>, page: Page) =>
  db.many(conversationRecord.Row)`
    select ${conversationRecord.columns} from conversations
    where workspace_id = ${db.workspaceId} ${inReach(db)} ${conversationFilters.where(query)}
      ${query.contact_id === undefined ? empty : sql`and contact_id = ${query.contact_id}`} ${page.keyset()}`

export interface ConversationTurn {
  id: string
  senderId: string
  channel: Message['channel']
  address: string
  contactId: string | null
  messageId: string
  direction: Message['direction']
  at: string
  /** Of what was received: whether the person wrote it, so that a reply is one for 24 hours. */
  opensWindow?: boolean
}

/** Adds a message to the conversation of a sender and an address, which begins with its first one. Returns its id. */
export const turnConversation = async (tx: WorkspaceTx, turn: ConversationTurn): Promise<string> => {
  const { id, senderId, channel, address, contactId, messageId, direction, at, opensWindow = true } = turn
  const inbound = direction === 'INBOUND' && opensWindow ? at : null
  const outbound = direction === 'OUTBOUND' ? at : null
  const row = await tx.one(IdRow)`
    insert into conversations as known (workspace_id, id, sender_id, channel, address, contact_id, last_message_id,
      last_message_at, last_inbound_at, last_outbound_at, created_at, updated_at)
    values (${tx.workspaceId}, ${id}, ${senderId}, ${channel}, ${address}, ${contactId}, ${messageId}, ${at}, ${inbound},
      ${outbound}, ${at}, ${at})
    on conflict (workspace_id, sender_id, address) do update set
      contact_id = coalesce(known.contact_id, excluded.contact_id),
      last_message_id = greatest(known.last_message_id, excluded.last_message_id),
      last_message_at = greatest(known.last_message_at, excluded.last_message_at),
      last_inbound_at = greatest(known.last_inbound_at, excluded.last_inbound_at),
      last_outbound_at = greatest(known.last_outbound_at, excluded.last_outbound_at),
      updated_at = greatest(known.updated_at, excluded.updated_at)
    returning id`
  return row.id
}

/** The last message that was received in a conversation. */
export const findLastReceived = async (db: Db, conversationId: string): Promise<string | undefined> => {
  const row = await db.maybeOne(IdRow)`
    select id from messages
    where workspace_id = ${db.workspaceId} and conversation_id = ${conversationId} and direction = 'INBOUND'
    order by id desc limit 1`
  return row?.id
}

const SenderRow = Type.Object({ sender_id: Type.String() })

/** The sender that the person last wrote to on this channel, else the one that last wrote to them. */
export const findLastSender = async (db: Db, channel: Message['channel'], address: string) => {
  const row = await db.maybeOne(SenderRow)`
    select sender_id from conversations
    where workspace_id = ${db.workspaceId} and address = ${address} and channel = ${channel}
    order by last_inbound_at desc nulls last, last_outbound_at desc nulls last limit 1`
  return row?.sender_id
}

const InboundRow = Type.Object({
  address: Type.String(),
  channel: ChannelSchema,
  last_inbound_at: Type.String(),
})

/** When each address last wrote to the workspace, by channel, in epoch milliseconds. */
export const listLastInbound = async (db: Db, addresses: readonly string[]) => {
  const rows = await db.many(InboundRow)`
    select address, channel, max(last_inbound_at) as last_inbound_at from conversations
    where workspace_id = ${db.workspaceId} and address = any (${addresses}::text[]) and last_inbound_at is not null
    group by address, channel`
  const known = Map.groupBy(rows, ({ address }) => address)
  return (address: string): Partial<Record<Send['channel'], number>> =>
    Object.fromEntries(
      (known.get(address) ?? []).map((row) => [sendChannels[row.channel], Date.parse(row.last_inbound_at)]),
    )
}

const ConfirmedRow = Type.Object({ to: Type.String(), at: Type.String() })

/** When the latest confirmation of an opt-out was written that has left for each number, or may have. */
export const listConfirmations = async (db: Db, numbers: readonly string[]) => {
  const rows = await db.many(ConfirmedRow)`
    select "to", max(m.created_at) as at ${outboundTo(db, numbers)} and kind = 'opt_out_confirmation' group by "to"`
  return new Map(rows.map(({ to, at }) => [to, at]))
}

/** Messages to these numbers that have left, or may have. Each number is looked up by itself, whatever the planner knows. */
const outboundTo = (db: Db, numbers: readonly string[]) => sql`
  from unnest(${numbers}::text[]) as number
    join conversations c on c.workspace_id = ${db.workspaceId} and c.address = number
    join messages m on m.workspace_id = ${db.workspaceId} and m.conversation_id = c.id
  where direction = 'OUTBOUND' and status in ('sending', 'sent', 'delivered', 'read', 'undelivered', 'unknown')`

const CountRow = Type.Object({ to: Type.String(), count: Type.Integer() })

/** How many marketing messages by phone began for each number since then, or may have. */
export const listMarketingCounts = async (db: Db, numbers: readonly string[], since: Date) => {
  const rows = await db.many(CountRow)`
    select "to", count(*)::integer as count ${outboundTo(db, numbers)}
      and m.channel in ('SMS', 'WHATSAPP') and message_class = 'marketing'
      and coalesce(compliance ->> 'effective_purpose', purpose) = 'outbound'
      and coalesce(sent_at, m.updated_at) > ${since} and m.id >= ${firstIdAt(since.getTime() - maxHoldMs)}
    group by "to"`
  const counts = new Map(rows.map(({ to, count }) => [to, count]))
  return (number: string) => counts.get(number) ?? 0
}
