import { orNotFound } from '#kernel/errors.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { listEndpoint } from '#kernel/http/list-endpoint.ts'
import { Removal } from '#kernel/schemas.ts'
import { createWebhook } from './create-webhook.ts'
import { findWebhook, listWebhooks } from './queries.ts'
import { removeWebhook } from './remove-webhook.ts'
import { rotateSecret } from './rotate-secret.ts'
import { updateWebhook } from './update-webhook.ts'
import { checkWebhookUrl } from './webhook-url.ts'
import { Webhook, WebhookWithSecret, presentWebhook, webhookRecord } from './webhook.ts'

const scope = 'webhooks:manage'

export const getWebhooks = listEndpoint('GET /webhooks', {
  scope,
  summary: 'List webhooks',
  description: 'Newest first. An OAuth app sees and manages only the webhooks that it created.',
  item: Webhook,
  rows: (ctx, { page }) => listWebhooks(ctx.db, ctx.actor, page),
  present: presentWebhook,
})

export const postWebhook = endpoint('POST /webhooks', {
  scope,
  summary: 'Create a webhook',
  description:
    'The response shows the signing secret, which is never shown again. The webhook keeps the scopes of the credential that creates it and receives only events that these scopes cover.',
  body: webhookRecord.Draft,
  responses: { 201: WebhookWithSecret },
  returnsSecret: true,
  fields: true,
  errors: {
    403: 'The credential lacks `webhooks:manage` or the scope of an event in `event_types`.',
    409: '`webhook_limit`: the workspace has the maximum number of webhooks.',
  },
  prepare: (ctx, { body }) => checkWebhookUrl(ctx, body.url),
  handle: async (ctx, { body }, url) => {
    const { row, secret } = await createWebhook(ctx, url, body)
    return created({ ...presentWebhook(row), secret })
  },
})

export const getWebhook = endpoint('GET /webhooks/{id}', {
  scope,
  summary: 'Retrieve a webhook',
  description: 'The secret is shown only when the webhook is created and when the secret is rotated.',
  responses: { 200: Webhook },
  fields: true,
  handle: async (ctx, { params }) =>
    ok(presentWebhook(orNotFound(await findWebhook(ctx.db, ctx.actor, params.id)))),
})

export const patchWebhook = endpoint('PATCH /webhooks/{id}', {
  scope,
  summary: 'Update a webhook',
  description:
    "Changing the URL requires a credential with all of the webhook's scopes; pending deliveries go to the new URL.",
  body: webhookRecord.Patch,
  responses: { 200: Webhook },
  fields: true,
  errors: {
    403: 'The credential lacks `webhooks:manage`, a scope of the webhook, or the scope of an event.',
  },
  prepare: async (ctx, { body }) => (body.url === undefined ? undefined : checkWebhookUrl(ctx, body.url)),
  handle: async (ctx, { params, body }, url) =>
    ok(presentWebhook(await updateWebhook(ctx, params.id, url, body))),
})

export const deleteWebhook = endpoint('DELETE /webhooks/{id}', {
  scope,
  summary: 'Delete a webhook',
  description: 'No further events are sent, and pending deliveries are dropped.',
  responses: { 200: Removal },
  handle: async (ctx, { params }) => {
    await removeWebhook(ctx, params.id)
    return ok({ id: params.id, deleted: true })
  },
})

export const postRotateSecret = endpoint('POST /webhooks/{id}/rotate-secret', {
  scope,
  summary: 'Rotate the signing secret',
  description:
    'The response shows the new secret, which is never shown again. For 24 hours deliveries are signed with both secrets: `X-Webhook-Signature` with the new one, `X-Webhook-Signature-Previous` with the old one, and `webhook-signature` with each.',
  responses: { 200: WebhookWithSecret },
  returnsSecret: true,
  fields: true,
  errors: { 403: 'The credential lacks `webhooks:manage` or a scope of the webhook.' },
  handle: async (ctx, { params }) => {
    const { row, secret } = await rotateSecret(ctx, params.id)
    return ok({ ...presentWebhook(row), secret })
  },
})
