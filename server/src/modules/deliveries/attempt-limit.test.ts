import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { type Receiver, type Script, startReceiver } from '#test/egress/receiver.ts'
import { testApp, towardsLoopback } from '#test/support/app.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'

/** The contract's time limit for an attempt. */
const limitMs = 10_000

const says =
  (said: string): Script =>
  async ({ asked, say }) => {
    await asked()
    say(said)
  }

/** The point at which an endpoint stops responding, and the failure that the log reports. */
const hanging: Record<string, { script: Script; protocol?: string; failure: string }> = {
  'before TLS': { script: () => {}, protocol: 'https', failure: 'no connection within 10 s' },
  'before it reads': { script: () => {}, failure: 'no response within 10 s' },
  'before it responds': { script: ({ asked }) => asked(), failure: 'no response within 10 s' },
  'in the headers': { script: says('HTTP/1.1 200 OK\r\nx: '), failure: 'no response within 10 s' },
  'in the body': {
    script: says('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'),
    failure: 'no response within 10 s',
  },
}

afterEach(() => void vi.restoreAllMocks())

test('an attempt times out after 10 seconds at whatever point the endpoint stalls', async () => {
  const databaseUrl = await freshDatabase('deliveries_limit')
  await using app = await testApp({ databaseUrl, role: 'all', egress: towardsLoopback })
  await using receivers = new AsyncDisposableStack()
  const agent = await app.credential()
  const failures: Record<string, string> = {}
  const all: Receiver[] = []
  for (const { script, protocol = 'http', failure } of Object.values(hanging)) {
    const receiver = receivers.use(await startReceiver(script))
    const { body } = await agent.post('/webhooks', { url: `${protocol}://127.0.0.1:${receiver.port}/` })
    failures[body['id']] = failure
    all.push(receiver)
  }
  const logged = async () => {
    const rows = await asOwner<{ webhook_id: string; attempts: { failure: string; duration_ms: number }[] }>(
      databaseUrl,
      'select webhook_id, attempts from webhook_deliveries',
    )
    return rows.flatMap(({ webhook_id, attempts }) =>
      attempts.map((one) => [webhook_id, one.failure, one.duration_ms] as const),
    )
  }

  // From here on, time passes only when the test advances it.
  const start = performance.now()
  const time = vi.spyOn(performance, 'now').mockReturnValue(start)
  await agent.post('/contacts')
  await vi.waitFor(() => expect(all.every(({ connections }) => connections === 1)).toBe(true), 30_000)
  time.mockReturnValue(start + limitMs - 1)
  await sleep(300)
  expect(await logged()).toEqual([])
  time.mockReturnValue(start + limitMs + 1)
  await vi.waitFor(async () => expect(await logged()).toHaveLength(all.length), 30_000)
  const expected = Object.entries(failures).map(([id, failure]) => [id, failure, limitMs + 1])
  expect((await logged()).toSorted()).toEqual(expected.toSorted())
})
