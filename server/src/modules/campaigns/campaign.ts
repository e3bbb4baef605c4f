import { type Static, Type } from 'typebox'
import type { Issue } from '#kernel/errors.ts'
import { masked } from '#kernel/masking/masked.ts'
import { extendRecord } from '#kernel/records/extend.ts'
import {
  type PatchOf,
  type RowOf,
  createOnly,
  createdBy,
  defaulted,
  freeText,
  internal,
  optional,
  readOnly,
  reference,
  required,
} from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { Timestamp, nullable, oneLine } from '#kernel/schemas.ts'
import { SendWindow, placeholderIssues } from '../automations/public.ts'
import { ContactConditions, PerHour, defaultPerHour } from '../backfills/public.ts'
import { ChannelSchema } from '../senders/public.ts'

export const campaignStatuses = ['draft', 'scheduled', 'running', 'paused', 'completed', 'cancelled'] as const
export type CampaignStatus = (typeof campaignStatuses)[number]

const said = (maxLength: number, options: object = {}) =>
  Type.Optional(masked('text', Type.String({ minLength: 1, maxLength, ...options })))

const Template = Type.Object(
  {
    subject: said(200, { pattern: oneLine, description: 'For an email.' }),
    body: said(10_000, {
      description:
        'For a text (4,000 characters) or an email. `{{contact.first_name|there}}` becomes `there` if the contact has no first name.',
    }),
    html: said(50_000, { description: 'For an email, in addition to `body` or instead of it.' }),
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 512, description: 'The approved WhatsApp template.' }),
    ),
    language: Type.Optional(Type.String({ minLength: 2, maxLength: 16 })),
    variables: Type.Optional(masked('text', Type.Array(Type.String({ maxLength: 1024 }), { maxItems: 50 }))),
  },
  {
    additionalProperties: false,
    description:
      'The content of the message. Gable adds the postal address and an unsubscribe link to emails.',
  },
)
export type CampaignTemplate = Static<typeof Template>

const Schedule = Type.Object(
  {
    starts_at: Type.Optional(Timestamp),
    send_window: Type.Optional(SendWindow),
  },
  {
    additionalProperties: false,
    description:
      'When a scheduled campaign starts, and the hours within which it sends, in addition to the hours of the gates.',
  },
)

const counts = (description: string) => Type.Record(Type.String(), Type.Integer(), { description })

const ComplianceSummary = Type.Object(
  {
    status: Type.Enum(['running', 'completed'], {
      description: 'For a large audience, the summary takes a while.',
    }),
    at: Type.Unsafe<string>({ ...Timestamp, description: 'When the summary was made.' }),
    scanned: Type.Integer({ description: 'Contacts checked so far.' }),
    recipients: Type.Integer({
      description: 'Contacts who would be sent the message: eligible, deferred, or blocked.',
    }),
    eligible: Type.Integer({ description: 'Contacts who may be sent the message at the planned time.' }),
    deferred: Type.Integer({ description: 'Contacts who get the message later, because of the hours.' }),
    blocked: counts('Contacts blocked by a gate, by the first reason.'),
    left_out: counts(
      'Contacts of the audience who are not sent the message, by reason, such as `shared_recipient` or `phone_missing`.',
    ),
  },
  { description: 'What the gates decide for the whole audience at the planned times.' },
)
export type ComplianceSummary = Static<typeof ComplianceSummary>

const time = nullable(Timestamp)

export const campaignFields = {
  name: required({ ...freeText(120), minLength: 1, pattern: oneLine }),
  channel: createOnly(required(ChannelSchema)),
  audience: required(ContactConditions),
  template: required(Template),
  sender_id: optional(
    reference(
      'sender',
      'The sender. By default the one that the recipient knows, or else the one of the channel.',
    ),
  ),
  persona_id: optional(
    reference('persona', 'The AI persona in whose name the message is written. Messages name the persona.'),
  ),
  schedule: optional(Schedule),
  throttle_per_hour: defaulted(
    { ...PerHour, description: 'How many messages to send per hour. They are spread evenly over the hour.' },
    defaultPerHour,
  ),
  status: readOnly(Type.Enum(campaignStatuses, { title: 'CampaignStatus' }), 'draft'),
  reason: readOnly(
    nullable(
      Type.String({ description: 'Why the campaign paused, if no one paused it: what its sender lacks.' }),
    ),
    null,
  ),
  compliance_summary: readOnly(Type.Union([ComplianceSummary, Type.Null()]), null),
  summary_of: internal(nullable(Type.String()), null),
  summary_to: internal(nullable(Type.String()), null),
  started_at: readOnly(time, null),
  ended_at: readOnly(time, null),
  created_by: createdBy(),
}

