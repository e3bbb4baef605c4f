import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'

/** The result of a request: a response, or why there is none. */
export type Called = { status: number; body: string; type: string } | 'no connection' | 'no response'

/** HTTP requests to the servers of accounts. Disposal aborts everything in progress. */
export interface Calls extends AsyncDisposable {
  /** Runs work in the background. */
  run(work: () => Promise<void>): void
  /** Pauses such work. */
  pause(ms: number): Promise<void>
  send(
    url: string,
    call: { method: 'GET' | 'POST'; headers?: Record<string, string>; body?: string; timeoutMs: number },
  ): Promise<Called>
}

export function startCalls(): Calls {
  const agent = new Agent({ connections: 64, connectTimeout: 5_000 })
  const stop = new AbortController()
  const running = new Set<Promise<void>>()
  return {
    run(work) {
      const done = work()
        .catch((error: unknown) => {
          if (!stop.signal.aborted) throw error
        })
        .finally(() => running.delete(done))
      running.add(done)
    },
    pause: (ms) => sleep(ms, undefined, { signal: stop.signal }),
    async send(url, { timeoutMs, ...call }) {
      const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(timeoutMs)])
      try {
        const { statusCode, headers, body } = await request(url, { ...call, signal, dispatcher: agent })
        return { status: statusCode, body: await body.text(), type: String(headers['content-type'] ?? '') }
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : ''
        return /^(ECONN|EHOST|ENET|ENOTFOUND|UND_ERR_CONNECT)/.test(code) ? 'no connection' : 'no response'
      }
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      await Promise.all(running)
      await agent.destroy()
    },
  }
}
