import type { Response } from '@gable/server/test/support/client.ts'
import { assertAnnounced } from '@gable/server/test/support/contract.ts'

export interface TextResponse extends Response {
  /** The exact bytes of the body. */
  text: string
}

export interface Question {
  method?: string
  path: string
  key: string
  body?: unknown
  idempotencyKey?: string
}

/** Sends one request to one server. Rejects without a response, or if the OpenAPI document does not have it. */
export async function ask(
  base: string,
  { method = 'GET', path, key, body, idempotencyKey }: Question,
): Promise<TextResponse> {
  const url = base + path
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `token ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const parsed = JSON.parse(text) as TextResponse['body']
  assertAnnounced(method, url, response.status, response.headers, parsed)
  return { status: response.status, headers: response.headers, text, body: parsed }
}
