import type { TSchema } from 'typebox'
import type { Endpoint } from './endpoint.ts'
import { querySchema } from './query-string.ts'

export interface OpenApiInfo {
  title: string
  version: string
  description: string
  license: { name: string; identifier: string }
}

const outcomes: Record<string, string> = { 201: 'Created.', 202: 'Accepted.' }

/** A JSON document. */
type Json = Record<string, unknown>

/** What a document says beside its endpoints. */
export interface Additions {
  tags: readonly string[]
  /** Members of the document itself. */
  members: Json
  /** Components, by name. */
  schemas: Json
  parameters: Json
}

/** How an app comes by a token; addresses may be relative to the server's. */
export interface OAuthFlows {
  authorizationUrl: string
  tokenUrl: string
  /** What each scope lets its holder do. */
  scopes: Readonly<Record<string, string>>
}

const errorStatuses: Record<number, { name: string; description: string }> = {
  400: {
    name: 'ValidationFailed',
    description: 'Body or query failed validation; `details` names each fault.',
  },
  401: { name: 'Unauthorized', description: 'The credential is missing, unknown, expired or revoked.' },
  403: { name: 'InsufficientScope', description: 'The credential lacks the scope that the error names.' },
  404: {
    name: 'NotFound',
    description: 'No such object in this workspace; what belongs to another one does not exist here.',
  },
  409: {
    name: 'Conflict',
    description: 'The request contradicts the present state, or an Idempotency-Key is in use.',
  },
  413: { name: 'PayloadTooLarge', description: 'The body is larger than 256 kB.' },
  415: { name: 'UnsupportedMediaType', description: 'The body is not application/json.' },
  429: {
    name: 'RateLimited',
    description: 'Too many requests; `Retry-After` says in how many seconds to go on.',
  },
  503: { name: 'Unavailable', description: 'The database is away; try again after `Retry-After` seconds.' },
}

/** The OpenAPI 3.1 document of a table of endpoints. Schemas with a title become components of that name. */
export function openApiDocument(
  info: OpenApiInfo,
  base: string,
  endpoints: readonly Endpoint[],
  oauth: OAuthFlows,
  additions: Additions,
): Json {
  const schemas: Json = { Error: errorSchema }
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = (paths[endpoint.path] ??= {})
    path[endpoint.method.toLowerCase()] = operation(endpoint, schemas)
  }
  const tags = [...new Set([...endpoints.map((endpoint) => endpoint.tag), ...additions.tags])]
  return {
    openapi: '3.1.1',
    info,
    servers: [{ url: base }],
    tags: tags.map((name) => ({ name })),
    paths,
    ...additions.members,
    components: {
      schemas: { ...schemas, ...additions.schemas },
      responses: Object.fromEntries(
        Object.entries(errorStatuses).map(([status, error]) => [error.name, errorResponse(Number(status))]),
      ),
      headers,
      parameters: { IdempotencyKey: idempotencyKey, ...additions.parameters },
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'An API key: `Authorization: token gbl_key_…`.',
        },
        oauth2: oauthScheme(oauth),
      },
    },
  }
}

function operation(endpoint: Endpoint, schemas: Json): Json {
  const { method, path, scope, summary, description, body, answers, tag } = endpoint
  const parameters: Json[] = pathParameters(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', maxLength: 40 },
  }))
  for (const [name, schema] of Object.entries(querySchema(endpoint).properties)) {
    const { description: text, ...rest } = schema as Json
    parameters.push({ name, in: 'query', ...(text === undefined ? {} : { description: text }), schema: rest })
  }
  if (method === 'POST') parameters.push({ $ref: '#/components/parameters/IdempotencyKey' })
  return {
    operationId: operationId(endpoint),
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: securityOf(scope),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: ((body as Json)['required'] as unknown[] | undefined) !== undefined,
            content: { 'application/json': { schema: hoist(body, schemas) } },
          },
        }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, schema]) => [
          status,
          {
            description: outcomes[status] ?? 'OK.',
            headers: {
              ...commonHeaders,
              ...(endpoint.list ? { 'X-Cursor-Reset': header('CursorReset') } : {}),
            },
            content: { 'application/json': { schema: hoist(schema, schemas) } },
          },
        ]),
      ),
      ...errorAnswers(endpoint),
    },
  }
}

