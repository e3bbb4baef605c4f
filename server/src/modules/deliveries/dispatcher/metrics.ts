import { Histogram, type Registry } from 'prom-client'
import type { Exchange } from '#kernel/egress/egress.ts'

/** Measures attempts: count, duration and outcome. */
export function attemptMetrics(registry: Registry): (exchange: Exchange) => void {
  const duration = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Time from the start of an attempt to the end of the response, by outcome.',
    labelNames: ['outcome'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  return ({ ok, duration_ms }) =>
    duration.observe({ outcome: ok ? 'delivered' : 'failed' }, duration_ms / 1000)
}
