import { Type } from 'typebox'
import { event } from '#kernel/events/event.ts'

const exampleId = 'cmi8hb7w40004m2n6c8v0b3x5'

export const WebhookDisabled = event('webhook.disabled', {
  scope: 'webhooks:manage',
  summary: 'An endpoint failed for five days and gets nothing more',
  subject: 'webhook',
  data: Type.Object({
    id: Type.String(),
    url: Type.String(),
    failing_since: Type.String(),
    reason: Type.String({ description: 'In words.' }),
  }),
  example: {
    id: exampleId,
    url: 'https://hooks.example.com/gable',
    failing_since: '2026-11-15T20:12:40.120Z',
    reason: 'Every attempt since 2026-11-15T20:12:40.120Z has failed.',
  },
  personal: [],
  timelineOf: () => null,
  entry: () => ({ type: 'system', title: 'Webhook disabled' }),
})

/** Modules that keep something for a subscription let go of it when they hear this. */
export const WebhookWasRemoved = event('webhook.removed', {
  scope: null,
  summary: 'A webhook subscription was removed',
  subject: 'webhook',
  data: Type.Object({ id: Type.String(), url: Type.String() }),
  example: { id: exampleId, url: 'https://hooks.example.com/gable' },
  personal: [],
  timelineOf: () => null,
  entry: () => ({ type: 'system', title: 'Webhook removed' }),
})
