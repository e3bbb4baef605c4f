import type { EventType } from '#kernel/events/event.ts'
import { pascalCase, payloadSchema } from '#kernel/events/payload.ts'
import { type Additions, hoist } from '#kernel/http/openapi.ts'

const tag = 'Events'

const text = (description: string, example: string) => ({
  required: true,
  schema: { type: 'string' },
  description,
  example,
})

const headers = {
  EventName: { name: 'X-Webhook-Event', ...text('Name of the event.', 'contact.created') },
  DeliveryId: {
    name: 'X-Webhook-Delivery',
    ...text(
      'Id of the delivery, that is, of one event to one subscription; every attempt has the same.',
      'cmi8h9r2t0003a41c09be2d77',
    ),
  },
  Signature: {
    name: 'X-Webhook-Signature',
    ...text(
      '`sha256=` and, in lower-case hex, the HMAC-SHA256 of the raw body. Its key is the secret of the subscription, character for character. Verify before parsing, comparing in constant time.',
      'sha256=6d6f0a4c0d7d1c1b3a5e7c5f2b9d8e4f1a0c3b5d7e9f2a4c6b8d0e1f3a5c7b9d',
    ),
  },
  PreviousSignature: {
    name: 'X-Webhook-Signature-Previous',
    ...text(
      'The same, keyed by the secret before the present one; sent for 24 hours after the secret was replaced.',
      'sha256=1f0a4c0d7d1c1b3a5e7c5f2b9d8e4f1a0c3b5d7e9f2a4c6b8d0e1f3a5c7b9d6d',
    ),
    required: false,
  },
  StandardId: {
    name: 'webhook-id',
    ...text(
      'Id of the message after Standard Webhooks: the event_id. Every attempt has the same.',
      'cmi8h9r2t0003k1v5b8n2c6x0',
    ),
  },
  StandardTimestamp: {
    name: 'webhook-timestamp',
    ...text('When this attempt was made, in seconds since 1970.', '1795205561'),
  },
  StandardSignature: {
    name: 'webhook-signature',
    ...text(
      'Signatures after Standard Webhooks, parted by spaces: `v1,` and, in Base64, the HMAC-SHA256 of id, timestamp and raw body, joined by full stops. The key is what the secret says in Base64 after `whsec_`. One signature for each secret that holds.',
      'v1,dGhpcyBpcyBub3QgYSByZWFsIHNpZ25hdHVyZSwgb2s=',
    ),
  },
}

const responses = {
  '2XX': { description: 'Received. No body is expected.' },
  default: {
    description:
      'Any other status, or no answer within 10 seconds: tried again after 1, 2, 4, 8 and 16 minutes, and failed after the sixth attempt.',
  },
}

/** The part of the OpenAPI document that says what is sent to subscriptions: every event with a scope. */
export function describeWebhooks(events: readonly EventType[]): Additions {
  const schemas = {}
  const parameters = Object.entries(headers)
  return {
    tags: [tag],
    members: {
      webhooks: Object.fromEntries(
        events.flatMap((type) => (type.scope === null ? [] : [[type.name, { post: push(type, schemas) }]])),
      ),
    },
    schemas,
    parameters: Object.fromEntries(parameters.map(([name, header]) => [name, { ...header, in: 'header' }])),
  }
}

const push = (type: EventType, schemas: Record<string, unknown>) => ({
  operationId: `on${pascalCase(type.name)}`,
  tags: [tag],
  summary: type.summary,
  description: `Sent to subscriptions with the scope \`${type.scope}\`. More than once when an attempt fails: \`data.event_id\` stays the same.`,
  security: [],
  parameters: Object.keys(headers).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  requestBody: {
    required: true,
    content: { 'application/json': { schema: hoist(payloadSchema(type), schemas) } },
  },
  responses,
})
