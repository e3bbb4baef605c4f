import type { FastifyInstance } from 'fastify'
import type { Log } from '../log.ts'

/** Whether the server can do its work right now; undefined when it can, else what is missing. */
export type ReadinessCheck = () => Promise<string | undefined>

const cachedMs = 1000

/** `/livez` answers as long as the process turns; `/readyz` when database and schema are there too. */
export function addHealth(app: FastifyInstance, log: Log, check: ReadinessCheck): void {
  const unreachable = (error: unknown) => {
    log.warn({ err: error }, 'not ready')
    return 'the database cannot be asked'
  }
  let last: { at: number; verdict: Promise<string | undefined> } | undefined
  const config = { uncounted: true }
  app.get('/livez', { config }, () => ({ status: 'ok' }))
  app.get('/readyz', { config }, async (_request, reply) => {
    const at = performance.now()
    if (last === undefined || at - last.at > cachedMs) {
      last = { at, verdict: check().catch(unreachable) }
    }
    const missing = await last.verdict
    if (missing === undefined) return { status: 'ok' }
    return reply.code(503).header('retry-after', '1').send({ status: 'unavailable', reason: missing })
  })
}
