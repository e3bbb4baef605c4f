import { defineError } from '#kernel/errors.ts'

export const CampaignStatusConflict = defineError('campaign_status', 409, (status: string, verb: string) => ({
  message: `This campaign is ${status === 'draft' ? 'a draft' : status} and cannot be ${verb}.`,
}))

export const CampaignFixed = defineError('campaign_status', 409, (status: string) => ({
  message: `This campaign is ${status}. Only its name and throttle_per_hour can change.${status === 'scheduled' ? ' Unschedule it to change the rest.' : ''}`,
}))

export const SummaryNeeded = defineError('summary_needed', 409, (why: string) => ({
  message: `${why} Make one with POST /campaigns/{id}/summary, and review it before the campaign starts.`,
}))

export const SummaryRunning = defineError('summary_needed', 409, () => ({
  message: 'The summary is not complete yet. GET /campaigns/{id} shows its progress.',
}))

export const CampaignEmpty = defineError('campaign_empty', 409, () => ({
  message: 'The campaign has no one to send to. Its summary says why.',
}))

export const StartNotAhead = defineError('schedule_past', 409, () => ({
  message: 'The campaign needs a start time in the future. Set `starts_at`.',
}))
