import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { lock } from '#kernel/db/lock.ts'
import { type Sql, empty, raw, sql } from '#kernel/db/sql.ts'
import type { Actor } from '#kernel/events/journal.ts'
import { custom, equals, filters, from, hasOneOf, several } from '#kernel/http/filters.ts'
import type { Page } from '#kernel/http/paging.ts'
import { within, withinCreated } from '#kernel/reach.ts'
import { assignments, values } from '#kernel/records/columns.ts'
import { reference, text as line } from '#kernel/records/fields.ts'
import { nullable } from '#kernel/schemas.ts'
import type { Consent } from './consent.ts'
import { type ConsentedLead, type LeadRecord, leadRecord, statuses } from './lead.ts'

const text = nullable(Type.String())
const json = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value))

const ConsentRow = Type.Object({
  captured_at: Type.Unsafe<unknown>({}),
  source_url: text,
  ip: text,
  form_snapshot: Type.Unsafe<Record<string, unknown> | null>({}),
  form_sha256: text,
  received_at: text,
  revoked_at: text,
})
const LeadRow = Type.Intersect([leadRecord.Row, ConsentRow])

/** The consent that came with the lead `l`, and when it was revoked. */
const consentColumns = ({ workspaceId }: Pick<Db, 'workspaceId'>) => sql`
      given.captured_at, given.source_url, given.ip, given.form_snapshot, given.form_sha256, given.received_at,
      (select max(received_at) from lead_consents revoked
       where revoked.workspace_id = ${workspaceId} and revoked.lead_id = l.id and revoked.kind = 'revoked') as revoked_at`
const withConsent = ({ workspaceId }: Pick<Db, 'workspaceId'>) => sql`
    left join lead_consents given
      on given.workspace_id = ${workspaceId} and given.lead_id = l.id and given.kind = 'given'`

/** Selects leads with their consents; `l` is the lead. */
const consented = (db: Pick<Db, 'workspaceId'>) => sql`
    select ${leadRecord.columnsOf('l')}, ${consentColumns(db)} from leads l ${withConsent(db)}`

/** Limits to leads of members in reach, and unassigned leads that are offered to one of them; for a key that sees only what it created, to those. */
const inReach = ({ reach }: Db, table: 'l' | 'leads' = 'l'): Sql => {
  if (reach === 'all') return empty
  const [assignee, offered] = [raw(`${table}.assignee_id`), raw(`${table}.offered_to`)]
  return withinCreated(
    { reach },
    raw(`${table}.created_by`),
    sql` and (${assignee} = any (${reach}::text[])
      or (${assignee} is null and ${offered} && ${reach}::text[] collate "C"))`,
  )
}

const IdRow = Type.Object({ id: Type.String() })

/** The subset of these leads that are in reach. */
export const listReachableLeads = async (db: Db, ids: readonly string[]): Promise<string[]> => {
  const rows = await db.many(IdRow)`
    select id from leads
    where workspace_id = ${db.workspaceId} and id = any (${ids}::text[]) ${inReach(db, 'leads')}`
  return rows.map(({ id }) => id)
}

const leadOf = <Row extends Static<typeof ConsentRow>>({
  captured_at,
  source_url,
  ip,
  form_snapshot,
  form_sha256,
  received_at,
  revoked_at,
  ...lead
}: Row) => {
  const given = { captured_at, source_url, ip, form_snapshot, form_sha256, revoked_at }
  return { ...lead, consent: received_at === null ? null : { ...given, received_at } }
}

const maybe = (row: Static<typeof LeadRow> | undefined) => (row === undefined ? undefined : leadOf(row))

export const findLead = async (db: Db, id: string): Promise<ConsentedLead | undefined> =>
  maybe(
    await db.maybeOne(LeadRow)`
    ${consented(db)} where l.workspace_id = ${db.workspaceId} and l.id = ${id} ${inReach(db)}`,
  )

export const findNewestLead = async (db: Db, contactId: string): Promise<ConsentedLead | undefined> =>
  maybe(
    await db.maybeOne(LeadRow)`
    ${consented(db)} where l.workspace_id = ${db.workspaceId} and l.contact_id = ${contactId} ${inReach(db)}
    order by l.id desc limit 1`,
  )

/** Locks the lead until the transaction ends. Lock order: a caller that also locks its contact must lock the contact first. */
export const lockLead = async (tx: Db, id: string): Promise<ConsentedLead | undefined> =>
  maybe(
    await tx.maybeOne(LeadRow)`
    ${consented(tx)} where l.workspace_id = ${tx.workspaceId} and l.id = ${id} ${inReach(tx)} for update of l`,
  )

