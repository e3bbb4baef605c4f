import pg from 'pg'
import type { Log } from '../log.ts'
import { type Result, type Statement, send } from './burst.ts'
import { asAnswer } from './faults.ts'

/** One connection that many callers share: statements go out without waiting for the answers before them. */
export interface Pipelined extends AsyncDisposable {
  send(statements: readonly Statement[]): Promise<Result[]>
}

/** How long after a failed attempt callers are told at once that the database is away. */
const retryAfterMs = 200

/** Connects when first used, and again when used after the connection was lost. */
export function pipelined(config: pg.ClientConfig, log: Log): Pipelined {
  let connecting: Promise<pg.Client> | undefined
  let client: pg.Client | undefined
  let closed = false

  async function connect(): Promise<pg.Client> {
    const fresh = new pg.Client({ ...config, pipeline: true })
    fresh.on('error', (error) => {
      if (client === fresh) client = connecting = undefined
      if (!closed) log.warn({ err: error }, 'database connection lost')
    })
    try {
      await fresh.connect()
    } catch (error) {
      setTimeout(() => (connecting = undefined), retryAfterMs).unref()
      throw asAnswer(error)
    }
    fresh.once('end', () => {
      if (client === fresh) client = connecting = undefined
    })
    client = fresh
    return fresh
  }

  return {
    async send(statements) {
      const ready = client ?? (await (connecting ??= connect()))
      gather(ready)
      return send(ready, statements)
    },
    async [Symbol.asyncDispose]() {
      closed = true
      await (await connecting?.catch(() => undefined))?.end()
    },
  }
}

/** One statement without a tenant. */
export async function askPipelined(connection: Pipelined, statement: Statement): Promise<Result> {
  const [result] = await connection.send([statement])
  if (result === undefined) throw new Error('A burst answered nothing.')
  return result
}

const gathering = new WeakSet<pg.Client>()

/** Everything asked within one turn of the event loop leaves in one write: a system call less for each of many callers. */
function gather(client: pg.Client): void {
  if (gathering.has(client)) return
  const { stream } = client.connection
  gathering.add(client)
  stream.cork()
  process.nextTick(() => {
    gathering.delete(client)
    stream.uncork()
  })
}
