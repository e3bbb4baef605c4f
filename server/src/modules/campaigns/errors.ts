import { defineError } from '#kernel/errors.ts'

export const CampaignStatusConflict = defineError('campaign_status', 409, (status: string, verb: string) => ({
  message: `This campaign is ${status} and cannot be ${verb}.`,
}))

export const SummaryNeeded = defineError('summary_needed', 409, (why: string) => ({
  message: `${why} Make one with POST /campaigns/{id}/summary, and look at it before the campaign starts.`,
}))

export const CampaignEmpty = defineError('campaign_empty', 409, () => ({
  message: 'The audience has no one to whom the campaign could be sent. Its summary says why.',
}))

export const StartNotAhead = defineError('schedule_past', 409, () => ({
  message: 'The campaign has no time to start that is still to come. Give `starts_at`.',
}))
