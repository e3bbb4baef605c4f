import { orNotFound } from '#kernel/errors.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { listEndpoint } from '#kernel/http/list-endpoint.ts'
import { ApiKeyDraft, ApiKeyWithSecret, apiKeyRecord, presentApiKey } from './api-key.ts'
import { apiKeyOf, createApiKey, revokeApiKey } from './api-keys.ts'
import { listApiKeys } from './queries.ts'

const scope = 'settings:manage'
const tag = 'API keys'

export const getApiKeys = listEndpoint('GET /api-keys', {
  scope,
  tag,
  summary: 'List API keys',
  description:
    'Newest first, including revoked and expired keys. The response never includes the keys themselves.',
  item: apiKeyRecord.Record,
  rows: ({ directory, workspaceId }, { page }) => listApiKeys(directory, workspaceId, page),
  present: presentApiKey,
})

export const postApiKey = endpoint('POST /api-keys', {
  scope,
  tag,
  recentSignIn: true,
  returnsSecret: true,
  fields: true,
  summary: 'Create an API key',
  description: 'The response shows the key, which is never shown again.',
  body: ApiKeyDraft,
  responses: { 201: ApiKeyWithSecret },
  errors: { 403: 'The key would act for an owner, but the caller is not an owner.' },
  async handle(ctx, { body }) {
    const { row, key } = await createApiKey(ctx, body)
    return created({ ...presentApiKey(row), key })
  },
})

export const getApiKey = endpoint('GET /api-keys/{id}', {
  scope,
  tag,
  summary: 'Retrieve an API key',
  description:
    'The key itself is shown only once, when it is created. The response says what the key may do, when it expires, and when it was last used.',
  responses: { 200: apiKeyRecord.Record },
  handle: async ({ directory, workspaceId }, { params }) =>
    ok(presentApiKey(orNotFound(await apiKeyOf(directory, workspaceId, params.id)))),
})

export const postRevokeApiKey = endpoint('POST /api-keys/{id}/revoke', {
  scope,
  tag,
  summary: 'Revoke an API key',
  description:
    'The key stops working permanently, starting with its next request. Revoking it again changes nothing.',
  responses: { 200: apiKeyRecord.Record },
  handle: async (ctx, { params }) => ok(presentApiKey(await revokeApiKey(ctx, params.id))),
})
