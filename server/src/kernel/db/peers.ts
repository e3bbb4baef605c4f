import type pg from 'pg'
import { send } from './pipeline-batch.ts'
import { isIdle, limitResponseTime } from './response-timeout.ts'
import { sql } from './sql.ts'

type Client = pg.Client | pg.PoolClient

/** The connections of a process to one database. */
export interface Peers {
  /** Limits the response time of a new connection. When its response is overdue, the idle ones are probed. */
  add(client: Client, timeoutMs: number): void
  /** Calls for each connection that is made or has ended, until the returned function is called. */
  onChange(call: OnConnection): () => void
}

export type OnConnection = (change: 'made' | 'lost') => void

/** How long an idle connection may take to respond to a probe. */
const probeMs = 2000

const probe = sql`select`

/**
 * If one connection is dead because the host or the path to it is gone, others probably are, too. Each would be noticed
 * only when a caller waits for it.
 */
export function connectionPeers(): Peers {
  const clients = new Set<Client>()
  const calls = new Set<OnConnection>()
  const report: OnConnection = (change) => calls.forEach((call) => call(change))
  const probeIdle = () => {
    for (const client of clients) {
      if (!isIdle(client)) continue
      const closing = setTimeout(() => client.connection.stream.destroy(), probeMs).unref()
      const end = () => clearTimeout(closing)
      send(client, [probe]).then(end, end)
    }
  }
  return {
    add(client, timeoutMs) {
      limitResponseTime(client, timeoutMs, probeIdle)
      clients.add(client)
      report('made')
      client.once('end', () => {
        clients.delete(client)
        report('lost')
      })
    },
    onChange(call) {
      calls.add(call)
      return () => void calls.delete(call)
    },
  }
}
