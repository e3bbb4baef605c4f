import { expect } from 'vitest'
import type { TestApp } from '#test/support/app.ts'
import type { Response } from '#test/support/client.ts'
import { assertAnnounced } from '#test/support/contract.ts'
import { fingerprint, fingerprintBefore } from '#test/support/database.ts'
import type { RawResponse } from './raw-http.ts'
import { inGroups } from './requests.ts'

/** The beginning of a value, for messages. */
export const short = (value: unknown) =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 80)

/** The paths in an error's details. */
export const pathsOf = ({ body }: Response): string[] =>
  (body['error'].details ?? []).map(({ path }: { path: string }) => path)

/** Sends inputs that must all be rejected with this status, and expects that nothing was written. */
export async function expectRejected<T>(
  { clock, databaseUrl }: TestApp,
  status: number,
  inputs: readonly T[],
  send: (input: T) => Promise<Response>,
): Promise<void> {
  const before = await fingerprintBefore(databaseUrl)
  const statuses = await inGroups(clock, inputs, async (input) => [short(input), (await send(input)).status])
  expect(statuses.filter(([, each]) => each !== status)).toEqual([])
  expect(await fingerprint(databaseUrl)).toEqual(before)
}

/** Expects that an error has the common shape, a request ID, and the rate limit headers. */
export function expectError({ status, headers, text }: RawResponse, expected: number, what = ''): void {
  expect([what, status]).toEqual([what, expected])
  const body = JSON.parse(text)
  assertAnnounced('ANY', 'http://gable.example/', status, headers, body)
  expect(body.error.request_id).toBe(headers.get('x-request-id'))
  for (const name of ['limit', 'remaining', 'reset']) {
    expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/)
  }
}
