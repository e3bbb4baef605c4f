import { Type } from 'typebox'
import type { Ctx } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { listEndpoint } from '#kernel/http/list-endpoint.ts'
import { Timestamp } from '#kernel/schemas.ts'
import {
  blockedError,
  blockedMembers,
  messageRecord,
  presentMessage,
  sendMessage,
} from '../messages/public.ts'
import { type Campaign, ShownCampaign, campaignRecord, presentCampaign } from './campaign.ts'
import { cancelCampaign, pauseCampaign, resumeCampaign } from './change-status.ts'
import { countStats } from './count-stats.ts'
import { campaignFilters, findCampaign, listCampaigns } from './queries.ts'
import { CampaignRecipient, listRecipients, recipientFilters } from './recipient-queries.ts'
import { createCampaign, updateCampaign } from './save-campaign.ts'
import { scheduleCampaign, startCampaign } from './start-campaign.ts'
import { summarizeCampaign } from './summarize-campaign.ts'
import { CampaignTest, planTest } from './test-campaign.ts'

const shown = async ({ db }: Ctx, campaign: Campaign) =>
  presentCampaign(campaign, (await countStats(db, [campaign]))(campaign.id))

const responses = { 200: ShownCampaign }

export const getCampaigns = listEndpoint('GET /campaigns', {
  scope: 'automations:read',
  summary: 'List campaigns',
  item: ShownCampaign,
  filters: campaignFilters,
  async rows(ctx, { query, page }) {
    const rows = await listCampaigns(ctx.db, query, page)
    const statsOf = await countStats(ctx.db, rows)
    return rows.map((row) => presentCampaign(row, statsOf(row.id)))
  },
})

export const postCampaign = endpoint('POST /campaigns', {
  scope: 'automations:write',
  summary: 'Create a campaign',
  description: 'A draft, which sends nothing. Make a summary of it, then start or schedule it.',
  body: campaignRecord.Draft,
  responses: { 201: ShownCampaign },
  handle: async (ctx, { body }) => created(await shown(ctx, await createCampaign(ctx, body))),
})

export const getCampaign = endpoint('GET /campaigns/{id}', {
  scope: 'automations:read',
  summary: 'Retrieve a campaign',
  description: 'With its statistics and its latest summary.',
  fields: true,
  responses,
  handle: async (ctx, { params }) => ok(await shown(ctx, found(await findCampaign(ctx.db, params.id)))),
})

export const patchCampaign = endpoint('PATCH /campaigns/{id}', {
  scope: 'automations:write',
  summary: 'Update a campaign',
  description: 'Once the campaign is scheduled, only its `name` and `throttle_per_hour` can change.',
  body: campaignRecord.Patch,
  responses,
  errors: { 409: '`campaign_status`: it has ended, or the field is fixed once it is scheduled.' },
  handle: async (ctx, { params, body }) => ok(await shown(ctx, await updateCampaign(ctx, params.id, body))),
})

export const postCampaignSummary = endpoint('POST /campaigns/{id}/summary', {
  scope: 'automations:write',
  summary: 'Summarize what the gates say of a campaign',
  description:
    'Counts the whole audience at the planned times: who would get it, later, or not, and why. If the workspace has at most 500 contacts, the response has the complete summary. Otherwise `compliance_summary.status` is `running`, and `GET /campaigns/{id}` shows the progress. Sends nothing.',
  responses,
  errors: { 409: '`campaign_status`: it has started.' },
  handle: async (ctx, { params }) => ok(await shown(ctx, await summarizeCampaign(ctx, params.id))),
})

const sending = '`insufficient_scope`: the scope `messages:send` is needed as well.'

