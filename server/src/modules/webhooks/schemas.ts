import { type Static, Type } from 'typebox'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import type { WebhookRow } from './queries.ts'
import { statusOf } from './webhook.ts'

const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description:
    'Where events are posted: https, a public address, no user name, no password, no fragment. Redirects are not followed.',
})
const EventNames = Type.Array(Type.String({ maxLength: 80 }), {
  maxItems: 100,
  description: 'Names of events; none for all that the scopes allow, those of the future included.',
})
const Description = Type.String({ maxLength: 200, description: 'For people: what it is for.' })

export const WebhookDraft = Type.Object(
  { url: Url, event_types: Type.Optional(EventNames), description: Type.Optional(Description) },
  {
    title: 'WebhookDraft',
    additionalProperties: false,
    examples: [{ url: 'https://hooks.example.com/gable', event_types: ['contact.created'] }],
  },
)
export type WebhookDraft = Static<typeof WebhookDraft>

export const WebhookPatch = Type.Object(
  {
    url: Type.Optional(Url),
    event_types: Type.Optional(EventNames),
    description: Type.Optional(nullable(Description)),
    paused: Type.Optional(
      Type.Boolean({
        description:
          'While true, events wait. false lets them go, and takes a disabled webhook into use again.',
      }),
    ),
  },
  {
    title: 'WebhookPatch',
    additionalProperties: false,
    description: 'Members that are absent stay as they are.',
    examples: [{ description: 'CRM mirror', paused: true }],
  },
)
export type WebhookPatch = Static<typeof WebhookPatch>

const members = {
  id: Type.String(),
  url: Type.String(),
  description: nullable(Type.String()),
  event_types: Type.Array(Type.String()),
  scopes: Type.Array(Type.String(), {
    description: 'Those of the credential that made it; only events of these scopes are sent.',
  }),
  status: Type.Enum(['active', 'paused', 'disabled'], {
    description:
      '`disabled`: every attempt of five days had failed. PATCH `paused: false` takes it into use again.',
  }),
  failing_since: nullable(Type.String({ description: 'Since when no attempt has succeeded.' })),
  disabled_at: nullable(Type.String()),
  disabled_reason: nullable(Type.String()),
  previous_secret_until: nullable(
    Type.String({ description: 'Until then the secret before the present one signs as well.' }),
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
}

const example = {
  id: 'cmi8hb7w40004m2n6c8v0b3x5',
  url: 'https://hooks.example.com/gable',
  description: 'CRM mirror',
  event_types: ['contact.created'],
  scopes: ['contacts:read', 'webhooks:manage'],
  status: 'active',
  failing_since: null,
  disabled_at: null,
  disabled_reason: null,
  previous_secret_until: null,
  created_at: '2026-11-20T20:12:40.120Z',
  updated_at: '2026-11-20T20:12:40.120Z',
}

export const Webhook = Type.Object(members, { title: 'Webhook', examples: [example] })

export const WebhookWithSecret = Type.Object(
  { ...members, secret: Type.String({ description: 'Shown this once.' }) },
  {
    title: 'WebhookWithSecret',
    examples: [{ ...example, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfnWe3Kzbg=' }],
  },
)

export function presentWebhook(row: WebhookRow): Static<typeof Webhook> {
  const { id, url, description, event_types, scopes, failing_since, disabled_at } = row
  return {
    id,
    url,
    description,
    event_types,
    scopes,
    status: statusOf(row),
    failing_since,
    disabled_at,
    disabled_reason:
      disabled_at === null ? null : `Every attempt from ${failing_since} to ${disabled_at} failed.`,
    previous_secret_until: row.previous_secret_until,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}
