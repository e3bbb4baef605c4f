import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import type { Reach } from '#kernel/db/handles.ts'
import { orNotFound } from '#kernel/errors.ts'
import { draftOfSend } from '../automations/public.ts'
import { leftOutFor, scanContacts, sharedRecipient, soughtOf } from '../backfills/public.ts'
import {
  type Contact,
  type Point,
  listContactPoints,
  listContactsById,
  pointFor,
} from '../contacts/public.ts'
import { contextIn, windowOpening } from '../enrollments/public.ts'
import { judgeSends } from '../messages/public.ts'
import { findWorkspace } from '../workspaces/public.ts'
import type { Campaign, ComplianceSummary } from './campaign.ts'
import { lockCampaign, saveCampaign } from './queries.ts'
import { stepOfCampaign } from './start-campaign.ts'

/** Contacts to scan in one step. */
const stepSize = 500

/** Identifies a summary. A change of the campaign or another request starts a new one. */
export interface SummaryOf {
  at: string
  summary_of: string
}

/** Scans the next contacts of an audience. Returns true once all have been scanned, or if another summary was requested. */
export const summarizeMore = (base: Ctx, id: string, of: SummaryOf, reach: Reach): Promise<boolean> =>
  base.transaction(async (tx) => {
    const campaign = await lockCampaign(tx, id)
    if (campaign === undefined || !isOf(campaign, of)) return true
    const summary = await summarizeNext(base, tx, campaign, reach)
    return summary.status === 'completed'
  })

/** The same in a transaction that holds the campaign's lock. Returns the summary so far. */
export async function summarizeNext(
  base: Ctx,
  tx: Tx,
  campaign: Campaign,
  reach: Reach,
): Promise<ComplianceSummary> {
  const unlimited = tx.unrestricted()
  const ctx = contextIn(base, unlimited)
  const before = orNotFound(campaign.compliance_summary)
  const { timezone } = orNotFound(await findWorkspace(base.directory, base.workspaceId))
  const sought = { conditions: campaign.audience, reach, at: new Date(before.at), timezone }
  const { contacts, last, looked } = await scanContacts(
    unlimited,
    sought,
    campaign.summary_to ?? '',
    stepSize,
  )
  const compliance_summary: ComplianceSummary = {
    ...(await added(ctx, unlimited, { campaign, contacts, sought, before })),
    scanned: before.scanned + looked,
    status: last === undefined ? 'completed' : 'running',
  }
  saveCampaign(tx, campaign.id, { compliance_summary, summary_to: last ?? null })
  return compliance_summary
}

const isOf = ({ compliance_summary: summary, summary_of }: Campaign, of: SummaryOf): boolean =>
  summary?.status === 'running' && summary.at === of.at && summary_of === of.summary_of

interface Batch {
  campaign: Campaign
  contacts: readonly Contact[]
  sought: Parameters<typeof scanContacts>[1]
  before: ComplianceSummary
}

async function added(ctx: Ctx, tx: Tx, batch: Batch): Promise<ComplianceSummary> {
  const { campaign, contacts, sought, before } = batch
  const { channel, throttle_per_hour, schedule } = campaign
  const shared = await findShared(ctx, tx, batch)
  const summary = { ...before, blocked: { ...before.blocked }, left_out: { ...before.left_out } }
  const sends: { contactId: string; contact: Contact; to: Point; at: Date }[] = []
  const begins = Math.max(Date.parse(before.at), Date.parse(schedule?.starts_at ?? before.at))
  let place = before.eligible + before.deferred
  for (const contact of contacts) {
    const to = pointFor(contact, channel)
    if (to === undefined || shared(contact, to)) {
      const reason = to === undefined ? leftOutFor(channel) : sharedRecipient
      summary.left_out[reason] = (summary.left_out[reason] ?? 0) + 1
      continue
    }
    const at = later(new Date(begins), (place++ * 3_600_000) / throttle_per_hour)
    sends.push({ contactId: contact.id, contact, to, at })
  }
  const own = { source: 'campaign', personaId: campaign.persona_id } as const
  const draft = draftOfSend(stepOfCampaign(campaign), '', (text) => text)
  const verdicts = await judgeSends(ctx, draft, own, sends)
  const window = schedule?.send_window
  for (const [index, { contact, at }] of sends.entries()) {
    const verdict = orNotFound(verdicts[index])
    const isOpen =
      window === undefined || windowOpening({ send_window: window }, contact, sought.timezone, at) <= at
    summary.recipients++
    if (verdict.allowed && isOpen) summary.eligible++
    else if (verdict.allowed || verdict.retryAt !== null) summary.deferred++
    else summary.blocked[verdict.reason] = (summary.blocked[verdict.reason] ?? 0) + 1
  }
  return summary
}

/** Returns a test of whether an earlier contact of the audience has the same number or address. */
async function findShared(ctx: Ctx, tx: Tx, { campaign: { channel }, contacts, sought }: Batch) {
  const points = contacts.flatMap((contact) => pointFor(contact, channel) ?? [])
  const holders = await listContactPoints(ctx.db, { contactIds: [], points })
  const here = new Set(contacts.map(({ id }) => id))
  const others = [...new Set(holders.map(({ contact_id }) => contact_id))].filter((id) => !here.has(id))
  const first = new Map<string, string>()
  const known = others.length === 0 ? [] : await soughtOf(tx, sought, await listContactsById(ctx.db, others))
  for (const contact of [...contacts, ...known]) {
    const value = pointFor(contact, channel)?.value
    if (value !== undefined && !(contact.id > (first.get(value) ?? '~'))) first.set(value, contact.id)
  }
  return ({ id }: Contact, { value }: Point): boolean => first.get(value) !== id
}
