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
import {
  ContactConditions,
  PerHour,
  SendWindow,
  defaultPerHour,
  placeholderIssues,
} from '../automations/public.ts'
import { ChannelSchema } from '../senders/public.ts'

export const campaignStatuses = ['draft', 'scheduled', 'running', 'paused', 'completed', 'cancelled'] as const
export type CampaignStatus = (typeof campaignStatuses)[number]

const said = (maxLength: number, options: object = {}) =>
  Type.Optional(masked('text', Type.String({ minLength: 1, maxLength, ...options })))

const Template = Type.Object(
  {
    subject: said(200, { pattern: oneLine, description: 'Of an email.' }),
    body: said(10_000, {
      description:
        'Of a text (4,000 characters) or an email. `{{contact.first_name|there}}` is `there` without a first name.',
    }),
    html: said(50_000, { description: 'Of an email, beside `body` or in its place.' }),
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 512, description: 'WhatsApp: the approved template.' }),
    ),
    language: Type.Optional(Type.String({ minLength: 2, maxLength: 16 })),
    variables: Type.Optional(masked('text', Type.Array(Type.String({ maxLength: 1024 }), { maxItems: 50 }))),
  },
  {
    additionalProperties: false,
    description: 'What it says. An email gets the postal address and the link to unsubscribe.',
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
      'When it starts once it is scheduled, and within which hours it sends, beside those of the gates.',
  },
)

const counts = (description: string) => Type.Record(Type.String(), Type.Integer(), { description })

const ComplianceSummary = Type.Object(
  {
    status: Type.Enum(['running', 'completed'], { description: 'Of a large audience it takes a while.' }),
    at: Type.Unsafe<string>({ ...Timestamp, description: 'As of when.' }),
    scanned: Type.Integer({ description: 'Contacts that were looked at.' }),
    recipients: Type.Integer({
      description: 'Contacts to whom it would be sent: eligible, deferred or blocked.',
    }),
    eligible: Type.Integer({ description: 'To whom it may be sent at the planned time.' }),
    deferred: Type.Integer({ description: 'Those who get it later, because of the hours.' }),
    blocked: counts('Those to whom a gate forbids it, by the first reason.'),
    left_out: counts(
      'Contacts of the audience who get nothing, such as `shared_recipient` or `phone_missing`.',
    ),
  },
  { description: 'What the gates say of the whole audience at the planned times.' },
)
export type ComplianceSummary = Static<typeof ComplianceSummary>

const time = nullable(Timestamp)

export const campaignFields = {
  name: required({ ...freeText(120), minLength: 1 }),
  channel: createOnly(required(ChannelSchema)),
  audience: required(ContactConditions),
  template: required(Template),
  sender_id: optional(
    reference(
      'sender',
      'What sends it. By default the one that the recipient knows, else that of the channel.',
    ),
  ),
  persona_id: optional(
    reference('persona', 'The persona of the AI in whose name it is written. Its messages name it.'),
  ),
  schedule: optional(Schedule),
  throttle_per_hour: defaulted(
    { ...PerHour, description: 'How many messages leave in an hour, evenly.' },
    defaultPerHour,
  ),
  status: readOnly(Type.Enum(campaignStatuses), 'draft'),
  reason: readOnly(
    nullable(
      Type.String({ description: 'Why it is paused, where no one asked for that: what its sender lacks.' }),
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
    issues.push({ path: 'template.body', message: 'must not have more than 4000 characters' })
  const texts = { subject: template.subject, body, html, variables: variables.join('\n') }
  for (const [name, text] of Object.entries(texts))
    for (const message of placeholderIssues(text ?? '')) issues.push({ path: `template.${name}`, message })
  return issues
}

const count = (description: string) => Type.Integer({ description })

export const CampaignStats = Type.Object(
  {
    recipients: count(
      'Contacts to whom it is sent, or would be but for a gate: all but those in `left_out`.',
    ),
    waiting: count('Those whose turn has not come.'),
    queued: count('Those whose message is being prepared, or is accepted and has not left.'),
    sent: count('Those whose message has left, delivered ones included.'),
    delivered: count('Those of whom the carrier reports that they have it.'),
    failed: count('Those to whom it could not be delivered, or for whom it could not be prepared.'),
    cancelled: count('Those whose message was stopped before it left.'),
    blocked: counts('Those to whom a gate forbade it, by the first reason.'),
    left_out: counts(
      'Contacts of the audience who got nothing, by reason, such as `shared_recipient`, `trash`, or `late`: it was more than a day behind its time.',
    ),
    replied: count('Those who wrote back within 30 days.'),
    opted_out: count('Those who opted out within 30 days.'),
  },
  {
    description:
      'Counted from the records, as of now. Each recipient counts once: `waiting`, `queued`, `sent`, `failed`, `cancelled` and `blocked` add up to `recipients`.',
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

/** The campaign for a response. */
export const presentCampaign = (
  { summary_of: _, summary_to: __, ...shown }: Campaign,
  stats: CampaignStats,
) => ({ ...shown, stats })
