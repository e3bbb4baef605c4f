import autocannon, { type Request } from 'autocannon'
import { percentile } from './statistics.ts'

export interface Round {
  requests: number
  requestsPerSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
}

export interface Load {
  url: string
  connections: number
  seconds: number
  /** Makes the next request. Called once per request. */
  next(): Request
}

/** Keeps `connections` requests in flight for `seconds`. Throws if any response is not a success. */
export async function runRound({ url, connections, seconds, next }: Load): Promise<Round> {
  const durations: number[] = []
  const started = performance.now()
  let ended = started
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    sampleInt: 100,
    requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }],
    setupClient: (client) =>
      void client.on('response', (_status, _bytes, durationMs) => {
        durations.push(durationMs)
        ended = performance.now()
      }),
  })
  if (result.non2xx + result.errors + result.timeouts > 0 || durations.length === 0) {
    const { errors, timeouts, statusCodeStats } = result
    throw new Error(
      `Not every response was a success: ${JSON.stringify({ errors, timeouts, statusCodeStats })}`,
    )
  }
  durations.sort((a, b) => a - b)
  return {
    requests: durations.length,
    requestsPerSecond: (durations.length / (ended - started)) * 1000,
    p50: percentile(durations, 0.5),
    p99: percentile(durations, 0.99),
  }
}
