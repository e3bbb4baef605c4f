import type { TObject, TProperties, TSchema } from 'typebox'
import { type AppError, NotFound, Unavailable, ValidationFailed } from '../errors.ts'
import { maxBodyBytes } from '../http/body.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { errorResponseOf } from '../http/error-responses.ts'
import { PreconditionFailed, hasVersion } from '../http/etag.ts'
import {
  InsufficientScope,
  PayloadTooLarge,
  RateLimited,
  Unauthorized,
  UnsupportedMediaType,
} from '../http/http-errors.ts'
import { IdempotencyMismatch } from '../http/idempotency.ts'
import { variantsOf } from '../schemas.ts'
import { commonHeaders, header } from './headers.ts'

/** Errors that any endpoint may return, by status: the component's name, when the error occurs, and an example. */
const errors: Record<number, { name: string; description: string; example: AppError }> = {
  400: {
    name: 'ValidationFailed',
    description:
      'The body or the query string is invalid. `details` lists up to 100 issues with their paths.',
    example: ValidationFailed([{ path: 'limit', message: 'must be <= 200' }]),
  },
  401: {
    name: 'Unauthorized',
    description: 'The credential is missing, unknown, expired, or revoked.',
    example: Unauthorized('This API key has expired.'),
  },
  403: {
    name: 'InsufficientScope',
    description: 'The credential lacks the scope that the error names.',
    example: InsufficientScope('events:read'),
  },
  404: {
    name: 'NotFound',
    description:
      'The workspace has no such object. IDs of other workspaces return the same error, so it reveals nothing about them.',
    example: NotFound(),
  },
  409: {
    name: 'Conflict',
    description:
      'The request conflicts with the current state, or with an earlier use of its Idempotency-Key.',
    example: IdempotencyMismatch(),
  },
  412: {
    name: 'PreconditionFailed',
    description: 'The record has changed since the version that `If-Match` names.',
    example: PreconditionFailed(),
  },
  413: {
    name: 'PayloadTooLarge',
    description: 'The body is larger than 256 kB.',
    example: PayloadTooLarge(maxBodyBytes),
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body is not `application/json`.',
    example: UnsupportedMediaType(),
  },
  429: {
    name: 'RateLimited',
    description: 'Too many requests. Try again after the number of seconds in `Retry-After`.',
    example: RateLimited(12),
  },
  503: {
    name: 'Unavailable',
    description:
      'The service is temporarily unavailable. Try again after the number of seconds in `Retry-After`.',
    example: Unavailable(),
  },
}

const exampleRequestId = 'req_cmi8h2k5p0001zq8r4t6w9x3y'

/** The body of every error. */
export const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'request_id'],
      properties: {
        code: {
          type: 'string',
          description: 'Identifies the kind of error. Codes are stable: branch on them.',
        },
        message: { type: 'string', description: 'Explains the error to a person. The wording may change.' },
        reason: {
          type: 'string',
          description: 'Narrows down the code, for errors that have several causes.',
        },
        details: {
          type: 'array',
          description: 'The members of the request that caused the error.',
          items: {
            type: 'object',
            required: ['path', 'message'],
            properties: {
              path: {
                type: 'string',
                description: 'A body member, query parameter, or header: `tags.3`, `limit`.',
              },
              message: { type: 'string' },
            },
          },
        },
        request_id: { type: 'string', description: 'Also sent as `X-Request-Id`.' },
        doc_url: { type: 'string', description: 'What the error means, and what to do about it.' },
      },
    },
  },
}

/** The body of an error with additional members. */
const withMembers = (members: TProperties) => {
  const { error } = errorSchema.properties
  return {
    ...errorSchema,
    properties: { error: { ...error, properties: { ...error.properties, ...members } } },
  }
}

const errorResponse = (status: number, description = errors[status]?.description, members?: TProperties) => {
  const example = errors[status]?.example
  return {
    description,
    headers: {
      ...commonHeaders,
      ...(status === 429 || status === 503 ? { 'Retry-After': header('RetryAfter') } : {}),
    },
    content: {
      'application/json': {
        schema: members === undefined ? { $ref: '#/components/schemas/Error' } : withMembers(members),
        ...(example === undefined
          ? {}
          : { example: errorResponseOf(example, exampleRequestId, 'https://gable.example').body }),
      },
    },
  }
}

/** The error responses that endpoints share, as components of the document by name. */
export const errorComponents = Object.fromEntries(
  Object.entries(errors).map(([status, { name }]) => [name, errorResponse(Number(status))]),
)

const recentSignInOnly =
  '`recent_sign_in_required`: only a person who signed in within the last ten minutes may do this.'

/** The error responses of an endpoint. Most follow from its declaration; its `errors` adds the rest. */
export function errorResponsesOf(endpoint: Endpoint): Record<string, unknown> {
  const { method, path, scope, body, recentSignIn } = endpoint
  const forbidden = endpoint.errors?.[403] ?? 'The credential lacks the scope that the error names.'
  const special = {
    ...endpoint.errors,
    ...(recentSignIn === true ? { 403: `${forbidden} ${recentSignInOnly}` } : {}),
  }
  const statuses = new Set([400, 429, 503, ...Object.keys(special).map(Number)])
  if (scope !== 'public') statuses.add(401)
  if (scope !== 'public' && scope !== 'any' && scope !== 'person') statuses.add(403)
  if (path.includes('{') || refersToRecords(body)) statuses.add(404)
  if (method === 'POST') statuses.add(409)
  if (method === 'PATCH' && hasVersion(endpoint)) statuses.add(412)
  if (method !== 'GET') statuses.add(413)
  if (body !== undefined) statuses.add(415)
  return Object.fromEntries(
    [...statuses].sort().map((status) => {
      const description = (special as Record<number, string>)[status]
      const shared = { $ref: `#/components/responses/${errors[status]?.name}` }
      const members = endpoint.errorMembers?.[status]
      return [status, description === undefined ? shared : errorResponse(status, description, members)]
    }),
  )
}

/** Whether the body can reference other records, and therefore one that does not exist. */
const refersToRecords = (body: TSchema | undefined): boolean =>
  body !== undefined &&
  [...(variantsOf(body)?.kinds.values() ?? [body as TObject])].some(({ properties = {} }) =>
    Object.values(properties).some((schema) => 'x-references' in schema),
  )
