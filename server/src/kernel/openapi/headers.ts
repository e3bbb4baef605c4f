/** A reference to a header component of the document. */
export const header = (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` })

/** Response headers, by component name. */
export const headers = {
  RequestId: {
    description: 'Identifies the request in logs. Include it when you report a problem.',
    schema: { type: 'string' },
  },
  RateLimit: { description: 'Requests allowed per minute.', schema: { type: 'integer' } },
  RateRemaining: { description: 'Requests left in the current minute.', schema: { type: 'integer' } },
  RateReset: { description: 'When the current minute ends, in epoch seconds.', schema: { type: 'integer' } },
  ETag: { description: 'Identifies this version of the record. See `If-Match`.', schema: { type: 'string' } },
  ContentDisposition: {
    description: 'Gives the response a file name: `attachment; filename="…"`.',
    schema: { type: 'string' },
  },
  RetryAfter: { description: 'Seconds to wait before trying again.', schema: { type: 'integer' } },
  CursorReset: {
    description: '`true` if the cursor was unreadable or stale, and this is the first page.',
    schema: { type: 'string' },
  },
  TestMode: {
    description: '`true` if the workspace is in test mode. Otherwise absent.',
    schema: { type: 'string' },
  },
  IdempotencyReplayed: {
    description: '`true` if this is the stored response to an earlier request with the same key.',
    schema: { type: 'string' },
  },
}

/** The headers of every response to an API request. */
export const commonHeaders = {
  'X-Request-Id': header('RequestId'),
  'X-RateLimit-Limit': header('RateLimit'),
  'X-RateLimit-Remaining': header('RateRemaining'),
  'X-RateLimit-Reset': header('RateReset'),
  'Gable-Test-Mode': header('TestMode'),
}

/** Request headers, by component name. */
export const headerParameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes the request safe to retry. For 24 hours, a request with the same key returns the first response instead of running again.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` of the version that you read. If the record has changed since, the request fails with 412.',
    schema: { type: 'string' },
  },
}
