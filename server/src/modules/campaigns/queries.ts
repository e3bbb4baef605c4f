import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { filters, oneOf } from '#kernel/http/filters.ts'
import type { Page } from '#kernel/http/paging.ts'
import { assignments, values } from '#kernel/records/columns.ts'
import { ChannelSchema } from '../senders/public.ts'
import { type Campaign, campaignRecord, campaignStatuses } from './campaign.ts'

const { Row, columns } = campaignRecord

export const findCampaign = (db: Db, id: string) =>
  db.maybeOne(Row)`select ${columns} from campaigns where workspace_id = ${db.workspaceId} and id = ${id}`

export const lockCampaign = (tx: Db, id: string) =>
  tx.maybeOne(Row)`
    select ${columns} from campaigns where workspace_id = ${tx.workspaceId} and id = ${id} for update`

export const campaignFilters = filters({
  status: oneOf(Type.Enum(campaignStatuses)),
  channel: oneOf(ChannelSchema),
})

export const listCampaigns = (db: Db, query: Static<typeof campaignFilters.query>, page: Page) =>
  db.many(Row)`
    select ${columns} from campaigns
    where workspace_id = ${db.workspaceId} ${campaignFilters.where(query)} ${page.keyset()}`

export const insertCampaign = (tx: WorkspaceTx, row: Campaign): void =>
  tx.write`insert into campaigns ${values({ workspace_id: tx.workspaceId, ...row })}`

/** Writes the changed columns. The caller holds the row's lock. */
export const saveCampaign = (tx: WorkspaceTx, id: string, changed: Partial<Campaign>): void =>
  tx.write`update campaigns set ${assignments(changed)} where workspace_id = ${tx.workspaceId} and id = ${id}`

const UnderWayRow = Type.Object({ id: Type.String(), status: Type.Enum(['scheduled', 'running']) })

/** The campaigns that send, or will. */
export const listUnderWay = (db: Db) =>
  db.many(UnderWayRow)`
    select id, status from campaigns
    where workspace_id = ${db.workspaceId} and status in ('scheduled', 'running') order by id`
