import { Type } from 'typebox'
import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { countEndpoint, listEndpoint } from '#kernel/http/list-endpoint.ts'
import { Timestamp } from '#kernel/schemas.ts'
import {
  blockedError,
  blockedMembers,
  MessageShown,
  presentMessage,
  sendMessage,
} from '../messages/public.ts'
import { type Campaign, ShownCampaign, campaignRecord, presentCampaign } from './campaign.ts'
import { cancelCampaign, pauseCampaign, resumeCampaign, unscheduleCampaign } from './change-status.ts'
import { countStats } from './count-stats.ts'
import { campaignFilters, findCampaign, listCampaigns } from './queries.ts'
import { CampaignRecipient, listRecipients, recipientFilters } from './recipient-queries.ts'
import { createCampaign, updateCampaign } from './save-campaign.ts'
import { scheduleCampaign, startCampaign } from './start-campaign.ts'
import { summarizeCampaign } from './summarize-campaign.ts'
import { summarizes } from './summary-hash.ts'
import { CampaignTest, planTest } from './test-campaign.ts'

const shown = async ({ db, reach }: Ctx, campaign: Campaign) => {
  const stats = (await countStats(db, [campaign]))(campaign.id)
  return presentCampaign(campaign, { stats, hasSummary: summarizes(campaign, reach) })
}

const responses = { 200: ShownCampaign }

export const getCampaigns = listEndpoint('GET /campaigns', {
  scope: 'automations:read',
  summary: 'List campaigns',
  description: 'Campaigns of every status, each with its statistics.',
  item: ShownCampaign,
  filters: campaignFilters,
  rows: (ctx, { query, page }) => listCampaigns(ctx.db, query, page),
  async complete(rows, { db, reach }) {
    const statsOf = await countStats(db, rows)
    return rows.map((row) =>
      presentCampaign(row, { stats: statsOf(row.id), hasSummary: summarizes(row, reach) }),
    )
  },
})

export const getCampaignCount = countEndpoint(getCampaigns)

export const postCampaign = endpoint('POST /campaigns', {
  scope: 'automations:write',
  summary: 'Create a campaign',
  description: 'Creates a draft, which sends nothing. Summarize it, then start or schedule it.',
  body: campaignRecord.Draft,
  fields: true,
  responses: { 201: ShownCampaign },
  handle: async (ctx, { body }) => created(await shown(ctx, await createCampaign(ctx, body))),
})

export const getCampaign = endpoint('GET /campaigns/{id}', {
  scope: 'automations:read',
  summary: 'Retrieve a campaign',
  description: 'Includes its statistics and its latest summary.',
  fields: true,
  responses,
  handle: async (ctx, { params }) => ok(await shown(ctx, orNotFound(await findCampaign(ctx.db, params.id)))),
})

export const patchCampaign = endpoint('PATCH /campaigns/{id}', {
  scope: 'automations:write',
  summary: 'Update a campaign',
  description:
    'Once the campaign is scheduled, only its `name` and `throttle_per_hour` can change. To change the rest, unschedule it.',
  body: campaignRecord.Patch,
  fields: true,
  responses,
  errors: {
    409: '`campaign_status`: the campaign has ended, or the field is fixed once the campaign is scheduled.',
  },
  handle: async (ctx, { params, body }) => ok(await shown(ctx, await updateCampaign(ctx, params.id, body))),
})

export const postCampaignSummary = endpoint('POST /campaigns/{id}/summary', {
  scope: 'automations:write',
  summary: 'Summarize the compliance of a campaign',
  description:
    'Checks the whole audience against the gates at the planned times: who would get the message, who would get it later, who would not, and why. If the workspace has at most 500 contacts, the response includes the complete summary. Otherwise `compliance_summary.status` is `running`, and `GET /campaigns/{id}` shows the progress. Sends nothing.',
  fields: true,
  responses,
  errors: { 409: '`campaign_status`: the campaign has started.' },
  handle: async (ctx, { params }) => ok(await shown(ctx, await summarizeCampaign(ctx, params.id))),
})

const sending = '`insufficient_scope`: the request also requires the scope `messages:send`.'

