import { readFileSync } from 'node:fs'
import { Type } from 'typebox'
import { endpoint, ok } from '#kernel/http/endpoint.ts'
import { openApiDocument } from '#kernel/http/openapi.ts'
import { scopes } from './modules/access/public.ts'
import { modules } from './modules/index.ts'
import { describeWebhooks } from './openapi-webhooks.ts'

/** Where the API's paths begin. */
export const apiBase = '/v1'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

const info = {
  title: 'Gable',
  version,
  description:
    'A real-estate CRM and messaging platform. Each credential acts in one workspace; what belongs to another does not exist for it.',
  license: { name: 'MIT', identifier: 'MIT' },
}

const getOpenApi = endpoint('GET /openapi.json', {
  scope: 'public',
  tag: 'Meta',
  summary: 'This document',
  answers: { 200: Type.Object({}, { description: 'OpenAPI 3.1.' }) },
  handle: async () => ok(openApi),
})

/** The table of all endpoints: what the router, the document and the contract's tests are made of. */
export const endpoints = [...modules.flatMap((module) => module.endpoints ?? []), getOpenApi]

/** The OpenAPI document of the table and of the events. */
export const openApi = openApiDocument(
  info,
  apiBase,
  endpoints,
  { authorizationUrl: '/oauth/authorize', tokenUrl: '/oauth/token', scopes },
  describeWebhooks(modules.flatMap((module) => module.events ?? [])),
)
