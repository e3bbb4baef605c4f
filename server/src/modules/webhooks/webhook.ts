import { type Static, Type } from 'typebox'
import { extendRecord } from '#kernel/records/extend.ts'
import {
  type PatchOf,
  type RowOf,
  defaulted,
  internal,
  optional,
  patchOnly,
  readOnly,
  required,
  text,
} from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'

/** The most webhooks in one workspace. Each event writes a delivery for every webhook that subscribes to it. */
export const maxWebhooks = 100

/** A webhook is disabled after all of its attempts have failed for this long. */
export const giveUpMs = 5 * 24 * 3_600_000

const statuses = ['active', 'paused', 'disabled'] as const
export type WebhookStatus = (typeof statuses)[number]

const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description:
    'Where Gable posts events. An https URL with a public address, and without a user name, password, or fragment. Gable does not follow redirects.',
})
const EventNames = Type.Array(text(80), {
  maxItems: 100,
  description: 'The events to send. An empty list subscribes to every event that the scopes allow.',
})

const fields = {
  url: required(Url),
  description: optional(text(200, 'What the webhook is for.')),
  event_types: defaulted(EventNames, [], { normalize: (names: string[]) => [...new Set(names)] }),
  scopes: readOnly(
    Type.Array(Type.String(), {
      description:
        'The scopes of the credential that created the webhook. Gable sends only events that they cover.',
    }),
    [],
  ),
  paused: patchOnly(
    Type.Boolean({
      description: 'While true, deliveries wait. Set to false to resume, and to enable a disabled webhook.',
    }),
    false,
  ),
  failing_since: readOnly(
    nullable(Type.String({ description: 'When the first attempt since the last success failed.' })),
    null,
  ),
  disabled_at: readOnly(nullable(Timestamp), null),
  previous_secret_until: readOnly(
    nullable(Type.String({ description: 'When the previous secret stops signing deliveries.' })),
    null,
  ),
  /** The OAuth app that created the webhook. */
  app_id: internal(nullable(Type.String()), null),
  /** The key that created the webhook, if the key sees only what it created. The webhook receives the events that the key causes. */
  created_by: internal(nullable(Type.String()), null),
  /** Paused because its app is disabled. */
  paused_with_app: internal(Type.Boolean(), false),
}

export const webhookRecord = defineRecord('Webhook', {
  fields,
  example: { url: 'https://hooks.example.com/gable', event_types: ['contact.created'] },
  patchExample: { description: 'CRM mirror', paused: true },
})

export type WebhookRow = RowOf<typeof fields>
export type WebhookDraft = Static<typeof webhookRecord.Draft>
export type WebhookPatch = PatchOf<typeof fields>

const computed = {
  status: Type.Enum(statuses, {
    description:
      '`disabled`: every attempt failed for five days. Send `paused: false` to enable the webhook again.',
  }),
  disabled_reason: nullable(Type.String()),
}
const example = {
  id: 'cmi8hb7w40004m2n6c8v0b3x5',
  description: 'CRM mirror',
  scopes: ['contacts:read', 'webhooks:manage'],
  status: 'active' as const,
  disabled_reason: null,
}

export const Webhook = extendRecord('Webhook', webhookRecord, computed, example)

export const WebhookWithSecret = extendRecord(
  'WebhookWithSecret',
  webhookRecord,
  { ...computed, secret: Type.String({ description: 'The signing secret. It is shown only once.' }) },
  { ...example, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfnWe3Kzbg=' },
)

/** A member or app requests `paused`; `disabled` follows from failing for too long. */
export function statusOf({ paused, disabled_at }: Pick<WebhookRow, 'paused' | 'disabled_at'>): WebhookStatus {
  if (disabled_at !== null) return 'disabled'
  return paused ? 'paused' : 'active'
}

export function presentWebhook({
  app_id: _,
  created_by: _by,
  paused_with_app: __,
  ...row
}: WebhookRow): Static<typeof Webhook> {
  const { failing_since, disabled_at } = row
  return {
    ...row,
    status: statusOf(row),
    disabled_reason:
      disabled_at === null ? null : `Every attempt from ${failing_since} to ${disabled_at} failed.`,
  }
}
