import pg from 'pg'
import type { Log } from '../log.ts'
import { type Result, type Statement, lastOf, send, start } from './burst.ts'
import { asAnswer } from './faults.ts'

/** One connection that many callers share: statements go out without waiting for the answers before them. */
export interface Pipelined extends AsyncDisposable {
  send(statements: readonly Statement[]): Promise<Result[]>
}

/** How long after a failed attempt callers are told at once that the database is away. */
const retryAfterMs = 200

export interface PipelinedOptions {
  /**
   * Whether what is asked within one turn of the event loop leaves together, as one implicit transaction. For reads
   * only: of statements that write, a later one that fails would take back those before it.
   */
  gathers: boolean
}

/** Connects when first used, and again when used after the connection was lost. */
export function pipelined(config: pg.ClientConfig, log: Log, { gathers }: PipelinedOptions): Pipelined {
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
      return gathers ? gather(ready, statements) : send(ready, statements)
    },
    async [Symbol.asyncDispose]() {
      closed = true
      await (await connecting?.catch(() => undefined))?.end()
    },
  }
}

/** One statement without a tenant. */
export async function askPipelined(connection: Pipelined, statement: Statement): Promise<Result> {
  return lastOf(await connection.send([statement]))
}

interface Call {
  statements: readonly Statement[]
  resolve(results: Result[]): void
  reject(error: unknown): void
}

const gathering = new WeakMap<pg.Client, Call[]>()

/**
 * Everything that is asked within one turn of the event loop leaves as one burst: for a hundred callers one write, one
 * implicit transaction, one answer. Each caller's statements set what they need themselves, such as the tenant.
 */
function gather(client: pg.Client, statements: readonly Statement[]): Promise<Result[]> {
  return new Promise((resolve, reject) => {
    const call = { statements, resolve, reject }
    const waiting = gathering.get(client)
    if (waiting !== undefined) return void waiting.push(call)
    const calls: Call[] = [call]
    gathering.set(client, calls)
    process.nextTick(() => {
      gathering.delete(client)
      together(client, calls)
    })
  })
}

/** Those before the first that fails have their answers, that one its error, and those after it are asked anew. */
function together(client: pg.Client, calls: readonly Call[]): void {
  const all = calls.flatMap((call) => call.statements)
  const settle = (error: Error | null, results: Result[]) => {
    let answered = 0
    for (const [i, { statements, resolve, reject }] of calls.entries()) {
      const own = results.slice(answered, answered + statements.length)
      answered += statements.length
      if (own.length < statements.length) {
        reject(asAnswer(error))
        const rest = calls.slice(i + 1)
        if (rest.length > 0) together(client, rest)
        return
      }
      resolve(own)
    }
  }
  try {
    start(client, all, settle)
  } catch (error) {
    // Of one alone it is known whose values cannot be sent.
    if (calls.length === 1) calls[0]?.reject(error)
    else for (const call of calls) together(client, [call])
  }
}
