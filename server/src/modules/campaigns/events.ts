import { Type } from 'typebox'
import { Changed, auditEvent, event } from '#kernel/events/event.ts'
import { nullable } from '#kernel/schemas.ts'
import { campaignRecord, campaignStatuses } from './campaign.ts'

const { data, example } = campaignRecord.part(['id', 'name', 'channel', 'status'])

const changed = (what: string, summary: string) =>
  auditEvent(`campaign.${what}`, 'campaign', summary, data, example)

export const CampaignCreated = changed('created', 'A campaign was created')
export const CampaignUpdated = auditEvent(
  'campaign.updated',
  'campaign',
  'A campaign was changed',
  Type.Object({ ...data.properties, changed: Changed }),
  { ...example, changed: ['throttle_per_hour'] },
)
export const CampaignSummarized = changed('summarized', 'The compliance summary of a campaign was requested')

const Status = Type.Enum(campaignStatuses)

export const CampaignStatusChanged = event('campaign.status_changed', {
  scope: 'automations:read',
  summary: 'A campaign was scheduled, unscheduled, started, paused, resumed, completed, or cancelled',
  subject: 'campaign',
  data: Type.Object({
    id: Type.String(),
    name: data.properties.name,
    channel: data.properties.channel,
    from: Status,
    to: Status,
    reason: nullable(Type.String({ description: 'Why the campaign paused, if no one paused it.' })),
  }),
  example: {
    id: example.id,
    name: example.name,
    channel: example.channel,
    from: 'draft',
    to: 'running',
    reason: null,
  },
})