export const postCampaignTest = endpoint('POST /campaigns/{id}/test', {
  scope: 'automations:write',
  summary: 'Send a test of a campaign to a member',
  description:
    'Sends the message to a member, with placeholders filled as for a contact of the audience. No contact gets it, and `stats` does not count it. The test passes the gates like any message. A member who has texted the number within 24 hours can get a text; any other member must have consented. Also requires `messages:send`.',
  body: CampaignTest,
  responses: { 201: MessageShown },
  errors: {
    400: '`validation_failed`: also if the member has no phone number, or the request names no member and the caller is not one.',
    403: sending,
    404: 'The campaign, the member in `member_id`, or the contact in `example_contact_id` does not exist in this workspace.',
    409: '`member_inactive`: the member has left the workspace.',
    422: blockedError,
  },
  errorMembers: { 422: blockedMembers },
  prepare: (ctx, { params, body }) => planTest(ctx, params.id, body),
  handle: async (ctx, _, { draft, plan }) =>
    created(await presentMessage(await sendMessage(ctx, draft, plan), ctx)),
})

const notStarted =
  '`summary_needed`: the summary is missing, still running, more than an hour old, or made for another text or audience; `campaign_empty`: the audience has no one to send to; `campaign_status`: the campaign has started.'

export const postCampaignSchedule = endpoint('POST /campaigns/{id}/schedule', {
  scope: 'automations:write',
  summary: 'Schedule a campaign',
  description:
    'The campaign starts at that time and sends to the contacts who match its audience then. To move the start, schedule it again. Also requires `messages:send`.',
  body: Type.Object(
    { starts_at: Type.Optional({ ...Timestamp, description: 'The time in `schedule` by default.' }) },
    {
      title: 'CampaignScheduling',
      additionalProperties: false,
      examples: [{ starts_at: '2058-12-01T15:00:00.000Z' }],
    },
  ),
  fields: true,
  responses,
  errors: {
    403: sending,
    409: `${notStarted} \`schedule_past\`: the time is in the past, or no time is set.`,
  },
  handle: async (ctx, { params, body }) =>
    ok(await shown(ctx, await scheduleCampaign(ctx, params.id, body.starts_at))),
})

export const postCampaignUnschedule = endpoint('POST /campaigns/{id}/unschedule', {
  scope: 'automations:write',
  summary: 'Unschedule a campaign',
  description: 'The campaign becomes a draft again: it does not start, and you can edit it.',
  fields: true,
  responses,
  errors: { 409: '`campaign_status`: the campaign is not scheduled, or has started.' },
  handle: async (ctx, { params }) => ok(await shown(ctx, await unscheduleCampaign(ctx, params.id))),
})

export const postCampaignStart = endpoint('POST /campaigns/{id}/start', {
  scope: 'automations:write',
  summary: 'Start a campaign',
  description:
    'Takes a snapshot of the audience, and sends to its contacts one by one. This cannot be undone. Also requires `messages:send`.',
  fields: true,
  responses,
  errors: { 403: sending, 409: notStarted },
  handle: async (ctx, { params }) => ok(await shown(ctx, await startCampaign(ctx, params.id))),
})

export const postCampaignPause = endpoint('POST /campaigns/{id}/pause', {
  scope: 'automations:write',
  summary: 'Pause a campaign',
  description: 'Messages that have not started sending wait until you resume the campaign.',
  fields: true,
  responses,
  errors: { 409: '`campaign_status`: the campaign is not running.' },
  handle: async (ctx, { params }) => ok(await shown(ctx, await pauseCampaign(ctx, params.id))),
})

export const postCampaignResume = endpoint('POST /campaigns/{id}/resume', {
  scope: 'automations:write',
  summary: 'Resume a campaign',
  description: 'The campaign resumes at the same pace, without catching up on the pause.',
  fields: true,
  responses,
  errors: { 409: '`campaign_status`: the campaign is not paused.' },
  handle: async (ctx, { params }) => ok(await shown(ctx, await resumeCampaign(ctx, params.id))),
})

export const postCampaignCancel = endpoint('POST /campaigns/{id}/cancel', {
  scope: 'automations:write',
  summary: 'Cancel a campaign',
  description: 'Ends the campaign permanently. Messages that have not started sending are never sent.',
  fields: true,
  responses,
  errors: { 409: '`campaign_status`: the campaign has ended.' },
  handle: async (ctx, { params }) => ok(await shown(ctx, await cancelCampaign(ctx, params.id))),
})

export const getCampaignRecipients = listEndpoint('GET /campaigns/{id}/recipients', {
  scope: 'automations:read',
  summary: 'List the recipients of a campaign',
  description: 'Lists the audience as of the start of the campaign. Includes the outcome for each contact.',
  item: CampaignRecipient,
  filters: recipientFilters,
  async rows(ctx, { params, query, page }) {
    orNotFound(await findCampaign(ctx.db, params.id))
    return listRecipients(ctx.db, params.id, query, page)
  },
})
