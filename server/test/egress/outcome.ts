import { expect } from 'vitest'
import { createEgress } from '#kernel/egress/create-egress.ts'
import type { Exchange, Post } from '#kernel/egress/egress.ts'
import { type Script, startReceiver } from './receiver.ts'

/** A receiver's script and the expected outcome of a POST to it. */
export interface Case {
  script: Script
  expected: Partial<Exchange>
  request?: Partial<Post>
}

/** The timeout for tests that wait until it expires. */
export const shortMs = 500
export const noResponse = 'no response within 0.5 s'
export const notHttp = 'the response is not valid HTTP'
export const closed = 'the connection was closed before the response was complete'
export const endless = 'the response is too long'
export const hugeHeaders = 'the response headers are larger than 16 kB'

export const success = { status: 200, ok: true, failure: null, answer: 'ok' }
export const nothing = (failure: string) => ({ status: null, ok: false, failure, answer: null })

export const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'

export const ok = (body = 'ok', headers = '') =>
  `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`

/** Waits for the request, then sends these parts. */
export const says =
  (...said: (string | Buffer)[]): Script =>
  async ({ asked, say }) => {
    await asked()
    for (const one of said) say(one)
  }

/**
 * Posts to a receiver with this script and expects the outcome: exactly one callback, not before the call returns and
 * within the time limit; one connection; one request on the wire; and little read of what the receiver sends.
 */
export async function expectOutcome({ script, expected, request }: Case, timeoutMs = 5_000): Promise<void> {
  await using receiver = await startReceiver(script)
  await using egress = createEgress({ allowHttp: 'loopback', allowPrivate: 'loopback', timeoutMs })
  const calls: Exchange[] = []
  const begun = performance.now()
  await new Promise<void>((resolve) => {
    egress.post(
      { url: `http://127.0.0.1:${receiver.port}/`, headers: { 'x-a': 'b' }, body: '{"a":1}', ...request },
      (exchange) => resolve(void calls.push(exchange)),
    )
    expect(calls).toEqual([])
  })
  expect(performance.now() - begun).toBeLessThan(timeoutMs + 1_500)
  expect(calls).toEqual([expect.objectContaining(expected)])
  expect(calls[0]?.duration_ms).toSatisfy(Number.isInteger)
  await egress[Symbol.asyncDispose]()
  await receiver.quiet()
  expect(calls).toHaveLength(1)
  expect(receiver.requests).toBeLessThanOrEqual(1)
  expect(receiver.connections).toBe(1)
  expect(receiver.sent).toBeLessThan(8_000_000)
}
