import { type Static, Type } from 'typebox'
import type { Db } from '#kernel/db/handles.ts'
import { empty, sql } from '#kernel/db/sql.ts'
import { equals, filters } from '#kernel/http/filters.ts'
import type { Page } from '#kernel/http/paging.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import { findReachable } from '../contacts/public.ts'

export const recipientStatuses = [
  'waiting',
  'queued',
  'sent',
  'delivered',
  'failed',
  'blocked',
  'cancelled',
  'left_out',
] as const

export const CampaignRecipient = Type.Object(
  {
    id: Type.String(),
    contact_id: Type.String(),
    status: Type.Enum(recipientStatuses, {
      description:
        '`waiting`: their turn has not come; `queued`: the message is accepted and has not left; `left_out`: nothing is sent to them.',
    }),
    reason: nullable(Type.String({ description: 'Why they were left out, blocked, or not reached.' })),
    message_id: nullable(Type.String({ description: 'The latest message to them.' })),
    enrollment_id: nullable(Type.String()),
    due_at: nullable(Type.Unsafe<string>({ ...Timestamp, description: 'Their turn, at the earliest.' })),
    created_at: Timestamp,
  },
  { title: 'CampaignRecipient' },
)

export const recipientFilters = filters({ status: equals(Type.Enum(recipientStatuses)) })

export type CampaignRecipient = Static<typeof CampaignRecipient>

/** The contacts of a campaign in reach, with the latest message to each. */
export const listRecipients = (
  db: Db,
  campaignId: string,
  query: Static<typeof recipientFilters.query>,
  page: Page,
) => {
  const reachable = findReachable(db)
  return db.many(CampaignRecipient)`
    select * from (
      select r.id, r.contact_id, coalesce(case
          when r.status = 'left_out' and r.reason = 'cancelled' then 'cancelled'
          when r.status = 'left_out' then 'left_out'
          when r.status = 'waiting' then 'waiting'
          when m.status in ('sent', 'unknown') then 'sent'
          when m.status in ('delivered', 'read') then 'delivered'
          when m.status in ('failed', 'undelivered') then 'failed'
          when m.status in ('blocked', 'cancelled') then m.status end, 'queued') as status,
        coalesce(r.reason, case when m.status = 'blocked' then m.compliance ->> 'reason' end, m.error ->> 'code') as reason,
        m.id as message_id, r.enrollment_id, r.due_at, r.created_at
      from backfill_contacts r left join lateral (
        select id, status, compliance, error from messages
        where workspace_id = ${db.workspaceId} and campaign_id = ${campaignId} and contact_id = r.contact_id
        order by id desc limit 1) m on true
      where r.workspace_id = ${db.workspaceId} and r.backfill_id = ${campaignId}
        ${reachable === undefined ? empty : sql` and r.contact_id in (${reachable})`}) as recipient
    where true ${recipientFilters.where(query)} ${page.keyset()}`
}
