import type { Static } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { type Sql, sql } from '#kernel/db/sql.ts'
import { filters, oneOf } from '#kernel/http/filters.ts'
import type { Page } from '#kernel/http/paging.ts'
import { assignments, values } from '#kernel/records/columns.ts'
import type { Channel } from './registration.ts'
import { ChannelSchema, type SenderRow, senders } from './sender.ts'
import { type MessageTemplate, templates } from './template.ts'

/** Lists the senders of a workspace. `rest`: further conditions, order, and limit; by default oldest first, at most 1,000. */
export const listSenders = (db: Db, rest: Sql = sql`order by id limit 1000`) =>
  db.many(senders.Row)`
    select ${senders.columns} from senders where workspace_id = ${db.workspaceId} ${rest}`

export const senderFilters = filters({ channel: oneOf(ChannelSchema) })

export const listSendersPage = (db: Db, query: Static<typeof senderFilters.query>, page: Page) =>
  listSenders(db, sql`${senderFilters.where(query)} ${page.keyset()}`)

const firstSender = async (db: Db, rest: Sql) => (await listSenders(db, rest))[0]

export const listSendersById = (db: Db, ids: readonly string[]) =>
  listSenders(db, sql`and id = any (${ids}::text[])`)
/** Senders of a connection, in pages of 100. `after`: the last id of the page before. */
export const listSendersOfConnection = (db: Db, connectionId: string, after = '') =>
  listSenders(db, sql`and connection_id = ${connectionId} and id > ${after} order by id limit 100`)
/** Senders of a campaign or of a brand, except `id`. */
export const listOthersOfCampaign = (db: Db, campaign: string, id: string) =>
  listSenders(db, sql`and campaign = ${campaign} and id <> ${id} order by id`)
export const listOthersOfBrand = (db: Db, brand: string, id: string) =>
  listSenders(db, sql`and brand = ${brand} and id <> ${id} order by id`)

export const findSenderById = (db: Db, id: string) => firstSender(db, sql`and id = ${id}`)
export const lockSender = (tx: WorkspaceTx, id: string) => firstSender(tx, sql`and id = ${id} for update`)

/** The sender of the channel with this id or this address. The address is normalized: E.164 or lower case. */
export const findSender = (db: Db, idOrAddress: string, channel: Channel) =>
  firstSender(db, sql`and channel = ${channel} and (id = ${idOrAddress} or address = ${idOrAddress})`)

export const findDefaultSender = (db: Db, channel: Channel) =>
  firstSender(db, sql`and channel = ${channel} and is_default`)

export const insertSender = (tx: WorkspaceTx, row: SenderRow): void =>
  tx.write`insert into senders ${values({ workspace_id: tx.workspaceId, ...row })}`

/** Writes the changed columns. The caller holds the row's lock. */
export const saveSender = (tx: WorkspaceTx, id: string, changed: Partial<SenderRow>): void =>
  tx.write`update senders set ${assignments(changed)} where workspace_id = ${tx.workspaceId} and id = ${id}`

/** Lists the templates of a workspace. `rest`: further conditions, order, and limit; by default oldest first, at most 1,000. */
export const listTemplates = (db: Db, rest: Sql = sql`order by id limit 1000`) =>
  db.many(templates.Row)`
    select ${templates.columns} from message_templates where workspace_id = ${db.workspaceId} ${rest}`

const firstTemplate = async (db: Db, rest: Sql) => (await listTemplates(db, rest))[0]

export const findTemplateById = (db: Db, id: string) => firstTemplate(db, sql`and id = ${id}`)
export const lockTemplate = (tx: WorkspaceTx, id: string) => firstTemplate(tx, sql`and id = ${id} for update`)

/** What identifies a template at WhatsApp. */
export interface TemplateName {
  connectionId: string
  name: string
  language: string
}

export const findTemplate = async (db: Db, name: TemplateName) => (await listTemplatesNamed(db, [name]))[0]

export const listTemplatesNamed = (db: Db, names: readonly TemplateName[]) =>
  listTemplates(
    db,
    sql`and (connection_id, name, language) in (
      select * from unnest(${names.map(({ connectionId }) => connectionId)}::text[], ${names.map(({ name }) => name)}::text[],
        ${names.map(({ language }) => language)}::text[]))`,
  )

export const insertTemplate = (tx: WorkspaceTx, row: MessageTemplate): void =>
  tx.write`insert into message_templates ${values({ workspace_id: tx.workspaceId, ...row })}`

/** Writes the changed columns. The caller holds the row's lock. */
export const saveTemplate = (tx: WorkspaceTx, id: string, changed: Partial<MessageTemplate>): void =>
  tx.write`
    update message_templates set ${assignments(changed)} where workspace_id = ${tx.workspaceId} and id = ${id}`
