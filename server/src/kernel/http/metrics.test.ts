import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createRegistry, requestMetrics, serveMetrics } from './metrics.ts'

test('serves request metrics by route and status, and nothing else, on a separate port', async () => {
  const registry = createRegistry()
  const metrics = requestMetrics(registry)
  metrics.observe('GET', '/v1/contacts/:id', 200, 12)
  metrics.observe('GET', '/v1/contacts/:id', 404, 3)
  await using server = await serveMetrics(registry, '127.0.0.1', 0)
  const text = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text()
  for (const status of [200, 404]) {
    expect(text).toContain(
      `http_request_duration_seconds_count{method="GET",route="/v1/contacts/:id",status="${status}"} 1`,
    )
  }
  expect((await fetch(`http://127.0.0.1:${server.port}/v1/ping`)).status).toBe(404)
})

test('a gauge shows how long the event loop was held up since the last reading', async () => {
  const registry = createRegistry()
  // What it counts begins with the first turn of the loop after a reading.
  await registry.metrics()
  await setTimeout(30)
  const end = performance.now() + 300
  while (performance.now() < end);
  await setTimeout(30)
  const [, seconds] = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await registry.metrics()) ?? []
  expect(Number(seconds)).toBeGreaterThan(0.2)
})