const oauthScheme = ({ authorizationUrl, tokenUrl, scopes }: OAuthFlows): Json => ({
  type: 'oauth2',
  description: 'An access token of an app: `Authorization: Bearer gbl_at_…`.',
  flows: {
    authorizationCode: { authorizationUrl, tokenUrl, refreshUrl: tokenUrl, scopes },
    clientCredentials: { tokenUrl, scopes },
  },
})

/** Either kind of credential does. */
function securityOf(scope: string): Json[] {
  if (scope === 'public') return []
  const scopes = scope === 'any' ? [] : [scope]
  return [{ apiKey: scopes }, { oauth2: scopes }]
}

/** Which errors an endpoint can answer follows from what it is; `errors` adds what only it knows. */
function errorAnswers({ method, path, scope, body, errors = {} }: Endpoint): Json {
  const statuses = new Set([400, 429, 503, ...Object.keys(errors).map(Number)])
  if (scope !== 'public') statuses.add(401)
  if (scope !== 'public' && scope !== 'any') statuses.add(403)
  if (path.includes('{')) statuses.add(404)
  if (method === 'POST') statuses.add(409)
  if (method !== 'GET') statuses.add(413)
  if (body !== undefined) statuses.add(415)
  return Object.fromEntries(
    [...statuses].sort().map((status) => {
      const special = errors[status]
      const reference = `#/components/responses/${errorStatuses[status]?.name}`
      return [
        status,
        special === undefined ? { $ref: reference } : { ...errorResponse(status), description: special },
      ]
    }),
  )
}

const pathParameters = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')

/** `GET /contacts/{id}/notes` → `getContactsIdNotes`: stable as long as the route is. */
const operationId = ({ method, path }: Endpoint) =>
  method.toLowerCase() +
  path.replaceAll(/[^\w]+(\w)|[^\w]+$/g, (_, letter?: string) => letter?.toUpperCase() ?? '')

/** The schema as JSON with every titled object moved to `schemas`, the components, and referred to. */
export function hoist(schema: TSchema, schemas: Json): unknown {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    const { title, ...rest } = Object.fromEntries(
      // An example is data, and a title in it a text.
      Object.entries(value).map(([name, member]) => [name, name === 'examples' ? member : walk(member)]),
    )
    if (typeof title !== 'string') return title === undefined ? rest : { title, ...rest }
    schemas[title] = rest
    return { $ref: `#/components/schemas/${title}` }
  }
  return walk(JSON.parse(JSON.stringify(schema)))
}

const header = (name: string) => ({ $ref: `#/components/headers/${name}` })

const commonHeaders = {
  'X-Request-Id': header('RequestId'),
  'X-RateLimit-Limit': header('RateLimit'),
  'X-RateLimit-Remaining': header('RateRemaining'),
  'X-RateLimit-Reset': header('RateReset'),
}

const headers = {
  RequestId: { description: 'Names the request in logs; quote it in reports.', schema: { type: 'string' } },
  RateLimit: { description: 'Requests a minute.', schema: { type: 'integer' } },
  RateRemaining: { description: 'Requests left in this minute.', schema: { type: 'integer' } },
  RateReset: { description: 'Epoch seconds at which the minute ends.', schema: { type: 'integer' } },
  RetryAfter: { description: 'Seconds.', schema: { type: 'integer' } },
  CursorReset: {
    description: '`true` when the cursor could not be followed and the walk starts anew.',
    schema: { type: 'string' },
  },
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Makes repeating the request safe: for 24 hours the same key gets the first answer again.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
}

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'request_id'],
      properties: {
        code: { type: 'string', description: 'Stable; decide by it.' },
        message: { type: 'string', description: 'For people; may change.' },
        reason: { type: 'string' },
        details: {
          type: 'array',
          items: {
            type: 'object',
            required: ['path', 'message'],
            properties: { path: { type: 'string' }, message: { type: 'string' } },
          },
        },
        request_id: { type: 'string' },
      },
    },
  },
  examples: [
    {
      error: {
        code: 'validation_failed',
        message: 'limit: must be <= 200',
        details: [{ path: 'limit', message: 'must be <= 200' }],
        request_id: 'req_cmi8h2k5p0001zq8r4t6w9x3y',
      },
    },
  ],
}

const errorResponse = (status: number) => ({
  description: errorStatuses[status]?.description,
  headers: {
    ...commonHeaders,
    ...(status === 429 || status === 503 ? { 'Retry-After': header('RetryAfter') } : {}),
  },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})
