import type { EventType } from '#kernel/events/event.ts'
import { pascalCase, payloadSchema } from '#kernel/events/payload.ts'
import { type Additions, hoist } from '#kernel/openapi/document.ts'

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
      'ID of the delivery: one event to one subscription. It is the same in every attempt.',
      'cmi8h9r2t0003a41c09be2d77',
    ),
  },
  Signature: {
    name: 'X-Webhook-Signature',
    ...text(
      '`sha256=` followed by the HMAC-SHA256 of the raw body in lowercase hex. The key is the secret of the subscription, including its prefix. Verify the signature before you parse the body, and compare in constant time.',
      'sha256=6d6f0a4c0d7d1c1b3a5e7c5f2b9d8e4f1a0c3b5d7e9f2a4c6b8d0e1f3a5c7b9d',
    ),
  },
  PreviousSignature: {
    name: 'X-Webhook-Signature-Previous',
    ...text(
      'The signature with the previous secret. Sent for 24 hours after you rotate the secret.',
      'sha256=1f0a4c0d7d1c1b3a5e7c5f2b9d8e4f1a0c3b5d7e9f2a4c6b8d0e1f3a5c7b9d6d',
    ),
    required: false,
  },
  StandardId: {
    name: 'webhook-id',
    ...text(
      'Message ID as Standard Webhooks defines it: the `event_id`. It is the same in every attempt.',
      'cmi8h9r2t0003k1v5b8n2c6x0',
    ),
  },
  StandardTimestamp: {
    name: 'webhook-timestamp',
    ...text('When this attempt was made, in epoch seconds.', '1795205561'),
  },
  StandardSignature: {
    name: 'webhook-signature',
    ...text(
      'Signatures as Standard Webhooks defines them, separated by spaces, one for each valid secret. Each is `v1,` followed by the HMAC-SHA256 in Base64 of the ID, the timestamp, and the raw body, joined by periods. The key is the part of the secret after `whsec_`, decoded from Base64.',
      'v1,dGhpcyBpcyBub3QgYSByZWFsIHNpZ25hdHVyZSwgb2s=',
    ),
  },
}

const responses = {
  '2XX': { description: 'Received. The body is ignored.' },
  default: {
    description:
      'With any other status, or without a response within 10 seconds, Gable retries the delivery after 1, 2, 4, 8, and 16 minutes. After the sixth attempt, the delivery is `failed`.',
  },
}

/** The webhooks of the OpenAPI document: every event to which a webhook can subscribe. */
export function describeWebhooks(events: readonly EventType[]): Additions {
  const schemas = {}
  const parameters = Object.entries(headers)
  return {
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
  description: `Sent to subscriptions with the scope \`${type.scope}\`. A delivery can arrive more than once. Use \`data.event_id\` to detect duplicates.`,
  security: [],
  parameters: Object.keys(headers).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  requestBody: {
    required: true,
    content: { 'application/json': { schema: hoist(payloadSchema(type), schemas) } },
  },
  responses,
})
