import { type Static, Type } from 'typebox'
import type { Db } from '#kernel/db/handles.ts'
import { type Sql, empty, sql } from '#kernel/db/sql.ts'
import { custom, equals, filters, oneOf } from '#kernel/http/filters.ts'
import { newestOf } from '#kernel/http/newest-of.ts'
import type { Page } from '#kernel/http/paging.ts'
import { within } from '#kernel/reach.ts'
import { reference } from '#kernel/records/fields.ts'
import { ChannelSchema, channels } from '../senders/public.ts'
import { conversationsFor } from './conversations/conversation-queries.ts'
import { conversationRecord } from './conversations/conversation.ts'
import { directions, messageRecord, messageStatuses } from './message.ts'
import { inReach } from './queries.ts'

export const messageFilters = filters({
  contact_id: custom(reference('contact', 'Return only messages to and from this contact.')),
  channel: oneOf(ChannelSchema),
  direction: oneOf(Type.Enum(directions)),
  status: oneOf(Type.Enum(messageStatuses)),
  conversation_id: equals(
    Type.String({ maxLength: 40, description: 'Return only messages of this conversation.' }),
  ),
})

type MessageQuery = Static<typeof messageFilters.query>

/** A page of messages, the newest first. `masked`: whether the reader sees only masked values. */
export const listMessages = (db: Db, query: MessageQuery, page: Page, masked = false) =>
  db.many(messageRecord.Row)`
    select ${messageRecord.columns} from messages
    where workspace_id = ${db.workspaceId} ${inReach(db)} ${byFilters(db, masked, query, page)} ${page.keyset()}`

function byFilters(db: Db, masked: boolean, query: MessageQuery, page: Page): Sql {
  const { contact_id, conversation_id, channel, direction, status } = query
  if (contact_id !== undefined || conversation_id !== undefined)
    return sql`${messageFilters.where(query)}
      ${contact_id === undefined ? empty : ofContact(db, masked, contact_id)}
      ${conversation_id === undefined ? empty : shownWhole(db, masked)}`
  const isNarrowed = channel !== undefined || direction !== undefined || status !== undefined
  if (!isNarrowed && db.reach === 'all') return empty
  const ofChannels = channel ?? channels
  const ofDirections: readonly string[] = direction ?? directions
  const statuses = (status ?? messageStatuses).filter((one) =>
    ofDirections.includes(one === 'received' ? 'INBOUND' : 'OUTBOUND'),
  )
  const columns =
    status === undefined && db.reach !== 'all'
      ? { channel: ofChannels, direction: ofDirections }
      : { status: statuses, channel: ofChannels }
  return newestOf(db, page, { table: 'messages', owner: 'owner_id', author: 'author_id', columns })
}

/** ` and …`: the rows of which the reader sees the contact, and in messages the conversation. */
const shownWhole = (db: Db, masked: boolean): Sql =>
  sql`${within(db, sql`owner_id`)} ${masked ? sql`and hidden_from is null` : empty}`

/** ` and …`: the rows that show the reader this contact: its own, and those whose author named it. */
export const ofContact = (db: Db, masked: boolean, contactId: string): Sql => sql`
  and ((contact_id = ${contactId} ${shownWhole(db, masked)}) or addressed_contact_id = ${contactId})`

export const conversationFilters = filters({
  contact_id: custom(reference('contact', 'Return only conversations with this contact.')),
  channel: oneOf(ChannelSchema),
})

type ConversationQuery = Static<typeof conversationFilters.query>

export const listConversations = (db: Db, query: ConversationQuery, page: Page, masked = false) =>
  db.many(conversationRecord.Row)`
    select ${conversationRecord.columns} from ${conversationsFor(db, masked)}
    where workspace_id = ${db.workspaceId} ${within(db, sql`owner_id`)} ${ofConversations(db, query, page, masked)} ${page.keyset()}`

function ofConversations(db: Db, query: ConversationQuery, page: Page, masked: boolean): Sql {
  const { contact_id, channel } = query
  // The newest of the table are not the newest that a masked reader sees.
  if (contact_id === undefined && masked) return conversationFilters.where(query)
  if (contact_id !== undefined) return sql`${conversationFilters.where(query)} and contact_id = ${contact_id}`
  if (channel === undefined && db.reach === 'all') return empty
  const columns = { channel: channel ?? channels }
  return newestOf(db, page, { table: 'conversations', owner: 'owner_id', columns })
}
