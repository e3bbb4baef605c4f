import type { Log } from '../log.ts'
import type { PlainResponse, PlainRoute } from './plain-route.ts'

/** Checks whether the server can do its work now. Returns undefined if it can, otherwise what is missing. */
export type ReadinessCheck = () => Promise<string | undefined>

const cachedMs = 1000

/** `/livez` succeeds as long as the process runs; `/readyz` succeeds as long as the readiness check passes too. */
export function healthRoutes(log: Log, check: ReadinessCheck): PlainRoute[] {
  const unreachable = (error: unknown) => {
    log.warn({ err: error }, 'not ready')
    return 'the database cannot be reached'
  }
  let last: { at: number; verdict: Promise<string | undefined> } | undefined
  return [
    { path: '/livez', methods: { GET: async () => json(200, { status: 'ok' }) } },
    {
      path: '/readyz',
      methods: {
        async GET() {
          const at = performance.now()
          if (last === undefined || at - last.at > cachedMs) {
            last = { at, verdict: Promise.race([check().catch(unreachable), tooSlow()]) }
          }
          const missing = await last.verdict
          if (missing === undefined) return json(200, { status: 'ok' })
          return json(503, { status: 'unavailable', reason: missing }, { 'retry-after': '1' })
        },
      },
    },
  ]
}

/** A load balancer waits no longer. */
const checkMs = 2000

const tooSlow = () =>
  new Promise<string>((resolve) => {
    setTimeout(() => resolve(`the database did not respond within ${checkMs / 1000} s`), checkMs).unref()
  })

const json = (status: number, body: object, headers: Record<string, string> = {}): PlainResponse => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(body),
})
