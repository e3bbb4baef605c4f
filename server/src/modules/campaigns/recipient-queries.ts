import { type Static, Type } from 'typebox'
import type { Db } from '#kernel/db/handles.ts'
import { type Sql, empty, sql } from '#kernel/db/sql.ts'
import { filters, oneOf } from '#kernel/http/filters.ts'
import type { Page } from '#kernel/http/paging.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import { findReachable } from '../contacts/public.ts'

const recipientStatuses = [
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
      title: 'RecipientStatus',
      description:
        '`waiting`: their turn has not come; `queued`: the message is accepted and has not been sent; `left_out`: nothing is sent to them.',
    }),
    reason: nullable(
      Type.String({ description: 'Why the recipient was left out, blocked, or not reached.' }),
    ),
    message_id: nullable(Type.String({ description: 'The latest message to the recipient.' })),
    enrollment_id: nullable(Type.String()),
    due_at: nullable(
      Type.Unsafe<string>({ ...Timestamp, description: 'The earliest time at which the message is sent.' }),
    ),
    created_at: Timestamp,
  },
  { title: 'CampaignRecipient' },
)

export const recipientFilters = filters({ status: oneOf(Type.Enum(recipientStatuses)) })

export type CampaignRecipient = Static<typeof CampaignRecipient>

/** Aliases in these queries: the backfill contact `r`, the latest message `m`, the enrollment `e`, and its last step `s`. */
const isActive = sql`(e.id is null or e.status in ('queued', 'running', 'paused'))`

/**
 * The status of a contact. If a message was cancelled or blocked, the enrollment determines whether it is tried again; if none was written,
 * the enrollment determines why.
 */
const status = sql`case
  when r.status = 'waiting' then 'waiting'
  when r.status = 'left_out' then case when r.reason = 'cancelled' then 'cancelled' else 'left_out' end
  when m.status in ('sent', 'unknown') then 'sent'
  when m.status in ('delivered', 'read') then 'delivered'
  when m.status in ('failed', 'undelivered') then 'failed'
  when ${isActive} or m.status in ('scheduled', 'queued', 'sending', 'pending_approval') then 'queued'
  when e.status in ('failed', 'cancelled') then e.status
  when e.status = 'completed' and s.outcome in ('blocked', 'failed') then s.outcome
  when m.status = 'blocked' and s.reason is distinct from 'late' then 'blocked'
  when m.status = 'cancelled' and s.reason is distinct from 'late' then 'cancelled'
  else 'left_out' end`

/** The reason for the status, if there is one. */
const reason = sql`case
  when r.status <> 'entered' then r.reason
  when m.status in ('failed', 'undelivered') then m.error ->> 'code'
  when m.status in ('sent', 'unknown', 'delivered', 'read') or ${isActive} then null
  when e.status = 'completed' then coalesce(s.reason, m.compliance ->> 'reason')
  else e.reason end`

/** The contacts in reach of these campaigns. */
const recipients = (db: Db, campaignIds: readonly string[]): Sql => {
  const reachable = findReachable(db)
  const inReach = reachable === undefined ? empty : sql` and contact_id in (${reachable})`
  return sql`(
    select r.backfill_id as campaign_id, r.id, r.contact_id, ${status} as status, ${reason} as reason,
      m.id as message_id, r.enrollment_id, r.due_at, r.created_at
    from (
      select * from backfill_contacts
      where workspace_id = ${db.workspaceId} and backfill_id = any (${campaignIds}::text[]) ${inReach}) r
    left join (
      select distinct on (campaign_id, contact_id) campaign_id, contact_id, id, status, compliance, error from messages
      where workspace_id = ${db.workspaceId} and campaign_id = any (${campaignIds}::text[]) ${inReach}
      order by campaign_id, contact_id, id desc) m on m.campaign_id = r.backfill_id and m.contact_id = r.contact_id
    left join (
      select id, status, reason, seq from enrollments
      where workspace_id = ${db.workspaceId} and automation_id = any (${campaignIds}::text[]) ${inReach}) e
      on e.id = r.enrollment_id
    left join enrollment_steps s
      on s.workspace_id = ${db.workspaceId} and s.enrollment_id = e.id and s.seq = e.seq - 1) as recipient`
}

/** The contacts in reach of a campaign, with the latest message to each. */
export const listRecipients = (
  db: Db,
  campaignId: string,
  query: Static<typeof recipientFilters.query>,
  page: Page,
) =>
  db.many(CampaignRecipient)`
    select id, contact_id, status, reason, message_id, enrollment_id, due_at, created_at
    from ${recipients(db, [campaignId])}
    where true ${recipientFilters.where(query)} ${page.keyset()}`

const CountRow = Type.Object({
  campaign_id: Type.String(),
  status: Type.Enum(recipientStatuses),
  reason: nullable(Type.String()),
  count: Type.Integer(),
})

/** Counts the contacts of each campaign by status, and for `blocked` and `left_out` also by reason. */
export const countRecipients = (db: Db, campaignIds: readonly string[]) =>
  db.many(CountRow)`
    select campaign_id, status, case when status in ('blocked', 'left_out') then coalesce(reason, status) end as reason,
      count(*)::integer as count
    from ${recipients(db, campaignIds)} group by 1, 2, 3 order by 1, 2, 3`
