import { Type } from 'typebox'
import { later } from '#kernel/clock.ts'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { firstIdAt } from '#kernel/ids.ts'
import { textOfHtml } from '#kernel/text-of-html.ts'

const IdRow = Type.Object({ id: Type.String() })

/** Those of these provider message ids whose messages are recorded. */
export const listRecorded = async (
  db: Db,
  connectionId: string,
  providerMessageIds: readonly string[],
): Promise<Set<string>> => {
  const rows = await db.many(IdRow)`
    select provider_message_id as id from messages
    where workspace_id = ${db.workspaceId} and connection_id = ${connectionId}
      and provider_message_id = any (${providerMessageIds}::text[])`
  return new Set(rows.map(({ id }) => id))
}

const OurRow = Type.Object({
  subject: Type.Union([Type.String(), Type.Null()]),
  body: Type.Union([Type.String(), Type.Null()]),
  body_html: Type.Union([Type.String(), Type.Null()]),
})

/** How many of our last texts in a conversation may be quoted. */
const mostQuoted = 30

/** Our last texts to these numbers and addresses, and in this conversation. */
export const listOurTexts = async (
  db: Db,
  { addresses, conversationId }: { addresses: readonly string[]; conversationId: string | null },
): Promise<string[]> => {
  const rows = await db.many(OurRow)`
    select sent.subject, sent.body, left(sent.body_html, 20000) as body_html from conversations c, lateral (
      select id, subject, body, case when body is null then body_html end as body_html from messages
      where workspace_id = ${db.workspaceId} and conversation_id = c.id and direction = 'OUTBOUND'
        and status in ('sending', 'sent', 'delivered', 'read', 'undelivered', 'unknown')
      order by id desc limit ${mostQuoted}) sent
    where c.workspace_id = ${db.workspaceId} and (c.address = any (${addresses}::text[]) or c.id = ${conversationId})
    order by sent.id desc limit ${mostQuoted}`
  return rows.flatMap(({ subject, body, body_html }) => [
    ...(subject === null ? [] : [subject]),
    body ?? textOfHtml(body_html ?? ''),
  ])
}

const CountRow = Type.Object({ count: Type.Integer() })

/** How many responses to HELP were written in a conversation since then. */
export const countHelps = async (db: Db, conversationId: string | null, since: Date): Promise<number> => {
  const { count } = await db.one(CountRow)`
    select count(*)::integer as count from messages
    where workspace_id = ${db.workspaceId} and conversation_id = ${conversationId} and kind = 'help'
      and id >= ${firstIdAt(since.getTime())}`
  return count
}

const hourMs = 3_600_000

/** A callback comes within an hour. Some carriers report no final status; Gable stops asking about old texts. */
const callbackMs = hourMs
const oldMs = 7 * 24 * hourMs

/** Texts that were sent an hour ago, have no final status, and were not looked up. */
export const listWithoutFinalStatus = async (db: Db, at: Date, limit: number): Promise<string[]> => {
  const sentBy = later(at, -callbackMs)
  const rows = await db.many(IdRow)`
    select id from messages
    where workspace_id = ${db.workspaceId} and status = 'sent' and channel = 'SMS'
      and id >= ${firstIdAt(at.getTime() - oldMs)} and id < ${firstIdAt(sentBy.getTime())}
      and sent_at <= ${sentBy} and provider_message_id is not null and status_sought_at is null
    order by id limit ${limit}`
  return rows.map(({ id }) => id)
}

export const markStatusSought = (tx: WorkspaceTx, id: string, at: Date): void =>
  tx.write`
    update messages set status_sought_at = ${at} where workspace_id = ${tx.workspaceId} and id = ${id}`
