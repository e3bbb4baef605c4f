/** The part of autocannon that the benchmark uses. The package has no types. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events'

  export interface Request {
    method?: string
    path?: string
    headers?: Record<string, string>
    body?: string
  }

  export interface Options {
    url: string
    connections: number
    /** Seconds. */
    duration: number
    /** Milliseconds between checks of whether the time is up. */
    sampleInt?: number
    requests: { setupRequest(request: Request): Request }[]
    setupClient(client: EventEmitter<{ response: [status: number, bytes: number, durationMs: number] }>): void
  }

  export interface Result {
    errors: number
    timeouts: number
    non2xx: number
    statusCodeStats: Record<string, { count: number }>
  }

  function autocannon(options: Options): PromiseLike<Result>
  export default autocannon
}
