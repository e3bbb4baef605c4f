import type { Ctx, Tx } from '#kernel/context.ts'
import { ReferenceNotFound, ValidationFailed, orNotFound } from '#kernel/errors.ts'
import { requireMatch } from '#kernel/http/etag.ts'
import { requireConditions } from '../automations/public.ts'
import { changeRunPace, lockBackfill } from '../backfills/public.ts'
import { findPersona } from '../personas/public.ts'
import { listSendersById } from '../senders/public.ts'
import { type Campaign, type CampaignDraft, type CampaignPatch, campaignRecord } from './campaign.ts'
import { CampaignFixed, CampaignStatusConflict } from './errors.ts'
import { CampaignCreated, CampaignUpdated } from './events.ts'
import { insertCampaign, lockCampaign, saveCampaign } from './queries.ts'
import { isSummarizing, noSummary, summaryHash } from './summary-hash.ts'

async function requireValid(
  tx: Tx,
  { audience, sender_id, channel }: Pick<Campaign, 'audience' | 'sender_id' | 'channel'>,
): Promise<void> {
  requireConditions(audience, 'audience')
  if (sender_id === null) return
  const [sender] = await listSendersById(tx, [sender_id])
  if (sender === undefined) throw ReferenceNotFound('sender_id')
  if (sender.channel !== channel)
    throw ValidationFailed([{ path: 'sender_id', message: 'is a sender for another channel' }])
}

/** Throws 404 for a persona that has been deleted. */
async function requirePersona(tx: Tx, { persona_id }: Pick<CampaignPatch, 'persona_id'>): Promise<void> {
  if (typeof persona_id === 'string' && (await findPersona(tx, persona_id)) === undefined)
    throw ReferenceNotFound('persona_id')
}

/** Creates a draft. It sends nothing until the campaign starts. */
export const createCampaign = (ctx: Ctx, draft: CampaignDraft): Promise<Campaign> =>
  ctx.transaction(async (tx) => {
    const { type, id } = ctx.actor
    const campaign = { ...campaignRecord.create(draft, tx.clock.now()), created_by: { type, id } }
    await requireValid(tx, campaign)
    await requirePersona(tx, draft)
    insertCampaign(tx, campaign)
    await tx.emit(CampaignCreated, campaign)
    return campaign
  })

/** What can change once the campaign is scheduled. */
const changeable = new Set(['name', 'throttle_per_hour'])

/** Patches a campaign. Throws 409 `campaign_status` if it has ended, or for fields that are fixed once it is scheduled. */
export const updateCampaign = (ctx: Ctx, id: string, patch: CampaignPatch): Promise<Campaign> =>
  ctx.transaction(async (tx) => {
    await lockBackfill(tx, id)
    const before = requireMatch(ctx, orNotFound(await lockCampaign(tx, id)))
    const patched = campaignRecord.applyPatch(before, patch, tx.clock.now())
    if (patched === undefined) return before
    const { changed, after } = patched
    const fixed = Object.keys(changed).filter((name) => name !== 'updated_at' && !changeable.has(name))
    const hasEnded = before.status === 'completed' || before.status === 'cancelled'
    if (before.status !== 'draft' && (hasEnded || fixed.length > 0))
      throw hasEnded ? CampaignStatusConflict(before.status, 'changed') : CampaignFixed(before.status)
    await requireValid(tx, after)
    await requirePersona(tx, patch)
    // A summary in progress would count the rest of another audience.
    const isOfAnother = isSummarizing(before) && summaryHash(before, 'all') !== summaryHash(after, 'all')
    saveCampaign(tx, id, { ...changed, ...(isOfAnother && noSummary) })
    if (before.status !== 'draft' && after.throttle_per_hour !== before.throttle_per_hour)
      await changeRunPace(tx, id, after.throttle_per_hour)
    await tx.emit(CampaignUpdated, {
      ...after,
      changed: Object.keys(changed).filter((name) => name !== 'updated_at'),
    })
    return isOfAnother ? { ...after, ...noSummary } : after
  })
