import { createServer } from 'node:http'
import { Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { ClockWatch } from '../db/clock-watch.ts'

/** Records the duration of each request. */
export interface RequestMetrics {
  observe(method: string, route: string, status: number, elapsedMs: number): void
}

/** Metrics of this process in the Prometheus format. */
export function createRegistry(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

/** Label values come only from the code, never from a caller. */
export function requestMetrics(registry: Registry): RequestMetrics {
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte read to the last byte handed over, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  return {
    observe: (method, route, status, elapsedMs) =>
      duration.observe({ method, route, status: String(status) }, elapsedMs / 1000),
  }
}

/** How far this machine's clock is ahead of PostgreSQL's. */
export function clockMetrics(registry: Registry, { aheadMs }: ClockWatch): void {
  const gauge: Gauge = new Gauge({
    name: 'gable_clock_ahead_seconds',
    help: 'How far the clock of this machine is ahead of PostgreSQL’s.',
    registers: [registry],
    collect: () => gauge.set(aheadMs() / 1000),
  })
}

/** Serves `/metrics` on a separate port, so that it can be hidden from the outside. */
export async function serveMetrics(
  registry: Registry,
  host: string,
  port: number,
): Promise<AsyncDisposable & { port: number }> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
