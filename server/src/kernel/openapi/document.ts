import { isDeepStrictEqual } from 'node:util'
import type { TSchema } from 'typebox'
import { type Endpoint, pathParameters } from '../http/endpoint.ts'
import { hasVersion } from '../http/etag.ts'
import { querySchema } from '../http/query-string.ts'
import { type Annotated, ways } from '../masking/masked.ts'
import { variantsOf } from '../schemas.ts'
import { nameEnums } from './enums.ts'
import { errorComponents, errorResponsesOf, errorSchema } from './errors.ts'
import { commonHeaders, header, headerParameters, headers } from './headers.ts'
import { operationIds } from './operation-ids.ts'

export interface OpenApiInfo {
  title: string
  version: string
  description: string
  license: { name: string; identifier: string }
}

const outcomes: Record<string, string> = { 201: 'Created.', 202: 'Accepted.' }

/** A JSON object. */
type Json = Record<string, unknown>

/** A group of endpoints in the reference. */
export interface Tag {
  name: string
  description: string
}

/** Parts of the document other than its endpoints. */
export interface Additions {
  /** Top-level members of the document. */
  members: Json
  /** Components by name. */
  schemas: Json
  parameters: Json
}

/** How an app obtains a token. URLs may be relative to the server's URL. */
export interface OAuthFlows {
  authorizationUrl: string
  tokenUrl: string
  /** What each scope allows. */
  scopes: Readonly<Record<string, string>>
  /** The scope without which personal data is masked. */
  unmaskingScope: string
  /** How a signed-in person's browser authenticates. */
  session: Json
}

/**
 * Builds the OpenAPI 3.1 document for a table of endpoints. Each schema with a title becomes a component of that
 * name. `tags`: the groups of endpoints, in the order of the reference.
 */
export function openApiDocument(
  info: OpenApiInfo,
  base: string,
  tags: readonly Tag[],
  endpoints: readonly Endpoint[],
  oauth: OAuthFlows,
  additions: Additions,
): Json {
  const schemas: Json = { Error: errorSchema }
  const shown = (schema: TSchema) =>
    hoist(schema, schemas, ` unless the credential has ${oauth.unmaskingScope}`)
  const paths: Record<string, Json> = {}
  for (const [endpoint, operationId] of operationIds(endpoints)) {
    const path = (paths[endpoint.path] ??= {})
    path[endpoint.method.toLowerCase()] = { operationId, ...operation(endpoint, shown) }
  }
  return nameEnums({
    openapi: '3.1.1',
    info,
    servers: [{ url: base }],
    tags,
    paths,
    ...additions.members,
    components: {
      schemas: { ...schemas, ...additions.schemas },
      responses: errorComponents,
      headers,
      parameters: { ...headerParameters, ...additions.parameters },
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description:
            'An API key, sent as `Authorization: token gbl_key_…`: the value is the word `token`, a blank, and the key.',
        },
        oauth2: oauthScheme(oauth),
        session: oauth.session,
      },
    },
  })
}

