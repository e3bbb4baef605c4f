import type { Ctx, Tx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { timeAfter } from '#kernel/records/record.ts'
import {
  type Backfill,
  cancelRun,
  lockBackfill,
  pauseRun,
  resumeRun,
  unscheduleRun,
} from '../backfills/public.ts'
import type { Campaign, CampaignStatus } from './campaign.ts'
import { CampaignStatusConflict } from './errors.ts'
import { CampaignStatusChanged } from './events.ts'
import { lockCampaign, saveCampaign } from './queries.ts'
import { isSummarizing, noSummary } from './summary-hash.ts'

/** Pauses a campaign at once: messages that have not started sending wait. Throws 409 `campaign_status`. */
export const pauseCampaign = (ctx: Ctx, id: string): Promise<Campaign> =>
  change(ctx, id, ['running'], 'paused', pauseRun)

/** Resumes a campaign at its pace. Throws 409 `campaign_status`. */
export const resumeCampaign = (ctx: Ctx, id: string): Promise<Campaign> =>
  change(ctx, id, ['paused'], 'resumed', resumeRun)

/** Ends a campaign permanently: messages that have not started sending are never sent. Throws 409 `campaign_status`. */
export const cancelCampaign = (ctx: Ctx, id: string): Promise<Campaign> =>
  change(ctx, id, ['draft', 'scheduled', 'running', 'paused'], 'cancelled', cancelRun)

/** Makes a scheduled campaign a draft again. Throws 409 `campaign_status` if it is not scheduled, or has just started. */
export const unscheduleCampaign = (ctx: Ctx, id: string): Promise<Campaign> =>
  ctx.transaction(async (tx) => {
    const run = await lockBackfill(tx, id)
    const before = orNotFound(await lockCampaign(tx, id))
    if (before.status !== 'scheduled') throw CampaignStatusConflict(before.status, 'unscheduled')
    await unscheduleRun(tx, orNotFound(run))
    return moveCampaign(tx, before, 'draft')
  })

const change = (
  ctx: Ctx,
  id: string,
  from: readonly CampaignStatus[],
  verb: string,
  move: (tx: Tx, run: Backfill) => Promise<void>,
): Promise<Campaign> =>
  ctx.transaction(async (tx) => {
    // Lock order, as in the engine: the run before the campaign.
    const run = await lockBackfill(tx, id)
    const before = orNotFound(await lockCampaign(tx, id))
    if (!from.includes(before.status)) throw CampaignStatusConflict(before.status, verb)
    if (run === undefined) return moveCampaign(tx, before, 'cancelled')
    // `followRun` gives the campaign the status of its run.
    await move(tx, run)
    return orNotFound(await lockCampaign(tx, id))
  })

/** Gives a campaign the status of its run. */
export async function followRun(
  tx: Tx,
  { id, status, reason }: { id: string; status: Backfill['status']; reason: string | null },
): Promise<void> {
  const campaign = await lockCampaign(tx, id)
  if (campaign !== undefined && campaign.status !== status) await moveCampaign(tx, campaign, status, reason)
}

/** Changes the status of a campaign, and emits an event if it differs. The caller holds the campaign's lock. */
export async function moveCampaign(
  tx: Tx,
  before: Campaign,
  status: CampaignStatus,
  reason: string | null = null,
  more: Partial<Campaign> = {},
): Promise<Campaign> {
  const now = tx.clock.now()
  const at = now.toISOString()
  const changed: Partial<Campaign> = {
    ...more,
    ...(isSummarizing(before) && noSummary),
    status,
    reason,
    ...(status === 'running' && { started_at: before.started_at ?? at }),
    ...((status === 'completed' || status === 'cancelled') && { ended_at: at }),
    updated_at: timeAfter(before.updated_at, now),
  }
  saveCampaign(tx, before.id, changed)
  const after = { ...before, ...changed }
  if (status !== before.status)
    await tx.emit(CampaignStatusChanged, { ...after, from: before.status, to: status })
  return after
}
