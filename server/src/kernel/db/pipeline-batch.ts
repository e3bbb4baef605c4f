import type pg from 'pg'
import Query, { type Connection } from 'pg/lib/query.js'
import { prepareValue } from 'pg/lib/utils.js'
import { StatementError, toAppError } from './errors.ts'
import { expectResponse } from './response-timeout.ts'
import { statementName } from './sql.ts'
import { parserOf } from './values.ts'

/** A statement and its values. The `sql` tag returns one. */
export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

export interface Result {
  /** The command tag: SELECT, INSERT, COMMIT, … The COMMIT of a failed transaction has ROLLBACK. */
  command: string
  rows: Record<string, unknown>[]
  /** Rows returned or affected. */
  count: number
}

/** The columns of a prepared statement's rows, known from its first description for as long as it is prepared. */
interface Shape {
  names: string[]
  parsers: ((text: string) => unknown)[]
}

const noColumns: Shape = { names: [], parsers: [] }

/** By name of a prepared statement; undefined until its description has arrived. */
type Prepared = Map<string, Shape | undefined>

/** Statements prepared on a connection. An update has a text for each set of columns that changes. */
export const maxPrepared = 1000

const preparedOn = new WeakMap<Connection, Prepared>()

/**
 * Several named prepared statements sent at once under one Sync. PostgreSQL runs them in order, in one implicit
 * transaction unless they open one, and skips the rest after the first that fails. So setting the tenant and querying
 * is one round trip that cannot return another tenant's rows: with a Sync between them, the query would run as the
 * previous tenant if the setting failed.
 *
 * It extends pg's Query, so that pg queues and pipelines it like its own queries.
 */
class PipelineBatch extends Query {
  readonly #statements: readonly Statement[]
  readonly #settle: (error: Error | null, results: Result[]) => void
  readonly #values: (string | Buffer | null)[][]
  readonly #names: string[] = []
  readonly #results: Result[] = []
  /** By statement, as known when it was sent. An unknown shape is described in the response. */
  readonly #shapes: (Shape | undefined)[] = []
  #prepared: Prepared = new Map()
  #rows: Record<string, unknown>[] = []
  #error: Error | undefined

  constructor(statements: readonly Statement[], settle: (error: Error | null, results: Result[]) => void) {
    super({ text: '' })
    this.#statements = statements
    try {
      this.#values = statements.map((statement) => statement.values.map((value) => prepareValue(value)))
    } catch (cause) {
      throw new StatementError('A value could not be sent.', { cause })
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
        this.#makeRoom(connection)
        // Closing an unknown statement is no error, so a statement that may be prepared already can be prepared again.
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
      // By index: this runs for every field that is read, and an iterator is slower.
      for (let i = 0; i < names.length; i++) {
        const text = fields[i] ?? null
        row[names[i] ?? ''] = text === null ? null : parsers[i]?.(text)
      }
    } catch (error) {
      this.#error ??= new StatementError('A value could not be read.', { cause: error })
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
    // The statement that failed and those skipped after it may or may not be prepared.
    for (const name of this.#names.slice(this.#results.length)) this.#prepared.delete(name)
    this.#settle(error, this.#results)
  }

  override handleReadyForQuery(): void {
    this.#settle(this.#error ?? null, this.#results)
  }

  /** Closes the statement that was prepared first, once there are too many. */
  #makeRoom(connection: Connection): void {
    const [oldest] = this.#prepared.keys()
    if (oldest === undefined || this.#prepared.size < maxPrepared) return
    this.#prepared.delete(oldest)
    connection.close({ type: 'S', name: oldest })
  }

  #learn(shape: Shape): void {
    const at = this.#results.length
    this.#shapes[at] = shape
    const name = this.#names[at] ?? ''
    if (this.#prepared.has(name)) this.#prepared.set(name, shape)
  }
}

/**
 * Sends the statements as one batch. Calls `settle` with all results, or with the error of the first statement that
 * failed and the results before it. Throws `StatementError` and sends nothing if a value cannot be converted.
 */
export function start(
  client: pg.Client | pg.PoolClient,
  statements: readonly Statement[],
  settle: (error: Error | null, results: Result[]) => void,
): void {
  const batch = new PipelineBatch(statements, (error, results) => {
    received()
    settle(error, results)
  })
  const received = expectResponse(client)
  client.query(batch as unknown as pg.Submittable)
}

/**
 * Sends the statements as one batch. Rejects with the error of the first statement that failed, or with `Unavailable` if
 * the database is down, overloaded or too slow.
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
    // Make the stack lead to the caller instead of the socket.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw toAppError(error)
  }
}

/** The result of a batch's last statement. */
export function lastOf(results: readonly Result[]): Result {
  const result = results.at(-1)
  if (result === undefined) throw new Error('A batch returned no result.')
  return result
}
