import { type Static, Type } from 'typebox'
import type { Db } from '#kernel/db/handles.ts'
import { type Sql, empty, join, raw, sql } from '#kernel/db/sql.ts'
import { custom, equals, filters } from '#kernel/http/filters.ts'
import type { Page } from '#kernel/http/paging.ts'
import { reference } from '#kernel/records/fields.ts'
import { ChannelSchema, channels } from '../senders/public.ts'
import { conversationRecord } from './conversation.ts'
import { directions, messageRecord, messageStatuses } from './message.ts'
import { inReach } from './queries.ts'

export const messageFilters = filters({
  contact_id: custom(reference('contact', 'Messages to and from this contact.')),
  channel: equals(ChannelSchema),
  direction: equals(Type.Enum(directions)),
  status: equals(Type.Enum(messageStatuses)),
  conversation_id: equals(Type.String({ maxLength: 40, description: 'Messages of this conversation.' })),
})

type MessageQuery = Static<typeof messageFilters.query>

/** A page of messages, the newest first. */
export const listMessages = (db: Db, query: MessageQuery, page: Page) =>
  db.many(messageRecord.Row)`
    select ${messageRecord.columns} from messages
    where workspace_id = ${db.workspaceId} ${inReach(db)} ${byFilters(db, query, page)} ${page.keyset()}`

function byFilters(db: Db, query: MessageQuery, page: Page): Sql {
  const { contact_id, conversation_id, channel, direction, status } = query
  const isOfOne = contact_id !== undefined || conversation_id !== undefined
  const isNarrowed = channel !== undefined || direction !== undefined || status !== undefined
  const isOfOwners = ownersOf(db) !== undefined
  if (isOfOne || (!isNarrowed && !isOfOwners))
    return sql`${messageFilters.where(query)} ${contact_id === undefined ? empty : sql`and contact_id = ${contact_id}`}`
  const ofChannels = channel === undefined ? channels : [channel]
  const ofDirections = direction === undefined ? directions : [direction]
  if (status === undefined && isOfOwners)
    return newestOf(db, sql`messages`, page, { channel: ofChannels, direction: ofDirections })
  const statuses = messageStatuses
    .filter((one) => status === undefined || one === status)
    .filter((one) => ofDirections.includes(one === 'received' ? 'INBOUND' : 'OUTBOUND'))
  return newestOf(db, sql`messages`, page, { status: statuses, channel: ofChannels })
}

export const conversationFilters = filters({
  contact_id: custom(reference('contact', 'Conversations with this contact.')),
  channel: equals(ChannelSchema),
})

type ConversationQuery = Static<typeof conversationFilters.query>

export const listConversations = (db: Db, query: ConversationQuery, page: Page) =>
  db.many(conversationRecord.Row)`
    select ${conversationRecord.columns} from conversations
    where workspace_id = ${db.workspaceId} ${inReach(db)} ${ofConversations(db, query, page)} ${page.keyset()}`

function ofConversations(db: Db, query: ConversationQuery, page: Page): Sql {
  const { contact_id, channel } = query
  if (contact_id !== undefined) return sql`${conversationFilters.where(query)} and contact_id = ${contact_id}`
  if (channel === undefined && ownersOf(db) === undefined) return empty
  return newestOf(db, sql`conversations`, page, { channel: channel === undefined ? channels : [channel] })
}

/** Of the reach of so many members, the messages of each are in an index of their own; a larger one is that of most of a workspace. */
const mostOwners = 100

/**
 * ` and id = any (…)`: a page of the rows that have one of the values in each of these columns, and an owner in reach. An index has
 * those of each combination in the order of their ids, so it takes the newest of each: however few there are, it reads no others.
 */
function newestOf(db: Db, table: Sql, page: Page, columnValues: Record<string, readonly string[]>): Sql {
  const owners = ownersOf(db)
  const wanted = Object.entries({ ...(owners === undefined ? {} : { owner_id: owners }), ...columnValues })
  const series = wanted.map(([name, all]) => sql`unnest(${all}::text[]) as ${raw(`wanted_${name}`)}`)
  const isOfSeries = wanted.map(([name]) => sql`and ${raw(`${name} = wanted_${name}`)}`)
  return sql` and id = any (array(
    select newest.id from ${join(series)}, lateral (
      select id from ${table}
      where workspace_id = ${db.workspaceId} ${join(isOfSeries, ' ')} ${owners === undefined ? inReach(db) : empty}
        ${page.keyset()}) newest
    where true ${page.keyset('newest')}))`
}

const ownersOf = ({ reach }: Db) => (reach === 'all' || reach.length > mostOwners ? undefined : reach)
