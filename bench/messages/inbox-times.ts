import type { Static } from 'typebox'
import { type Database, openDatabase } from '#kernel/db/database.ts'
import { createPage, newestFirst } from '#kernel/http/paging.ts'
import { createLog } from '#kernel/log.ts'
import type { Reach } from '#kernel/reach.ts'
import { type messageFilters, listConversations, listMessages } from '#modules/messages/queries.ts'
import { connected } from '../databases.ts'
import { progress } from '../progress.ts'
import { type SearchTime, summarize } from '../search-times.ts'
import { agents, messageId } from './inbox.ts'

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

/** A question that is slow is asked so often at least, and then no more once it has taken so long in all. */
const least = 5
const patienceMs = 500

/**
 * Asks an inbox each question so often, in mixed order, through the product's own statements and roles, and times them from this
 * side: database time and one round trip.
 */
export async function timeInbox(
  url: string,
  workspaceId: string,
  messages: number,
  rounds: number,
): Promise<SearchTime[]> {
  const questions = await questionsAbout(url, workspaceId, messages)
  await using database = openDatabase({ url, log: createLog('warn'), checked: false })
  const taken = new Map<Question, number[]>(questions.map((question) => [question, []]))
  for (let round = 0; round < rounds; round++) {
    // Another stride each round: what the question before left in the caches differs.
    for (let i = 0; i < questions.length; i++) {
      const question = questions[(i * 1009 + round * 11) % questions.length]
      if (question === undefined) continue
      const times = taken.get(question) ?? []
      if (times.length >= least && times.reduce((sum, one) => sum + one, 0) > patienceMs) continue
      const started = performance.now()
      await ask(database, workspaceId, question)
      // The first round prepares the statements.
      if (round > 0) times.push(performance.now() - started)
    }
    if (round % 10 === 0) progress(`the inbox: ${round} of ${rounds} rounds`)
  }
  return summarize(taken)
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
    ...channels.map((channel): [string, Filters] => ['channel', { channel }]),
    ...directions.map((direction): [string, Filters] => ['direction', { direction }]),
    ...statuses.map((status): [string, Filters] => ['status', { status }]),
    ...people.map(({ contact_id }): [string, Filters] => ['contact', { contact_id }]),
    ...people.map(({ id }): [string, Filters] => ['conversation', { conversation_id: id }]),
    ...channels.flatMap((channel) =>
      directions.map((direction): [string, Filters] => ['channel and direction', { channel, direction }]),
    ),
    ...channels.flatMap((channel) =>
      statuses.map((status): [string, Filters] => ['channel and status', { channel, status }]),
    ),
    ...directions.flatMap((direction) =>
      statuses.map((status): [string, Filters] => ['direction and status', { direction, status }]),
    ),
    ...people.flatMap(({ contact_id }) =>
      statuses.map((status): [string, Filters] => ['contact and status', { contact_id, status }]),
    ),
  ]
  const everyone = filters.flatMap(([kind, one]): Question[] => {
    const question = { kind, named: named(one), filters: one, reach: 'all' as const, of: 'messages' as const }
    const deep = messageId(Math.floor(messages / 3))
    return [
      { ...question, after: null },
      { ...question, kind: `${kind}, a later page`, after: deep },
    ]
  })
  const limited = agents.flatMap((agent) =>
    filters
      .filter(([kind]) => ['none', 'channel', 'direction', 'status'].includes(kind))
      .map(([, one]): Question => ({
        kind: `of an agent with ${agent.share}`,
        named: named(one),
        filters: one,
        reach: [agent.id],
        after: null,
        of: 'messages',
      })),
  )
  const conversations = [
    {},
    ...channels.map((channel) => ({ channel })),
    ...people.map(({ contact_id }) => ({ contact_id })),
  ].map((one): Question => ({
    kind: 'conversations',
    named: named(one),
    filters: one,
    reach: 'all',
    after: null,
    of: 'conversations',
  }))
  return [...everyone, ...limited, ...conversations]
}

const named = (filters: Filters) => Object.values(filters).join(' + ') || 'no filter'
