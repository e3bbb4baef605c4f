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

/** Modules that store something for a webhook delete it on this event. */
export const WebhookWasRemoved = event('webhook.removed', {
  scope: null,
  summary: 'A webhook was deleted',
  subject: 'webhook',
  // Not the URL: its path can be a secret, as that of a chat room.
  data: Type.Object({ id: Type.String(), host: Type.String() }),
  example: { id: exampleId, host: 'hooks.example.com' },
})
