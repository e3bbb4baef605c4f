import { Type } from 'typebox'
import { event } from '#kernel/events/event.ts'
import { nullable } from '#kernel/schemas.ts'

const exampleId = 'cmi8hb7w40004m2n6c8v0b3x5'

export const WebhookDisabled = event('webhook.disabled', {
  scope: 'webhooks:manage',
  summary: 'A webhook was disabled after its endpoint failed for five days',
  subject: 'webhook',
  data: Type.Object({
    id: Type.String(),
    url: Type.String(),
    app_id: nullable(Type.String({ description: 'The OAuth app that created the webhook.' })),
    failing_since: Type.String(),
    reason: Type.String({ description: 'A sentence for people.' }),
  }),
  example: {
    id: exampleId,
    url: 'https://hooks.example.com/gable',
    app_id: null,
    failing_since: '2026-11-15T20:12:40.120Z',
    reason: 'Every attempt since 2026-11-15T20:12:40.120Z has failed.',
  },
  personal: [],
  timelineOf: () => null,
  entry: () => ({ type: 'system', title: 'Webhook disabled' }),
})

// Contains only the host, because the path of the URL can be a secret, for example that of a chat room.
const Hosted = Type.Object({ id: Type.String(), host: Type.String() })
const hosted = { id: exampleId, host: 'hooks.example.com' }

/** Events for the audit log. They are internal: no webhook receives them. */
const hostedEvent = (name: string, summary: string) =>
  event(name, { scope: null, summary, subject: 'webhook', data: Hosted, example: hosted })

export const WebhookCreated = hostedEvent('webhook.created', 'A webhook was created')
export const WebhookSecretRotated = hostedEvent(
  'webhook.secret_rotated',
  'The signing secret of a webhook was replaced',
)

/** Modules that store records for a webhook delete them on this event. */
export const WebhookWasRemoved = hostedEvent('webhook.removed', 'A webhook was deleted')

/** `changed` lists the fields that the caller changed, and `disabled_at` if a disabled webhook was enabled. */
export const WebhookUpdated = event('webhook.updated', {
  scope: null,
  summary: 'A webhook was changed',
  subject: 'webhook',
  data: Type.Object({
    ...Hosted.properties,
    changed: Type.Array(Type.Enum(['url', 'description', 'event_types', 'paused', 'disabled_at'])),
  }),
  example: { ...hosted, changed: ['url'] },
})
