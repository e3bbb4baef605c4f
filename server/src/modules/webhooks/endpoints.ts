import { Type } from 'typebox'
import { found } from '#kernel/errors.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { ListOf } from '#kernel/http/paging.ts'
import { checkAddress } from './address.ts'
import { createWebhook } from './create-webhook.ts'
import { findWebhook, listWebhooks } from './queries.ts'
import { removeWebhook } from './remove-webhook.ts'
import { rotateSecret } from './rotate-secret.ts'
import { Webhook, WebhookDraft, WebhookPatch, WebhookWithSecret, presentWebhook } from './schemas.ts'
import { updateWebhook } from './update-webhook.ts'

const common = { scope: 'webhooks:manage', tag: 'Webhooks' } as const

export const getWebhooks = endpoint('GET /webhooks', {
  ...common,
  summary: 'List webhooks',
  description: 'Newest first.',
  answers: { 200: ListOf(Webhook) },
  list: true,
  fields: true,
  handle: async (ctx, { page }) => ok(page.answer(await listWebhooks(ctx.db, page), presentWebhook)),
})

export const postWebhook = endpoint('POST /webhooks', {
  ...common,
  summary: 'Subscribe an endpoint to events',
  description:
    'The answer shows the signing secret, this once. The subscription keeps the scopes of the credential that makes it, and gets only events that they cover.',
  body: WebhookDraft,
  answers: { 201: WebhookWithSecret },
  answersSecret: true,
  fields: true,
  errors: {
    403: 'The credential lacks `webhooks:manage`, or the scope of an event that is named.',
    409: '`webhook_limit`: the workspace has as many as it may have.',
  },
  prepare: (ctx, { body }) => checkAddress(ctx, body.url),
  handle: async (ctx, { body }, address) => {
    const { row, secret } = await createWebhook(ctx, address, body)
    return created({ ...presentWebhook(row), secret })
  },
})

export const getWebhook = endpoint('GET /webhooks/{id}', {
  ...common,
  summary: 'Read a webhook',
  answers: { 200: Webhook },
  fields: true,
  handle: async (ctx, { params }) => ok(presentWebhook(found(await findWebhook(ctx.db, params.id)))),
})

export const patchWebhook = endpoint('PATCH /webhooks/{id}', {
  ...common,
  summary: 'Update a webhook',
  description:
    'Another address takes a credential with all scopes of the webhook. What waits is sent to the new address.',
  body: WebhookPatch,
  answers: { 200: Webhook },
  fields: true,
  errors: { 403: 'The credential lacks `webhooks:manage`, or a scope of the webhook or of an event.' },
  prepare: async (ctx, { body }) => (body.url === undefined ? undefined : checkAddress(ctx, body.url)),
  handle: async (ctx, { params, body }, address) =>
    ok(presentWebhook(await updateWebhook(ctx, params.id, address, body))),
})

export const deleteWebhook = endpoint('DELETE /webhooks/{id}', {
  ...common,
  summary: 'Unsubscribe',
  description: 'Nothing more is sent; what was waiting is forgotten.',
  answers: { 200: Type.Object({ id: Type.String(), deleted: Type.Boolean() }, { title: 'Removal' }) },
  handle: async (ctx, { params }) => {
    await removeWebhook(ctx, params.id)
    return ok({ id: params.id, deleted: true })
  },
})

export const postRotateSecret = endpoint('POST /webhooks/{id}/rotate-secret', {
  ...common,
  summary: 'Replace the secret',
  description:
    'The answer shows the new secret, this once. For 24 hours deliveries are signed with both: `X-Webhook-Signature` with the new one, `X-Webhook-Signature-Previous` with the old one, and `webhook-signature` with each.',
  answers: { 200: WebhookWithSecret },
  answersSecret: true,
  fields: true,
  errors: { 403: 'The credential lacks `webhooks:manage`, or a scope of the webhook.' },
  handle: async (ctx, { params }) => {
    const { row, secret } = await rotateSecret(ctx, params.id)
    return ok({ ...presentWebhook(row), secret })
  },
})
