import { Type } from 'typebox'
import type { Db } from '#kernel/db/handles.ts'
import { sql } from '#kernel/db/sql.ts'
import { messageStatuses } from '../message.ts'
import { inReach } from '../queries.ts'

/** The latest message of each of these campaigns to each contact. */
const latest = (db: Db, campaignIds: readonly string[]) => sql`(
  select distinct on (campaign_id, contact_id) campaign_id, contact_id, id, status from messages
  where workspace_id = ${db.workspaceId} and campaign_id = any (${campaignIds}::text[]) ${inReach(db)}
  order by campaign_id, contact_id, id desc) as latest`

const CountRow = Type.Object({
  campaign_id: Type.String(),
  status: Type.Enum(messageStatuses),
  count: Type.Integer(),
})

/** How many contacts each of these campaigns has reached how far, by the latest message to each. */
export const countCampaignMessages = (db: Db, campaignIds: readonly string[]) =>
  db.many(CountRow)`
    select campaign_id, status, count(*)::integer as count from ${latest(db, campaignIds)} group by campaign_id, status`

const ReasonRow = Type.Object({
  campaign_id: Type.String(),
  reason: Type.String(),
  count: Type.Integer(),
})

/** The same of blocked ones, by the first reason. */
export const countCampaignBlocks = (db: Db, campaignIds: readonly string[]) =>
  db.many(ReasonRow)`
    select latest.campaign_id, coalesce(m.compliance ->> 'reason', 'blocked') as reason, count(*)::integer as count
    from ${latest(db, campaignIds)} join messages m on m.workspace_id = ${db.workspaceId} and m.id = latest.id
    where latest.status = 'blocked' group by 1, 2 order by 1, 2`

const ResponseRow = Type.Object({
  campaign_id: Type.String(),
  replied: Type.Integer(),
  opted_out: Type.Integer(),
})

/** How many of those who were sent something wrote back within 30 days, and how many opted out. */
export const countCampaignResponses = (db: Db, campaignIds: readonly string[]) =>
  db.many(ResponseRow)`
    select m.campaign_id,
      (count(distinct m.contact_id) filter (where exists (
        select from messages reply
        where reply.workspace_id = ${db.workspaceId} and reply.conversation_id = m.conversation_id and reply.id > m.id
          and reply.direction = 'INBOUND' and not reply.automatic
          and reply.created_at < m.sent_at + interval '30 days')))::integer as replied,
      (count(distinct m.contact_id) filter (where exists (
        select from events e
        where e.workspace_id = ${db.workspaceId} and e.timeline_id = m.contact_id and e.id > m.id
          and (e.name = 'message.classified' and e.data ->> 'action' in ('opt_out', 'unsubscribe')
            or e.name = 'recipient.suppressed' and e.data ->> 'kind' = 'opted_out')
          and e.occurred_at < m.sent_at + interval '30 days')))::integer as opted_out
    from messages m
    where m.workspace_id = ${db.workspaceId} and m.campaign_id = any (${campaignIds}::text[]) ${inReach(db)}
      and m.sent_at is not null
    group by m.campaign_id`

const IdRow = Type.Object({ id: Type.String() })

/** Messages of a campaign that have not left, and may have begun, the oldest first. */
export const listUnsentOf = async (db: Db, campaignId: string, limit: number | null): Promise<string[]> => {
  const rows = await db.many(IdRow)`
    select id from messages
    where workspace_id = ${db.workspaceId} and campaign_id = ${campaignId} ${inReach(db)}
      and status in ('scheduled', 'queued', 'sending')
    order by id limit ${limit}`
  return rows.map(({ id }) => id)
}

/** Whether something of a campaign may still leave or is on its way. */
export const isUnderWay = async (db: Db, campaignId: string): Promise<boolean> => {
  const row = await db.maybeOne(IdRow)`
    select id from messages
    where workspace_id = ${db.workspaceId} and campaign_id = ${campaignId} ${inReach(db)}
      and status in ('scheduled', 'queued', 'sending', 'pending_approval') limit 1`
  return row !== undefined
}
