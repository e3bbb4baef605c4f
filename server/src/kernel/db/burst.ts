import type pg from 'pg'
import Query, { type Connection } from 'pg/lib/query.js'
import { prepareValue } from 'pg/lib/utils.js'
import { StatementFault, asAnswer } from './faults.ts'
import { expectAnswer } from './silence.ts'
import { statementName } from './sql.ts'
import { parserOf } from './values.ts'

/** A statement and its values; what the `sql` tag makes is one. */
export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

export interface Result {
  /** PostgreSQL's word for what it did: SELECT, INSERT, COMMIT, … A COMMIT of a failed transaction says ROLLBACK. */
  command: string
  rows: Record<string, unknown>[]
  /** Rows returned or affected. */
  count: number
}

/** How the rows of a prepared statement look; learnt from its first description and valid as long as it is prepared. */
interface Shape {
  names: string[]
  parsers: ((text: string) => unknown)[]
}

const noColumns: Shape = { names: [], parsers: [] }

/** By name of a prepared statement; undefined while its description is under way. */
type Prepared = Map<string, Shape | undefined>

const preparedOn = new WeakMap<Connection, Prepared>()

/**
 * Several named prepared statements sent at once under ONE Sync. PostgreSQL runs them in order, as one implicit
 * transaction unless they say otherwise, and skips the rest after the first that fails. That is what makes
 * "set the tenant, then ask" one round trip in which the answer cannot be another tenant's: were the setting and the
 * query two Syncs, a failed setting would leave the query to run as the tenant before.
 *
 * It builds on pg's Query so that pg's own queue and pipelining carry it.
 */
class Burst extends Query {
  readonly #statements: readonly Statement[]
  readonly #settle: (error: Error | null, results: Result[]) => void
  readonly #values: (string | Buffer | null)[][]
  readonly #names: string[] = []
  readonly #results: Result[] = []
  /** Of each statement, as known when it was sent; one that was not is described in the answer. */
  readonly #shapes: (Shape | undefined)[] = []
  #prepared: Prepared = new Map()
  #rows: Record<string, unknown>[] = []
  #fault: Error | undefined

  constructor(statements: readonly Statement[], settle: (error: Error | null, results: Result[]) => void) {
    super({ text: '' })
    this.#statements = statements
    try {
      this.#values = statements.map((statement) => statement.values.map((value) => prepareValue(value)))
    } catch (cause) {
      throw new StatementFault('A value could not be sent.', { cause })
    }
    this.#settle = settle
  }

  override submit(connection: Connection): Error | null {
    const prepared = preparedOn.get(connection) ?? new Map<string, Shape | undefined>()
    preparedOn.set(connection, prepared)
    this.#prepared = prepared
    connection.stream.cork()
    this.#statements.forEach(({ text }, i) => {
      const name = statementName(text)
      this.#names.push(name)
      if (!prepared.has(name)) {
        // Closing what isn't prepared is no error, so a statement whose preparation is in doubt can always be sent anew.
        connection.close({ type: 'S', name })
        connection.parse({ name, text })
        prepared.set(name, undefined)
      }
      connection.bind({ statement: name, values: this.#values[i] ?? [] })
      const shape = prepared.get(name)
      this.#shapes.push(shape)
      if (shape === undefined) connection.describe({ type: 'P', name: '' })
      connection.execute({ portal: '' })
    })
    connection.sync()
    connection.stream.uncork()
    return null
  }

  override handleRowDescription(message: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#learn({
      names: message.fields.map((field) => field.name),
      parsers: message.fields.map((field) => parserOf(field.dataTypeID)),
    })
  }

  override handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const { names, parsers } = this.#shapes[this.#results.length] ?? noColumns
    const row: Record<string, unknown> = {}
    try {
      // By index: this runs for every field that is ever read, and an iterator costs.
      for (let i = 0; i < names.length; i++) {
        const text = fields[i] ?? null
        row[names[i] ?? ''] = text === null ? null : parsers[i]?.(text)
      }
    } catch (error) {
      this.#fault ??= new StatementFault('A value could not be read.', { cause: error })
    }
    this.#rows.push(row)
  }

  override handleCommandComplete({ text }: { text: string }): void {
    if (this.#shapes[this.#results.length] === undefined) this.#learn(noColumns)
    const count = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0
    this.#results.push({ command: text.split(' ', 1)[0] ?? '', rows: this.#rows, count })
    this.#rows = []
  }

  override handleError(error: Error): void {
    // Of the statement that failed, and of those skipped after it, nobody knows whether they are prepared.
    for (const name of this.#names.slice(this.#results.length)) this.#prepared.delete(name)
    this.#settle(error, this.#results)
  }

  override handleReadyForQuery(): void {
    this.#settle(this.#fault ?? null, this.#results)
  }

  #learn(shape: Shape): void {
    const at = this.#results.length
    this.#shapes[at] = shape
    this.#prepared.set(this.#names[at] ?? '', shape)
  }
}

/**
 * Sends the statements in one burst. `settle` is told the results, all of them or those before the first failure with
 * the error. Throws, and sends nothing, if a value cannot be converted.
 */
export function start(
  client: pg.Client | pg.PoolClient,
  statements: readonly Statement[],
  settle: (error: Error | null, results: Result[]) => void,
): void {
  const burst = new Burst(statements, (error, results) => {
    answered()
    settle(error, results)
  })
  const answered = expectAnswer(client)
  client.query(burst as unknown as pg.Submittable)
}

/**
 * Sends the statements in one burst; answers when all have succeeded, rejects with the first that failed.
 * A database that is away, overloaded or too slow rejects with Unavailable.
 */
export async function send(
  client: pg.Client | pg.PoolClient,
  statements: readonly Statement[],
): Promise<Result[]> {
  try {
    return await new Promise((resolve, reject) => {
      start(client, statements, (error, results) => (error === null ? resolve(results) : reject(error)))
    })
  } catch (error) {
    // A stack that ends in the socket helps nobody: make it lead back to the caller.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw asAnswer(error)
  }
}

/** The answer of a burst's last statement. */
export function lastOf(results: readonly Result[]): Result {
  const result = results.at(-1)
  if (result === undefined) throw new Error('A burst answered nothing.')
  return result
}
