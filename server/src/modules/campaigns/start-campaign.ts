import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { InsufficientScope } from '#kernel/http/http-errors.ts'
import { isoTime } from '#kernel/schemas.ts'
import { type Run, addRun, lockBackfill, renewRun, rescheduleRun } from '../backfills/public.ts'
import { sendChannels } from '../senders/public.ts'
import type { Campaign } from './campaign.ts'
import { moveCampaign } from './change-status.ts'
import {
  CampaignEmpty,
  CampaignStatusConflict,
  StartNotAhead,
  SummaryNeeded,
  SummaryRunning,
} from './errors.ts'
import { CampaignUpdated } from './events.ts'
import { lockCampaign } from './queries.ts'
import { summaryHash } from './summary-hash.ts'

/** How old a summary may be when a campaign is started or scheduled. */
const summaryMs = 3_600_000

/**
 * Starts a draft or a scheduled campaign at once. Throws 409 `summary_needed`, `campaign_empty`, or `campaign_status`, and 403 without
 * `messages:send`.
 */
export const startCampaign = (ctx: Ctx, id: string): Promise<Campaign> => begin(ctx, id, () => null)

/** Schedules a campaign for a future time; by default, the one in its schedule. Throws the same errors, and 409 `schedule_past`. */
export const scheduleCampaign = (ctx: Ctx, id: string, startsAt: string | undefined): Promise<Campaign> =>
  begin(ctx, id, ({ schedule }) => {
    const at = startsAt ?? schedule?.starts_at
    if (at === undefined || Date.parse(at) <= ctx.clock.now().getTime()) throw StartNotAhead()
    return isoTime(at)
  })

const begin = (ctx: Ctx, id: string, startOf: (campaign: Campaign) => string | null): Promise<Campaign> =>
  ctx.transaction(async (tx) => {
    const run = await lockBackfill(tx, id)
    const before = orNotFound(await lockCampaign(tx, id))
    if (before.status !== 'draft' && before.status !== 'scheduled')
      throw CampaignStatusConflict(before.status, 'started')
    requireMaySend(ctx)
    requireSummary(ctx, before)
    const startsAt = startOf(before)
    const to = startsAt === null ? 'running' : 'scheduled'
    if (before.status === to && before.schedule?.starts_at === startsAt) return before
    const content = runOf(before, startsAt)
    if (run === undefined) await addRun(ctx, tx, content)
    // It may have been unscheduled and edited since. It also goes to whom the caller reaches, as their summary says.
    else await rescheduleRun(tx, await renewRun(ctx, tx, run, content), startsAt)
    const schedule = startsAt === null ? before.schedule : { ...before.schedule, starts_at: startsAt }
    const after = await moveCampaign(tx, orNotFound(await lockCampaign(tx, id)), to, null, { schedule })
    if (before.status === to) await tx.emit(CampaignUpdated, { ...after, changed: ['schedule'] })
    return after
  })

/** Throws `InsufficientScope` unless the caller has `messages:send`, which everything that sends requires. */
export function requireMaySend({ scopes, actor }: Ctx): void {
  if (!scopes.has('messages:send') && actor.type !== 'system') throw InsufficientScope('messages:send')
}

function requireSummary({ clock, reach }: Ctx, campaign: Campaign): void {
  const { compliance_summary: summary, summary_of } = campaign
  if (summary === null) throw SummaryNeeded('The campaign has no summary.')
  if (summary_of !== summaryHash(campaign, reach))
    throw SummaryNeeded('The campaign has been changed since its summary.')
  if (summary.status !== 'completed') throw SummaryRunning()
  if (clock.now().getTime() - Date.parse(summary.at) > summaryMs)
    throw SummaryNeeded('The summary is more than an hour old.')
  if (summary.recipients === 0) throw CampaignEmpty()
}

function runOf(
  { id, name, channel, audience, template, sender_id, persona_id, schedule, throttle_per_hour }: Campaign,
  startsAt: string | null,
): Run {
  const { subject, body = '', html, name: templateName, language, variables = [] } = template
  const window = schedule?.send_window
  return {
    id,
    name,
    channel,
    conditions: audience,
    per_hour: throttle_per_hour,
    startsAt,
    sendWindow: window,
    step: {
      channel: sendChannels[channel],
      body,
      ...(subject !== undefined && { subject }),
      ...(html !== undefined && { html }),
      ...(sender_id !== null && { from: sender_id }),
      ...(persona_id !== null && { persona_id }),
      ...(templateName !== undefined &&
        language !== undefined && { template: { name: templateName, language, variables } }),
    },
  }
}

export const stepOfCampaign = (campaign: Campaign): Run['step'] => runOf(campaign, null).step