export const exampleDraft = {
  name: 'Open house at Alder Court',
  channel: 'EMAIL' as const,
  audience: { field: 'contact.tags', operator: 'has_any' as const, value: ['buyer'] },
  template: {
    subject: 'Open house on Saturday',
    body: 'Hi {{contact.first_name|there}}, the open house at Alder Court is at 2 pm on Saturday.',
  },
}

export const campaignRecord = defineRecord('Campaign', {
  fields: campaignFields,
  example: exampleDraft,
  patchExample: { throttle_per_hour: 60 },
  shownExample: {
    status: 'draft',
    compliance_summary: {
      status: 'completed',
      at: '2026-11-20T20:11:06.020Z',
      scanned: 1400,
      recipients: 412,
      eligible: 380,
      deferred: 20,
      blocked: { opted_out: 12 },
      left_out: { shared_recipient: 3 },
    },
  },
  check: ({ channel, template }) => templateIssues(channel, template),
})
export type Campaign = RowOf<typeof campaignFields>
export type CampaignDraft = Static<typeof campaignRecord.Draft>
export type CampaignPatch = PatchOf<typeof campaignFields>

const members = {
  SMS: ['body'],
  EMAIL: ['subject', 'body', 'html'],
  WHATSAPP: ['name', 'language', 'variables'],
} as const

const needed = { SMS: ['body'], EMAIL: ['subject'], WHATSAPP: ['name', 'language'] } as const

function templateIssues(channel: Campaign['channel'], template: CampaignTemplate): Issue[] {
  const allowed: readonly string[] = members[channel]
  const given = Object.keys(template)
  const issues = [
    ...given
      .filter((name) => !allowed.includes(name))
      .map((name) => ({ path: `template.${name}`, message: `is not allowed with ${channel}` })),
    ...needed[channel]
      .filter((name) => template[name as keyof CampaignTemplate] === undefined)
      .map((name) => ({ path: `template.${name}`, message: 'is required' })),
  ]
  const { body, html, variables = [] } = template
  if (channel === 'EMAIL' && body === undefined && html === undefined)
    issues.push({ path: 'template.body', message: 'is required, or html' })
  if (channel === 'SMS' && (body?.length ?? 0) > 4000)
    issues.push({ path: 'template.body', message: 'must have at most 4,000 characters' })
  const texts = { subject: template.subject, body, html, variables: variables.join('\n') }
  for (const [name, text] of Object.entries(texts))
    for (const message of placeholderIssues(text ?? '')) issues.push({ path: `template.${name}`, message })
  return issues
}

const count = (description: string) => Type.Integer({ description })

export const CampaignStats = Type.Object(
  {
    recipients: count(
      'Contacts who are sent the message, or would be if no gate blocked it. All of the audience except `left_out`.',
    ),
    waiting: count('Recipients whose turn has not come.'),
    queued: count('Recipients whose message is being prepared, or is accepted and has not been sent.'),
    sent: count('Recipients whose message has been sent, including delivered messages.'),
    delivered: count('Recipients whose message the carrier reports as delivered.'),
    failed: count('Recipients whose message could not be delivered or prepared.'),
    cancelled: count('Recipients whose message was cancelled before it was sent.'),
    blocked: counts('Recipients blocked by a gate, by the first reason.'),
    left_out: counts(
      'Contacts of the audience who were not sent the message, by reason, such as `shared_recipient`, `trash`, or `late`: the message was more than a day late.',
    ),
    replied: count('Recipients who replied within 30 days.'),
    opted_out: count('Recipients who opted out within 30 days.'),
  },
  {
    description:
      'Counted from the records, as of now. Each recipient counts once: `waiting`, `queued`, `sent`, `failed`, `cancelled`, and `blocked` add up to `recipients`.',
  },
)
export type CampaignStats = Static<typeof CampaignStats>

export const noStats: CampaignStats = {
  recipients: 0,
  waiting: 0,
  queued: 0,
  sent: 0,
  delivered: 0,
  failed: 0,
  cancelled: 0,
  blocked: {},
  left_out: {},
  replied: 0,
  opted_out: 0,
}

export const ShownCampaign = extendRecord(
  'CampaignWithStats',
  campaignRecord,
  { stats: CampaignStats },
  { stats: noStats },
)

/**
 * The campaign for a response. A summary counts the contacts of who requested it, so a reader with limited reach sees
 * only a summary of the same reach: `hasSummary`.
 */
export const presentCampaign = (
  { summary_of: _, summary_to: __, compliance_summary: summary, ...shown }: Campaign,
  { stats, hasSummary }: { stats: CampaignStats; hasSummary: boolean },
) => ({ ...shown, compliance_summary: hasSummary ? summary : null, stats })