function operation(endpoint: Endpoint, shown: (schema: TSchema) => unknown): Json {
  const { method, path, summary, description, body, responses, tag, readOnly } = endpoint
  const parameters: Json[] = pathParameters(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', maxLength: 40 },
  }))
  for (const [name, schema] of Object.entries(querySchema(endpoint).properties)) {
    const { description: text, ...rest } = schema as Json
    parameters.push({
      name,
      in: 'query',
      ...(text === undefined ? {} : { description: text }),
      ...(rest['type'] === 'array' ? { style: 'form', explode: false } : {}),
      schema: rest,
    })
  }
  if (method === 'POST') parameters.push({ $ref: '#/components/parameters/IdempotencyKey' })
  if (method === 'PATCH' && hasVersion(endpoint)) parameters.push({ $ref: '#/components/parameters/IfMatch' })
  return {
    tags: tag === undefined ? [] : [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(readOnly === true ? { 'x-read-only': true } : {}),
    security: securityOf(endpoint),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: 'required' in body || variantsOf(body) !== undefined,
            content: { 'application/json': { schema: shown(body) } },
          },
        }),
    responses: {
      ...Object.fromEntries(
        Object.entries(responses).map(([status, schema]) => [
          status,
          {
            description: outcomes[status] ?? 'OK.',
            headers: {
              ...commonHeaders,
              ...(endpoint.list ? { 'X-Cursor-Reset': header('CursorReset') } : {}),
              ...(hasVersion(endpoint) || endpoint.scope === 'public' ? { ETag: header('ETag') } : {}),
              ...(endpoint.attachment === undefined
                ? {}
                : { 'Content-Disposition': header('ContentDisposition') }),
              ...(method === 'POST' ? { 'Idempotency-Replayed': header('IdempotencyReplayed') } : {}),
            },
            content: { 'application/json': { schema: shown(schema) } },
          },
        ]),
      ),
      ...errorResponsesOf(endpoint),
    },
  }
}

const oauthScheme = ({ authorizationUrl, tokenUrl, scopes }: OAuthFlows): Json => ({
  type: 'oauth2',
  description: 'An access token of an OAuth app, sent as `Authorization: Bearer gbl_at_…`.',
  flows: {
    authorizationCode: { authorizationUrl, tokenUrl, refreshUrl: tokenUrl, scopes },
    clientCredentials: { tokenUrl, scopes },
  },
})

/** API keys and access tokens are accepted, except where a person must be signed in. */
function securityOf({ scope, sufficientScope, recentSignIn }: Endpoint): Json[] {
  if (scope === 'public') return []
  if (scope === 'person' || recentSignIn === true) return [{ session: [] }]
  const allowed =
    scope === 'any' ? [[]] : [[scope], ...(sufficientScope === undefined ? [] : [[sufficientScope]])]
  return allowed.flatMap((scopes) => [{ apiKey: scopes }, { oauth2: scopes }])
}

/**
 * Converts the schema to JSON. Every titled object moves to `schemas`, the components, and is replaced with a
 * reference; titled enums stay for `nameEnums`. Definitions (`$defs`) become components too; their titles are their
 * names. Descriptions state what is masked, and `unless` states when it is not. Throws if two schemas share a title.
 */
export function hoist(schema: TSchema, schemas: Json, unless = ''): unknown {
  const hoisted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(hoisted)
    if (typeof value !== 'object' || value === null) return value
    const {
      title,
      $defs: _,
      ...rest
    } = Object.fromEntries(
      // An example is data: a title in it is just text.
      Object.entries(value).map(([name, member]) => [name, name === 'examples' ? member : hoisted(member)]),
    )
    if (typeof rest['$ref'] === 'string')
      rest['$ref'] = rest['$ref'].replace('#/$defs/', '#/components/schemas/')
    const { 'x-masked': way } = value as Annotated
    if (way !== undefined)
      rest['description'] = `${rest['description'] ?? ''} ${ways[way].sentence}${unless}.`.trimStart()
    if (typeof title !== 'string' || 'enum' in rest) return title === undefined ? rest : { title, ...rest }
    const named = mapped(rest, value as TSchema)
    if (!isDeepStrictEqual(schemas[title] ?? named, named)) throw new Error(`Two schemas are named ${title}.`)
    schemas[title] = named
    return reference(title)
  }
  return hoisted(JSON.parse(JSON.stringify(schema)))
}

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** The hoisted schema. If it has several kinds, it maps the values of its discriminator to their components. */
function mapped(hoisted: Json, schema: TSchema): Json {
  const several = variantsOf(schema)
  if (several === undefined) return hoisted
  const mapping = Object.fromEntries(
    [...several.kinds].map(([value, kind]) => [
      value,
      reference((kind as { title?: string }).title ?? '').$ref,
    ]),
  )
  return { ...hoisted, discriminator: { propertyName: several.discriminator, mapping } }
}
