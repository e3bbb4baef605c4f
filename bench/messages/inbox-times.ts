import type { Database } from '@gable/server/src/kernel/db/database.ts'
import type { Reach } from '@gable/server/src/kernel/db/handles.ts'
import { createPage, newestFirst } from '@gable/server/src/kernel/http/paging.ts'
import {
  type messageFilters,
  listConversations,
  listMessages,
} from '@gable/server/src/modules/messages/inbox-queries.ts'
import type { Static } from 'typebox'
import { connected } from '../databases.ts'
import { timeQuestions } from '../question-times.ts'
import type { SearchTime } from '../search-times.ts'
import { messageId, reaches } from './inbox.ts'

type Filters = Static<typeof messageFilters.query>

interface Question {
  kind: string
  named: string
  filters: Filters
  reach: Reach
  /** The page begins after this message. */
  after: string | null
  of: 'messages' | 'conversations'
}

/** Times the queries of an inbox. */
export async function timeInbox(
  url: string,
  workspaceId: string,
  messages: number,
  rounds: number,
): Promise<SearchTime[]> {
  const questions = await questionsAbout(url, workspaceId, messages)
  return timeQuestions(
    url,
    questions.map((question) => ({ ...question, ask: (database) => ask(database, workspaceId, question) })),
    rounds,
  )
}

function ask(database: Database, workspaceId: string, { filters, reach, after, of }: Question) {
  const page = createPage(after === null ? null : { id: after }, 50, '', newestFirst)
  const db = database.reads(workspaceId, reach)
  if (of === 'messages') return listMessages(db, filters, page)
  const { contact_id, channel } = filters
  return listConversations(
    db,
    { ...(contact_id === undefined ? {} : { contact_id }), ...(channel === undefined ? {} : { channel }) },
    page,
  )
}

async function questionsAbout(url: string, workspaceId: string, messages: number): Promise<Question[]> {
  const people = await connected(url, async (client) => {
    const { rows } = await client.query<{ id: string; contact_id: string }>(
      'select id, contact_id from conversations where workspace_id = $1 order by hashtext(id) limit 5',
      [workspaceId],
    )
    return rows
  })
  const [channels, directions] = [['SMS', 'WHATSAPP', 'EMAIL'] as const, ['INBOUND', 'OUTBOUND'] as const]
  const statuses = ['delivered', 'received', 'blocked', 'undelivered', 'unknown', 'scheduled'] as const
  const filters: [kind: string, Filters][] = [
    ['none', {}],
    ...channels.map((channel): [string, Filters] => ['channel', { channel: [channel] }]),
    ...directions.map((direction): [string, Filters] => ['direction', { direction: [direction] }]),
    ...statuses.map((status): [string, Filters] => ['status', { status: [status] }]),
    ...people.map(({ contact_id }): [string, Filters] => ['contact', { contact_id }]),
    ...people.map(({ id }): [string, Filters] => ['conversation', { conversation_id: id }]),
    ...channels.flatMap((channel) =>
      directions.map((direction): [string, Filters] => [
        'channel and direction',
        { channel: [channel], direction: [direction] },
      ]),
    ),
    ...channels.flatMap((channel) =>
      statuses.map((status): [string, Filters] => [
        'channel and status',
        { channel: [channel], status: [status] },
      ]),
    ),
    ...directions.flatMap((direction) =>
      statuses.map((status): [string, Filters] => [
        'direction and status',
        { direction: [direction], status: [status] },
      ]),
    ),
    ...people.flatMap(({ contact_id }) =>
      statuses.map((status): [string, Filters] => ['contact and status', { contact_id, status: [status] }]),
    ),
  ]
  const deep = messageId(Math.floor(messages / 3))
  const pagesOf = (question: Omit<Question, 'after'>, later = question.kind): [Question, Question] => [
    { ...question, after: null },
    { ...question, kind: later, after: deep },
  ]
  const everyone = filters.flatMap(([kind, one]) =>
    pagesOf({ kind, named: named(one), filters: one, reach: 'all', of: 'messages' }, `${kind}, a later page`),
  )
  const limited = reaches.flatMap(({ who, members }) =>
    filters.flatMap(([, one]) =>
      pagesOf({ kind: `of ${who}`, named: named(one), filters: one, reach: members, of: 'messages' }),
    ),
  )
  const conversationFilters = [
    {},
    ...channels.map((channel) => ({ channel: [channel] })),
    ...people.map(({ contact_id }) => ({ contact_id })),
  ]
  const conversations = [
    { kind: 'conversations', reach: 'all' as const },
    ...reaches.map(({ who, members }) => ({ kind: `conversations of ${who}`, reach: members })),
  ].flatMap((one) =>
    conversationFilters.map((filter): Question => ({
      ...one,
      named: named(filter),
      filters: filter,
      after: null,
      of: 'conversations',
    })),
  )
  return [...everyone, ...limited, ...conversations]
}

const named = (filters: Filters) => Object.values(filters).join(' + ') || 'no filter'
