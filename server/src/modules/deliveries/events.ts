import { Type } from 'typebox'
import { event } from '#kernel/events/event.ts'

export const WebhookTested = event('webhook.test', {
  scope: 'webhooks:manage',
  summary: 'A test event was sent to a webhook',
  subject: 'webhook',
  data: Type.Object({ id: Type.String(), message: Type.String() }),
  example: {
    id: 'cmi8hb7w40004m2n6c8v0b3x5',
    message: 'This endpoint receives events from Gable.',
  },
  personal: [],
  timelineOf: () => null,
  entry: () => ({ type: 'system', title: 'Webhook tested' }),
})
