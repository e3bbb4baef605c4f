import { type Static, Type } from 'typebox'
import { before, contains, custom, equals, filters, from } from '#kernel/http/filters.ts'
import { text } from '#kernel/records/fields.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'

const members = {
  id: Type.String({ description: 'The request ID without `req_`.' }),
  request_id: Type.String({ description: 'As in `X-Request-Id`, and in errors.' }),
  method: Type.String(),
  path: Type.String({ description: 'Without the query. `{id}` stands for what is no ID.' }),
  status: Type.Integer(),
  ms: Type.Integer({ description: 'How long the server took, in milliseconds.' }),
  credential: Type.Object(
    {
      type: Type.String({ description: '`api_key`, `oauth_app`, or `member`.' }),
      id: Type.String(),
    },
    { description: 'Who made the request.' },
  ),
  ip: nullable(
    Type.String({ description: 'The address that made the request. Null without `settings:manage`.' }),
  ),
  error_code: nullable(Type.String({ description: 'The `code` of the error; null without one.' })),
  created_at: Timestamp,
  updated_at: Timestamp,
}

const example = {
  id: 'cmi8h2k5p0001zq8r4t6w9x3y',
  request_id: 'req_cmi8h2k5p0001zq8r4t6w9x3y',
  method: 'POST',
  path: '/v1/leads',
  status: 400,
  ms: 12,
  credential: { type: 'api_key', id: 'cmi8hb7w40008m2n6c8v0b3x5' },
  ip: '203.0.113.7',
  error_code: 'validation_failed',
  created_at: '2026-11-20T20:12:40.120Z',
  updated_at: '2026-11-20T20:12:40.120Z',
}

export const LoggedRequest = Type.Object(members, { title: 'LoggedRequest', examples: [example] })

const kept = (description: string) => Type.Unknown({ description })

export const LoggedRequestWithBodies = Type.Object(
  {
    ...members,
    request_body: kept(
      'The body as sent, with `…` for every text that may describe a person. Null if it was longer than 8 kB, if there was none, and for signed-in people.',
    ),
    response_body: kept('The body of the response, in the same way. Null for reads that succeeded.'),
  },
  {
    title: 'LoggedRequestWithBodies',
    examples: [
      {
        ...example,
        request_body: { first_name: '…', phone: '…', source: '…', skip_routing: true },
        response_body: {
          error: {
            code: 'validation_failed',
            details: [{ path: 'phone', message: 'is not a phone number' }],
          },
        },
      },
    ],
  },
)

export const requestFilters = filters({
  method: equals(text(10, 'In capital letters, such as `POST`.')),
  path: contains(text(200)),
  status: equals(Type.Integer({ minimum: 100, maximum: 599 })),
  credential: equals(text(40, 'The ID of an API key, app, or member.'), 'credential_id'),
  ip: equals(text(45)),
  error_code: equals(text(80)),
  request_id: custom(text(40)),
  created_from: from('created_at'),
  created_to: before('created_at'),
})

export const LoggedRow = Type.Object({
  id: Type.String(),
  method: Type.String(),
  path: Type.String(),
  status: Type.Integer(),
  ms: Type.Integer(),
  credential_type: Type.String(),
  credential_id: Type.String(),
  ip: nullable(Type.String()),
  error_code: nullable(Type.String()),
  created_at: Type.String(),
  updated_at: Type.String(),
})
export type LoggedRow = Static<typeof LoggedRow>

export const presentRequest = (
  { credential_type, credential_id, ip, ...row }: LoggedRow,
  { scopes }: { scopes: ReadonlySet<string> },
): Static<typeof LoggedRequest> => ({
  ...row,
  request_id: `req_${row.id}`,
  credential: { type: credential_type, id: credential_id },
  ip: scopes.has('settings:manage') ? ip : null,
})
