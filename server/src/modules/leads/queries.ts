import { type Static, Type } from 'typebox'
import { empty, sql } from '#kernel/db/sql.ts'
import type { Db } from '#kernel/db/tenant.ts'
import type { Writer } from '#kernel/db/transaction.ts'
import type { Actor } from '#kernel/events/journal.ts'
import type { Consent } from './consent.ts'
import { type ConsentedLead, type Lead, type RoutingNote, statuses, waits } from './lead.ts'

const nullable = Type.Union([Type.String(), Type.Null()])
const json = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value))

const LeadRow = Type.Object({
  id: Type.String(),
  contact_id: nullable,
  status: Type.Enum(statuses),
  source: nullable,
  source_ref: nullable,
  first_name: nullable,
  last_name: nullable,
  phone: nullable,
  email: nullable,
  context: Type.Unsafe<Record<string, unknown> | null>({}),
  assignee_id: nullable,
  waits_for: Type.Union([Type.Enum(waits), Type.Null()]),
  offered_to: Type.Array(Type.String()),
  offered_until: nullable,
  try_at: nullable,
  routing: Type.Unsafe<RoutingNote | null>({}),
  created_at: Type.String(),
  updated_at: Type.String(),
  erased_at: nullable,
  captured_at: Type.Unsafe<unknown>({}),
  source_url: nullable,
  ip: nullable,
  form_snapshot: Type.Unsafe<Record<string, unknown> | null>({}),
  form_sha256: nullable,
  received_at: nullable,
  revoked_at: nullable,
})

const columns = sql`id, contact_id, status, source, source_ref, first_name, last_name, phone, email, context, assignee_id,
  waits_for, offered_to, offered_until, try_at, routing, created_at, updated_at, erased_at`

/** A lead with its consent; `l` is the lead. */
const consented = sql`
    select l.id, l.contact_id, l.status, l.source, l.source_ref, l.first_name, l.last_name, l.phone, l.email, l.context,
      l.assignee_id, l.waits_for, l.offered_to, l.offered_until, l.try_at, l.routing, l.created_at, l.updated_at, l.erased_at,
      given.captured_at, given.source_url, given.ip, given.form_snapshot, given.form_sha256, given.received_at,
      (select max(received_at) from lead_consents revoked
       where revoked.workspace_id = l.workspace_id and revoked.lead_id = l.id and revoked.kind = 'revoked') as revoked_at
    from leads l left join lead_consents given
      on given.workspace_id = l.workspace_id and given.lead_id = l.id and given.kind = 'given'`

function leadOf({
  captured_at,
  source_url,
  ip,
  form_snapshot,
  form_sha256,
  received_at,
  revoked_at,
  ...lead
}: Static<typeof LeadRow>): ConsentedLead {
  const given = { captured_at, source_url, ip, form_snapshot, form_sha256, revoked_at }
  return { ...lead, consent: received_at === null ? null : { ...given, received_at } }
}

const maybe = (row: Static<typeof LeadRow> | undefined) => (row === undefined ? undefined : leadOf(row))

export const findLead = async (db: Db, id: string): Promise<ConsentedLead | undefined> =>
  maybe(
    await db.maybeOne(
      LeadRow,
      sql`
    ${consented} where l.workspace_id = ${db.workspaceId} and l.id = ${id}`,
    ),
  )

/** Locked until the transaction ends. Whoever locks its contact too does so before. */
export const lockLead = async (tx: Db, id: string): Promise<ConsentedLead | undefined> =>
  maybe(
    await tx.maybeOne(
      LeadRow,
      sql`
    ${consented} where l.workspace_id = ${tx.workspaceId} and l.id = ${id} for update of l`,
    ),
  )

/** Newest first. */
export const listLeads = async (
  db: Db,
  { contact_id, unlinked }: { contact_id?: string | undefined; unlinked: boolean },
  page: { before: string | null; limit: number },
): Promise<ConsentedLead[]> => {
  const rows = await db.many(
    LeadRow,
    sql`
    ${consented} where l.workspace_id = ${db.workspaceId}
      ${contact_id === undefined ? empty : sql`and l.contact_id = ${contact_id}`}
      ${unlinked ? sql`and l.contact_id is null` : empty}
      ${page.before === null ? empty : sql`and l.id < ${page.before}`}
    order by l.id desc limit ${page.limit}`,
  )
  return rows.map(leadOf)
}