interface Repeated {
  created_by: string | null
  source: string | null
  source_ref: string | null
  phone: string | null
}

/** Serializes captures of one lead by one credential. Take this lock before those of numbers. */
export const lockRepeated = (tx: WorkspaceTx, { created_by, source_ref }: Repeated): void =>
  lock(tx, `lead ${created_by} ${source_ref}`)

/** The lead that the same credential captured with the same source, reference, and number since then. */
export const findRepeated = async (
  tx: Db,
  { created_by, source, source_ref, phone }: Repeated,
  since: Date,
): Promise<ConsentedLead | undefined> =>
  maybe(
    await tx.maybeOne(LeadRow)`
    ${consented(tx)} where l.workspace_id = ${tx.workspaceId} ${inReach(tx)} and l.created_by = ${created_by}
      and l.source_ref = ${source_ref} and l.source = ${source} and l.phone = ${phone} and l.created_at > ${since}
    order by l.id limit 1`,
  )

/** Limit per contact. One number sends more only if many people use it, such as a tablet at an open house. */
const leadsThatCount = 200

const InquiryRow = Type.Intersect([
  Type.Object({ phone: text, email: text, source: text, created_at: Type.String() }),
  ConsentRow,
])

/** What each contact's newest leads say about the person, with their consents. */
export const listInquiriesOf = async (db: Db, contactIds: readonly string[]) =>
  (
    await db.many(InquiryRow)`
    select l.phone, l.email, l.source, l.created_at, ${consentColumns(db)}
    from unnest(${contactIds}::text[]) as contact (id), lateral (
        select id, phone, email, source, created_at from leads
        where workspace_id = ${db.workspaceId} and contact_id = contact.id collate "C" ${inReach(db, 'leads')}
        order by id desc limit ${leadsThatCount}) l
      ${withConsent(db)}`
  ).map(leadOf)

const ArtifactRow = Type.Object({ id: Type.String(), salt: text })

/**
 * The newest leads with a consent: those of a contact, and those of `leadIds` that an erasure has detached from it. `salt` is the salt
 * of the digest in the ledger; null after an erasure.
 */
export async function listConsentArtifacts(
  db: Db,
  { contactId, leadIds }: { contactId: string; leadIds: readonly string[] },
  limit: number,
): Promise<{ lead: ConsentedLead; salt: string | null }[]> {
  const rows = await db.many(ArtifactRow)`
      select l.id, given.salt from leads l join lead_consents given
        on given.workspace_id = ${db.workspaceId} and given.lead_id = l.id and given.kind = 'given'
      where l.workspace_id = ${db.workspaceId} ${inReach(db)}
        and (l.contact_id = ${contactId} or (l.contact_id is null and l.id = any (${leadIds}::text[])))
      order by l.id desc limit ${limit}`
  const saltOf = new Map(rows.map(({ id, salt }) => [id, salt]))
  const leads = await db.many(LeadRow)`
    ${consented(db)} where l.workspace_id = ${db.workspaceId} ${inReach(db)} and l.id = any (${[...saltOf.keys()]}::text[])
    order by l.id desc`
  return leads.map(leadOf).map((lead) => ({ lead, salt: saltOf.get(lead.id) ?? null }))
}

export const leadFilters = filters({
  contact_id: equals(
    Type.String({
      maxLength: 40,
      description: 'Return only leads of this contact. Requires `contacts:read:pii`.',
    }),
  ),
  unlinked_only: custom(
    Type.Enum(['true', 'false'], { description: 'Whether to return only leads without a contact.' }),
  ),
  status: custom(several(Type.Enum(statuses))),
  assignee_id: custom(reference('member', 'Return only leads that are assigned to this member.')),
  source: equals(line(80, 'Return only leads with exactly this source.')),
  created_after: from('created_at', 'Return only leads that were created at or after this time.'),
})

/**
 * A page of leads, newest first. `capturer`: a credential from which the routing of its own leads is withheld. It finds
 * them by what it sees of them.
 */
