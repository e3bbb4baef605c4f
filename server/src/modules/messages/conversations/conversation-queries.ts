import { Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { type Sql, raw, sql } from '#kernel/db/sql.ts'
import { within } from '#kernel/reach.ts'
import type { Send } from '../../compliance/public.ts'
import { type Point, ownerOfContact } from '../../contacts/public.ts'
import { ChannelSchema, sendChannels } from '../../senders/public.ts'
import type { Message } from '../message.ts'
import { type Suggestion, conversationRecord } from './conversation.ts'

/** Conversations belong to the owner of their contact. */
const inReach = (db: Db): Sql => within(db, sql`owner_id`)

const IdRow = Type.Object({ id: Type.String() })

/**
 * The table, as the reader sees it: to a masked one, without the messages of masked credentials to bare numbers. They would
 * reveal to their author whose number it is. A conversation of such messages alone does not exist.
 */
export const conversationsFor = (db: Db, masked: boolean): Sql => {
  if (!masked) return sql`conversations`
  const ofConversation = sql`from messages m where m.workspace_id = ${db.workspaceId} and m.conversation_id = c.id`
  const seen = sql`${ofConversation} and m.hidden_from is null`
  const shown = (name: string, value: Sql) =>
    sql`case when hides then (${value}) else c.${raw(name)} end as ${raw(name)}`
  const last = sql`select m.created_at ${seen} order by m.id desc limit 1`
  return sql`(
      select c.workspace_id, c.owner_id, c.id, c.sender_id, c.channel, c.address, c.contact_id, c.last_inbound_at, c.suggestion,
        ${shown('last_message_id', sql`select m.id ${seen} order by m.id desc limit 1`)}, ${shown('last_message_at', last)},
        ${shown('last_outbound_at', sql`select m.created_at ${seen} and m.direction = 'OUTBOUND' order by m.id desc limit 1`)},
        ${shown('created_at', sql`select m.created_at ${seen} order by m.id limit 1`)}, ${shown('updated_at', last)}
      from conversations c, lateral (
        select exists (select ${ofConversation} and m.hidden_from is not null) as hides) as hidden
      where c.workspace_id = ${db.workspaceId} and (not hides or exists (select ${seen}))) as conversations`
}

export const findConversation = (db: Db, id: string, masked = false) =>
  db.maybeOne(conversationRecord.Row)`
    select ${conversationRecord.columns} from ${conversationsFor(db, masked)}
    where workspace_id = ${db.workspaceId} and id = ${id} ${inReach(db)}`

/** The subset of these conversations that are in reach. */
export const listReachableConversations = async (db: Db, ids: readonly string[]): Promise<string[]> => {
  const rows = await db.many(IdRow)`
    select id from conversations
    where workspace_id = ${db.workspaceId} and id = any (${ids}::text[]) ${inReach(db)}`
  return rows.map(({ id }) => id)
}

export interface ConversationTurn {
  id: string
  senderId: string
  channel: Message['channel']
  address: string
  contactId: string | null
  messageId: string
  direction: Message['direction']
  at: string
  /** For an inbound message: whether the person wrote it, which lets replies count as such for 24 hours. Default true. */
  opensWindow?: boolean
  /** Whether the AI's suggestion stays, because the message does not count as the person's. */
  keepsSuggestion?: boolean
}

/**
 * Adds a message to the conversation between a sender and an address, and creates the conversation with the first one.
 * Removes the AI's suggestion, unless it stays. Returns the id of the conversation.
 */
export const turnConversation = async (tx: WorkspaceTx, turn: ConversationTurn): Promise<string> => {
  const { id, senderId, channel, address, contactId, messageId, direction, at, opensWindow = true } = turn
  const { keepsSuggestion = false } = turn
  const inbound = direction === 'INBOUND' && opensWindow ? at : null
  const outbound = direction === 'OUTBOUND' ? at : null
  const row = await tx.one(IdRow)`
    insert into conversations as known (workspace_id, id, sender_id, channel, address, contact_id, owner_id,
      last_message_id, last_message_at, last_inbound_at, last_outbound_at, created_at, updated_at)
    values (${tx.workspaceId}, ${id}, ${senderId}, ${channel}, ${address}, ${contactId}, ${ownerOfContact(tx, contactId)},
      ${messageId}, ${at}, ${inbound}, ${outbound}, ${at}, ${at})
    on conflict (workspace_id, address, sender_id) do update set
      contact_id = coalesce(known.contact_id, excluded.contact_id),
      owner_id = case when known.contact_id is null then excluded.owner_id else known.owner_id end,
      last_message_id = greatest(known.last_message_id, excluded.last_message_id),
      last_message_at = greatest(known.last_message_at, excluded.last_message_at),
      last_inbound_at = greatest(known.last_inbound_at, excluded.last_inbound_at),
      last_outbound_at = greatest(known.last_outbound_at, excluded.last_outbound_at),
      suggestion = case when ${keepsSuggestion}::boolean then known.suggestion end,
      updated_at = greatest(known.updated_at, excluded.updated_at)
    returning id`
  return row.id
}

/** Saves the response that the AI suggests; null removes it. The caller holds the person's locks. */
export const saveSuggestion = (tx: WorkspaceTx, id: string, suggestion: Suggestion | null): void =>
  tx.write`
    update conversations set suggestion = ${suggestion === null ? null : JSON.stringify(suggestion)}
    where workspace_id = ${tx.workspaceId} and id = ${id} ${inReach(tx)}`

const SenderRow = Type.Object({ sender_id: Type.String() })

/** The sender that this address last wrote to on this channel, or else the one that last wrote to it. */
export const findLastSender = async (db: Db, channel: Message['channel'], address: string) => {
  const row = await db.maybeOne(SenderRow)`
    select sender_id from conversations
    where workspace_id = ${db.workspaceId} and address = ${address} and channel = ${channel}
    order by last_inbound_at desc nulls last, last_outbound_at desc nulls last limit 1`
  return row?.sender_id
}

const SenderOfRow = Type.Object({ address: Type.String(), sender_id: Type.String() })

/** The same as `findLastSender` for many addresses, as a map. Addresses without a conversation are missing. */
export const listLastSenders = async (db: Db, channel: Message['channel'], addresses: readonly string[]) => {
  const rows = await db.many(SenderOfRow)`
    select distinct on (address) address, sender_id from conversations
    where workspace_id = ${db.workspaceId} and address = any (${addresses}::text[]) and channel = ${channel}
    order by address, last_inbound_at desc nulls last, last_outbound_at desc nulls last`
  return new Map(rows.map(({ address, sender_id }) => [address, sender_id]))
}

const InboundRow = Type.Object({
  address: Type.String(),
  channel: ChannelSchema,
  last_inbound_at: Type.String(),
})

/** Returns a function from an address to when it last wrote to the workspace, by channel, in epoch milliseconds. */
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

const ExchangeRow = Type.Object({
  inbound: Type.Union([Type.String(), Type.Null()]),
  outbound: Type.Union([Type.String(), Type.Null()]),
})

/** When a contact last wrote, and when the workspace last wrote to them, on any channel. */
export const findLastExchange = (db: Db, contactId: string) =>
  db.one(ExchangeRow)`
    select max(last_inbound_at) as inbound, max(last_outbound_at) as outbound from conversations
    where workspace_id = ${db.workspaceId} and contact_id = ${contactId} ${inReach(db)}`

const ContactRow = Type.Object({ contact_id: Type.String() })

/** The one of these contacts to whom the sender last wrote at one of these points. */
export const findLastWrittenTo = async (
  db: Db,
  {
    senderId,
    points,
    contactIds,
  }: { senderId: string | null; points: readonly Point[]; contactIds: readonly string[] },
): Promise<string | undefined> => {
  const values = points.map(({ value }) => value)
  const row = await db.maybeOne(ContactRow)`
    select contact_id from messages
    where workspace_id = ${db.workspaceId} and "to" = any (${values}::text[]) and direction = 'OUTBOUND'
      and sender_id = ${senderId} and contact_id = any (${contactIds}::text[]) and status not in ('blocked', 'cancelled')
    order by id desc limit 1`
  return row?.contact_id
}
