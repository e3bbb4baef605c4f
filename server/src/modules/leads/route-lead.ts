import { isDeepStrictEqual } from 'node:util'
import type { Ctx, Tx } from '#kernel/context.ts'
import { type Contact, changeContact } from '../contacts/public.ts'
import {
  type Decision,
  type DecisionRow,
  type Resumed,
  type Routed,
  decide,
  recordDecision,
  releaseLead,
} from '../routing/public.ts'
import { changeLead } from './change-lead.ts'
import { LeadAssigned, LeadOffered, LeadWaiting } from './events.ts'
import { factsOf } from './facts.ts'
import type { ConsentedLead } from './lead.ts'
import { saveLead } from './queries.ts'

export interface RoutedLead extends Routed {
  lead: ConsentedLead
  /** The record of the decision; undefined if it changed nothing. */
  record: DecisionRow | undefined
}

/**
 * Routes the lead by the rules: assigns it, offers it, or leaves it waiting. A decision that changes nothing is not recorded.
 * The caller holds the locks of the contact and the lead, taken in this order.
 */
export async function routeLead(
  ctx: Ctx,
  open: Tx,
  lead: ConsentedLead,
  contact: Contact | undefined,
  resumed?: Resumed,
): Promise<RoutedLead> {
  const tx = open.hidingFrom(lead.captured_by)
  const facts = factsOf(lead, contact, ctx.clock.now())
  const routed = await decide(tx, facts, resumed)
  const { decision } = routed
  if (changesNothing(lead, decision)) return { ...routed, lead, record: undefined }
  const decided = { id: lead.id, assigneeId: lead.assignee_id, by: ctx.actor }
  const record = recordDecision(tx, decided, routed, facts)
  const tags = contact === undefined ? [] : decision.tags.filter((tag) => !contact.tags.includes(tag))
  const tagged =
    contact === undefined || tags.length === 0
      ? contact
      : await changeContact(tx, contact, { tags: [...contact.tags, ...tags].slice(0, maxTags) })
  if (record.assignee_id !== null) {
    return { ...routed, record, lead: await giveLead(tx, lead, tagged, record, 'assigned') }
  }
  return { ...routed, record, lead: await parkLead(tx, lead, record, resumed) }
}

/** The most tags that a contact may have. */
const maxTags = 30

/** True if the decision picks the current assignee, finds no one for an assigned lead, or repeats what the lead already waits for. */
function changesNothing(lead: ConsentedLead, { outcome, assignee_id, offered_to, matched_rule }: Decision) {
  if (outcome === 'assigned') return assignee_id === lead.assignee_id
  const waitsAlready = lead.waits_for === waitsOf[outcome]
  if (outcome === 'held' || outcome === 'unassigned') return lead.assignee_id !== null || waitsAlready
  const sameOffer =
    lead.routing?.rule_id === matched_rule.id && isDeepStrictEqual(lead.offered_to, offered_to)
  return waitsAlready && sameOffer
}

const summaryOf = ({ id, rule_id, rule_version, method, reason }: DecisionRow) => ({
  decision_id: id,
  rule_id,
  rule_version,
  method,
  reason,
})

const routingOf = ({ id, rule_id, method }: DecisionRow) => ({ decision_id: id, rule_id, method })

/** Assigns the lead and its contact to the decision's assignee. */
export async function giveLead(
  open: Tx,
  lead: ConsentedLead,
  contact: Contact | undefined,
  record: DecisionRow,
  status: 'assigned' | 'claimed',
): Promise<ConsentedLead> {
  const tx = open.hidingFrom(lead.captured_by)
  const { assignee_id } = record
  if (assignee_id === null) throw new Error('The decision has no assignee.')
  if (lead.assignee_id !== null) releaseLead(tx, lead.assignee_id)
  const given = changeLead(tx, lead, {
    status: lead.status === 'contacted' ? 'contacted' : status,
    assignee_id,
    waits_for: null,
    offered_to: [],
    offered_until: null,
    try_at: null,
    routing: summaryOf(record),
  })
  if (contact !== undefined) await changeContact(tx, contact, { owner_id: assignee_id })
  const { id, contact_id, assignee_id: previous_assignee_id } = lead
  await tx.emit(
    LeadAssigned,
    { id, assignee_id, previous_assignee_id, routing: routingOf(record) },
    contact_id,
  )
  return given
}

/** How long a waiting lead waits before the next try: at first, and at most. */
const firstTryMs = 30_000
const lastTryMs = 120_000

const firstTryAfter = (now: Date) => new Date(now.getTime() + firstTryMs).toISOString()

/**
 * Postpones the next try of a waiting lead: until the hours begin, or, if it waits for an agent, by a tenth of the time it has waited,
 * between 30 and 120 seconds.
 */
export function putOff(tx: Tx, lead: ConsentedLead, until: number | null): void {
  const now = tx.clock.now().getTime()
  const pause = Math.min(Math.max((now - Date.parse(lead.updated_at)) / 10, firstTryMs), lastTryMs)
  saveLead(tx, lead.id, { try_at: new Date(until ?? now + pause).toISOString() })
}

const waitsOf = { offered: 'claim', pond: 'pond', held: 'hours', unassigned: 'agent' } as const

/** Leaves the lead unassigned: offered or waiting. */
async function parkLead(
  tx: Tx,
  lead: ConsentedLead,
  record: DecisionRow,
  resumed: Resumed | undefined,
): Promise<ConsentedLead> {
  if (record.outcome === 'assigned') throw new Error('The decision has an assignee.')
  if (lead.assignee_id !== null) releaseLead(tx, lead.assignee_id)
  const waits_for = waitsOf[record.outcome]
  const offered = waits_for === 'claim' || waits_for === 'pond'
  const parked = changeLead(tx, lead, {
    status: lead.status === 'contacted' ? 'contacted' : 'new',
    assignee_id: null,
    waits_for,
    offered_to: record.offered_to,
    offered_until: offered ? record.until : null,
    try_at: offered ? null : (record.until ?? firstTryAfter(tx.clock.now())),
    routing: { ...summaryOf(record), ...(resumed === undefined ? {} : { resumes: resumed }) },
  })
  const { id, contact_id } = lead
  const routing = routingOf(record)
  if (offered) {
    const { offered_to, offered_until } = parked
    await tx.emit(LeadOffered, { id, offered_to, offered_until, routing }, contact_id)
  } else {
    await tx.emit(LeadWaiting, { id, waits_for, until: record.until, routing }, contact_id)
  }
  return parked
}