/** Those of a contact, all or the open ones, locked, oldest first. */
export const lockLeadsOf = async (
  tx: Db,
  contactId: string,
  which: 'all' | 'open',
): Promise<ConsentedLead[]> => {
  const rows = await tx.many(
    LeadRow,
    sql`
    ${consented} where l.workspace_id = ${tx.workspaceId} and l.contact_id = ${contactId}
      ${which === 'open' ? sql`and l.status not in ('converted', 'disqualified')` : empty}
    order by l.id for update of l`,
  )
  return rows.map(leadOf)
}

const IdRow = Type.Object({ id: Type.String() })

/** Leads that wait for an agent or for hours and are to be tried by now, oldest first, from after an id. */
export const listWaiting = (db: Db, now: Date, after: string, limit: number) =>
  db.many(
    IdRow,
    sql`
    select id from leads
    where workspace_id = ${db.workspaceId} and waits_for in ('agent', 'hours') and id > ${after} and try_at <= ${now}
    order by id limit ${limit}`,
  )

const WaitingRow = Type.Object({ waiting: Type.Boolean() })

/** Whether any lead waits for an agent or for hours. */
export const isAnyWaiting = async (db: Db): Promise<boolean> => {
  const { waiting } = await db.one(
    WaitingRow,
    sql`
    select exists (
      select from leads where workspace_id = ${db.workspaceId} and waits_for in ('agent', 'hours')) as waiting`,
  )
  return waiting
}

export const insertLead = (tx: Writer, lead: Lead): void =>
  tx.write(sql`
    insert into leads (workspace_id, ${columns})
    values (${tx.workspaceId}, ${lead.id}, ${lead.contact_id}, ${lead.status}, ${lead.source}, ${lead.source_ref},
      ${lead.first_name}, ${lead.last_name}, ${lead.phone}, ${lead.email}, ${json(lead.context)}, ${lead.assignee_id},
      ${lead.waits_for}, ${lead.offered_to}, ${lead.offered_until}, ${lead.try_at}, ${json(lead.routing)}, ${lead.created_at},
      ${lead.updated_at}, ${lead.erased_at})`)

/** Writes every field that can change; the caller holds the row's lock. */
export const saveLead = (tx: Writer, lead: Lead): void =>
  tx.write(sql`
    update leads set contact_id = ${lead.contact_id}, status = ${lead.status}, source = ${lead.source},
      source_ref = ${lead.source_ref}, first_name = ${lead.first_name}, last_name = ${lead.last_name},
      phone = ${lead.phone}, email = ${lead.email}, context = ${json(lead.context)}, assignee_id = ${lead.assignee_id},
      waits_for = ${lead.waits_for}, offered_to = ${lead.offered_to}, offered_until = ${lead.offered_until},
      try_at = ${lead.try_at},
      routing = ${json(lead.routing)}, updated_at = ${lead.updated_at}, erased_at = ${lead.erased_at}
    where workspace_id = ${tx.workspaceId} and id = ${lead.id}`)

export const insertConsent = (
  tx: Writer,
  { leadId, id, consent, actor }: { leadId: string; id: string; consent: Consent; actor: Actor },
): void =>
  tx.write(sql`
    insert into lead_consents (workspace_id, lead_id, id, kind, captured_at, source_url, ip, form_snapshot, form_sha256,
      actor, received_at)
    values (${tx.workspaceId}, ${leadId}, ${id}, 'given', ${json(consent.captured_at)}, ${consent.source_url},
      ${consent.ip}, ${json(consent.form_snapshot)}, ${consent.form_sha256}, ${json(actor)}, ${consent.received_at})`)

export const insertRevocation = (
  tx: Writer,
  { leadId, id, actor, at }: { leadId: string; id: string; actor: Actor; at: Date },
): void =>
  tx.write(sql`
    insert into lead_consents (workspace_id, lead_id, id, kind, actor, received_at)
    values (${tx.workspaceId}, ${leadId}, ${id}, 'revoked', ${json(actor)}, ${at})`)

/** Empties what was consented to of everything personal; that and when something was stays. */
export const eraseConsents = (tx: Writer, leadIds: readonly string[]): void =>
  tx.write(sql`
    update lead_consents set captured_at = null, source_url = null, ip = null, form_snapshot = null, form_sha256 = null
    where workspace_id = ${tx.workspaceId} and lead_id = any (${leadIds}::text[])`)
