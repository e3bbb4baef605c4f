import { Type } from 'typebox'
import type { Db } from '#kernel/db/handles.ts'
import { inReach } from '../queries.ts'

const ResponseRow = Type.Object({
  campaign_id: Type.String(),
  replied: Type.Integer(),
  opted_out: Type.Integer(),
})

/** For each campaign: how many contacts wrote back within 30 days of a message, and how many opted out. */
export const countCampaignResponses = (db: Db, campaignIds: readonly string[]) =>
  db.many(ResponseRow)`
    select m.campaign_id,
      (count(distinct m.contact_id) filter (where exists (
        select from messages reply
        where reply.workspace_id = ${db.workspaceId} and reply.conversation_id = m.conversation_id and reply.id > m.id
          and reply.direction = 'INBOUND' and not reply.automatic and reply.sender_verified is not false
          and reply.created_at < m.sent_at + interval '30 days')))::integer as replied,
      (count(distinct m.contact_id) filter (where exists (
        select from events e
        where e.workspace_id = ${db.workspaceId} and e.timeline_id = m.contact_id and e.id > m.id
          and (e.name = 'message.classified' and e.data ->> 'action' in ('opt_out', 'unsubscribe')
              and e.data ->> 'sender_verified' is distinct from 'false'
            or e.name = 'recipient.suppressed' and e.data ->> 'kind' = 'opted_out')
          and e.occurred_at < m.sent_at + interval '30 days')))::integer as opted_out
    from messages m
    where m.workspace_id = ${db.workspaceId} and m.campaign_id = any (${campaignIds}::text[]) ${inReach(db)}
      and m.sent_at is not null
    group by m.campaign_id`

const IdRow = Type.Object({ id: Type.String() })

/** Unsent messages of a campaign, oldest first. An attempt to send them may have begun. */
export const listUnsentOf = async (db: Db, campaignId: string, limit: number | null): Promise<string[]> => {
  const rows = await db.many(IdRow)`
    select id from messages
    where workspace_id = ${db.workspaceId} and campaign_id = ${campaignId} ${inReach(db)}
      and status in ('scheduled', 'queued', 'sending')
    order by id limit ${limit}`
  return rows.map(({ id }) => id)
}

/** Whether messages of a campaign are waiting to be sent or approved, or are in flight. */
export const isUnderWay = async (db: Db, campaignId: string): Promise<boolean> => {
  const row = await db.maybeOne(IdRow)`
    select id from messages
    where workspace_id = ${db.workspaceId} and campaign_id = ${campaignId} ${inReach(db)}
      and status in ('scheduled', 'queued', 'sending', 'pending_approval') limit 1`
  return row !== undefined
}
