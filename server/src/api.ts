import { readFileSync } from 'node:fs'
import { Type } from 'typebox'
import { type Endpoint, methods, publicEndpoint } from '#kernel/http/endpoint.ts'
import { openApiDocument } from '#kernel/openapi/document.ts'
import { scopes, unmaskingScope } from './modules/access/public.ts'
import { type ModuleDependencies, modules } from './modules/index.ts'
import { cookieName } from './modules/people/public.ts'
import { describeWebhooks } from './openapi-webhooks.ts'
import { tags } from './reference-tags.ts'

/** The base path of the API. */
export const apiBase = '/v1'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
}

const info = {
  title: 'Gable',
  version,
  description: `The Gable API manages the contacts, leads, and conversations of a real-estate business: resource-oriented URLs, JSON
bodies, standard methods and status codes. Every credential acts in exactly one workspace.

Start with the [quickstart](/docs/quickstart). What holds for all endpoints:
[authentication](/docs/authentication), [errors](/docs/errors), [pagination](/docs/pagination),
[field masks](/docs/field-masks), [masking](/docs/masking), [texts and numbers](/docs/texts-and-numbers),
[idempotency](/docs/idempotency), [concurrent updates](/docs/concurrent-updates), [rate limits](/docs/rate-limits),
[versioning](/docs/versioning).`,
  license: { name: 'MIT', identifier: 'MIT' },
}

const getOpenApi = publicEndpoint(
  '/openapi.json',
  {
    tag: 'Meta',
    summary: 'Retrieve the OpenAPI document',
    description: 'The document behind this reference, in OpenAPI 3.1. It needs no credential.',
    schema: Type.Object({}, { description: 'OpenAPI 3.1.' }),
  },
  () => openApi(),
)

const all: readonly Endpoint<ModuleDependencies>[] = modules
  .flatMap(({ tag, endpoints: own = [] }) =>
    own.map((one) => ({ ...(tag === undefined ? {} : { tag }), ...one })),
  )
  .concat(getOpenApi)
  .toSorted(byPath)

/** All endpoints of workspaces. The router, the OpenAPI document, and the contract tests are derived from this table. */
export const endpoints = all.filter(({ scope }) => scope !== 'person')

/** Endpoints for a signed-in person, used by the pages of this server. */
export const personEndpoints = all.filter(({ scope }) => scope === 'person')

let document: ReturnType<typeof openApiDocument> | undefined

const session = {
  type: 'apiKey',
  in: 'cookie',
  name: cookieName('session'),
  description:
    'The cookie of a signed-in person, for pages of this server only. Requests also send the CSRF token of `GET /me` in `X-CSRF-Token`, and, except for `/me`, a workspace in `Gable-Workspace`.',
}

/** The OpenAPI document of the endpoints and webhooks. Made when it is first needed: most commands do not need it. */
export const openApi = () =>
  (document ??= openApiDocument(
    info,
    apiBase,
    tags,
    all,
    { authorizationUrl: '/oauth/authorize', tokenUrl: '/oauth/token', scopes, unmaskingScope, session },
    describeWebhooks(modules.flatMap((module) => module.events ?? [])),
  ))

/** Sorts collections before their records, and reads before writes. */
function byPath(one: Endpoint, other: Endpoint): number {
  if (one.path === other.path) return methods.indexOf(one.method) - methods.indexOf(other.method)
  return one.path < other.path ? -1 : 1
}