export const listLeads = async (
  db: Db,
  query: Static<typeof leadFilters.query>,
  page: Page,
  capturer: string | null,
): Promise<ConsentedLead[]> => {
  const { status, assignee_id, unlinked_only, contact_id } = query
  const isWithheld = sql`l.captured_by = ${capturer}`
  const shown = (name: 'status' | 'updated_at', withheld: Sql) =>
    capturer === null
      ? raw(`l.${name}`)
      : sql`(case when ${isWithheld} then ${withheld} else ${raw(`l.${name}`)} end)`
  const isOpen = sql`l.status in ('new', 'assigned', 'claimed')`
  const statusShown = shown('status', sql`case when ${isOpen} then 'new' else l.status end`)
  const rows = await db.many(LeadRow)`
    ${consented(db)} where l.workspace_id = ${db.workspaceId} ${inReach(db)} ${leadFilters.where(query, 'l')}
      ${status === undefined ? empty : sql`and ${hasOneOf(statusShown, status)}`}
      ${assignee_id === undefined ? empty : sql`and l.assignee_id = ${assignee_id}`}
      ${assignee_id === undefined || capturer === null ? empty : sql`and (${isWithheld}) is not true`}
      ${contact_id === undefined ? empty : within(db, sql`l.assignee_id`)}
      ${unlinked_only === 'true' ? sql`and l.contact_id is null` : empty}
      ${page.keyset('l', shown('updated_at', raw('l.created_at')))}`
  return rows.map(leadOf)
}

/** Locks the leads of a contact, all or only the open ones, oldest first. */
export const lockLeadsOf = async (
  tx: Db,
  contactId: string,
  which: 'all' | 'open',
): Promise<ConsentedLead[]> => {
  const rows = await tx.many(LeadRow)`
    ${consented(tx)} where l.workspace_id = ${tx.workspaceId} and l.contact_id = ${contactId} ${inReach(tx)}
      ${which === 'open' ? sql`and l.status not in ('converted', 'disqualified')` : empty}
    order by l.id for update of l`
  return rows.map(leadOf)
}

/** Due leads that wait for an agent or for hours, oldest first, starting after an id. */
export const listWaiting = (db: Db, now: Date, after: string, limit: number) =>
  db.many(IdRow)`
    select id from leads
    where workspace_id = ${db.workspaceId} and waits_for in ('agent', 'hours') and id > ${after} and try_at <= ${now}
      ${inReach(db, 'leads')}
    order by id limit ${limit}`

const WaitingRow = Type.Object({ waiting: Type.Boolean() })

/** Whether any lead waits for an agent or for hours. */
export const isAnyWaiting = async (db: Db): Promise<boolean> => {
  const { waiting } = await db.one(WaitingRow)`
    select exists (
      select from leads where workspace_id = ${db.workspaceId} and waits_for in ('agent', 'hours')
        ${inReach(db, 'leads')}) as waiting`
  return waiting
}

export const insertLead = (tx: WorkspaceTx, { consent: _, ...lead }: ConsentedLead) =>
  tx.write`insert into leads ${values({ workspace_id: tx.workspaceId, ...lead })}`

/** Writes these columns. The caller holds the row's lock. */
export const saveLead = (tx: WorkspaceTx, id: string, changed: Partial<LeadRecord>) =>
  tx.write`
    update leads set ${assignments(changed)}
    where workspace_id = ${tx.workspaceId} and id = ${id} ${inReach(tx, 'leads')}`

export const insertConsent = (
  tx: WorkspaceTx,
  {
    leadId,
    id,
    consent,
    salt,
    actor,
  }: { leadId: string; id: string; consent: Consent; salt: string; actor: Actor },
): void =>
  tx.write`
    insert into lead_consents (workspace_id, lead_id, id, kind, captured_at, source_url, ip, form_snapshot, form_sha256,
      salt, actor, received_at)
    values (${tx.workspaceId}, ${leadId}, ${id}, 'given', ${json(consent.captured_at)}, ${consent.source_url},
      ${consent.ip}, ${json(consent.form_snapshot)}, ${consent.form_sha256}, ${salt}, ${json(actor)}, ${consent.received_at})`

export const insertRevocation = (
  tx: WorkspaceTx,
  { leadId, id, actor, at }: { leadId: string; id: string; actor: Actor; at: Date },
): void =>
  tx.write`
    insert into lead_consents (workspace_id, lead_id, id, kind, actor, received_at)
    values (${tx.workspaceId}, ${leadId}, ${id}, 'revoked', ${json(actor)}, ${at})`

/** Removes the personal data from the consents. The rows stay, with the times at which they were received. */
export const eraseConsents = (tx: WorkspaceTx, leadIds: readonly string[]): void =>
  tx.write`
    update lead_consents set captured_at = null, source_url = null, ip = null, form_snapshot = null, form_sha256 = null,
      salt = null
    where workspace_id = ${tx.workspaceId} and lead_id = any (${leadIds}::text[])`