export const postCampaignTest = endpoint('POST /campaigns/{id}/test', {
  scope: 'automations:write',
  summary: 'Send a member a test of a campaign',
  description:
    'Sends its message to a member, filled as for a contact of the audience; no contact gets it, and it is not counted in `stats`. It passes the gates like any message. A member who has texted the number within 24 hours has asked for a text; otherwise it takes their consent. Requires `messages:send` as well.',
  body: CampaignTest,
  responses: { 201: messageRecord.Record },
  errors: {
    400: '`validation_failed`: also if the member has no phone number, or the caller is not a member and names none.',
    403: sending,
    404: 'The campaign, or what `member_id` or `example_contact_id` names, does not exist in this workspace.',
    409: '`member_inactive`: the member has left.',
    422: blockedError,
  },
  errorMembers: { 422: blockedMembers },
  prepare: (ctx, { params, body }) => planTest(ctx, params.id, body),
  handle: async (ctx, _, { draft, plan }) => created(presentMessage(await sendMessage(ctx, draft, plan))),
})

const notStarted =
  '`summary_needed`: the summary is missing, running, more than an hour old, or of another text or audience; `campaign_empty`: it would be sent to no one; `campaign_status`: it has started.'

export const postCampaignSchedule = endpoint('POST /campaigns/{id}/schedule', {
  scope: 'automations:write',
  summary: 'Schedule a campaign',
  description:
    'The campaign starts at that time, with the contacts who match its audience then. Scheduling it again moves the start. Requires `messages:send` as well.',
  body: Type.Object(
    { starts_at: Type.Optional({ ...Timestamp, description: 'By default that of its `schedule`.' }) },
    {
      title: 'CampaignScheduling',
      additionalProperties: false,
      examples: [{ starts_at: '2058-12-01T15:00:00.000Z' }],
    },
  ),
  responses,
  errors: { 403: sending, 409: `${notStarted} \`schedule_past\`: the time has passed, or none is known.` },
  handle: async (ctx, { params, body }) =>
    ok(await shown(ctx, await scheduleCampaign(ctx, params.id, body.starts_at))),
})

export const postCampaignStart = endpoint('POST /campaigns/{id}/start', {
  scope: 'automations:write',
  summary: 'Start a campaign',
  description:
    'Takes a snapshot of the audience, and sends to one contact after the other. This cannot be undone. Requires `messages:send` as well.',
  responses,
  errors: { 403: sending, 409: notStarted },
  handle: async (ctx, { params }) => ok(await shown(ctx, await startCampaign(ctx, params.id))),
})

export const postCampaignPause = endpoint('POST /campaigns/{id}/pause', {
  scope: 'automations:write',
  summary: 'Pause a campaign',
  description: 'What has not begun to be sent waits until it is resumed.',
  responses,
  errors: { 409: '`campaign_status`: it is not running.' },
  handle: async (ctx, { params }) => ok(await shown(ctx, await pauseCampaign(ctx, params.id))),
})

export const postCampaignResume = endpoint('POST /campaigns/{id}/resume', {
  scope: 'automations:write',
  summary: 'Resume a campaign',
  description: 'It goes on at its pace, without making up for the pause.',
  responses,
  errors: { 409: '`campaign_status`: it is not paused.' },
  handle: async (ctx, { params }) => ok(await shown(ctx, await resumeCampaign(ctx, params.id))),
})

export const postCampaignCancel = endpoint('POST /campaigns/{id}/cancel', {
  scope: 'automations:write',
  summary: 'Cancel a campaign',
  description: 'Ends it for good: what has not begun to be sent never leaves.',
  responses,
  errors: { 409: '`campaign_status`: it has ended.' },
  handle: async (ctx, { params }) => ok(await shown(ctx, await cancelCampaign(ctx, params.id))),
})

export const getCampaignRecipients = listEndpoint('GET /campaigns/{id}/recipients', {
  scope: 'automations:read',
  summary: 'List the recipients of a campaign',
  description: 'The audience as it was when the campaign started, with what became of each.',
  item: CampaignRecipient,
  filters: recipientFilters,
  async rows(ctx, { params, query, page }) {
    found(await findCampaign(ctx.db, params.id))
    return listRecipients(ctx.db, params.id, query, page)
  },
})
