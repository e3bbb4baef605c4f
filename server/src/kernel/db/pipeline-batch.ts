import type pg from 'pg'
import Query, { type Connection } from 'pg/lib/query.js'
import { prepareValue } from 'pg/lib/utils.js'
import { StatementError, spoilsConnection, toAppError } from './errors.ts'
import { expectResponse } from './response-timeout.ts'
import { statementName } from './sql.ts'
import { type RowReader, rowReader } from './values.ts'

/** A statement and its values. The `sql` tag returns one. */
export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

export interface Result {
  /** The command tag: SELECT, INSERT, COMMIT, … The COMMIT of a failed transaction returns ROLLBACK. */
  command: string
  rows: Record<string, unknown>[]
  /** Rows returned or affected. */
  count: number
}

const noColumns = rowReader([])

/**
 * Row readers of prepared statements, by statement name. A reader is undefined until the statement's first
 * description arrives.
 */
type Prepared = Map<string, RowReader | undefined>

/**
 * Maximum number of prepared statements per connection. An update has a separate text for each set of columns that it
 * changes.
 */
export const maxPrepared = 1000

const preparedOn = new WeakMap<Connection, Prepared>()

/**
 * Several named prepared statements sent at once under one Sync. PostgreSQL runs them in order, in one implicit
 * transaction unless they open one, and skips the rest after the first failure. Setting the tenant and querying
 * therefore take one round trip, which cannot return another tenant's rows. With a Sync between them, the query would
 * run as the previous tenant if the setting failed.
 *
 * It extends pg's Query, so that pg queues and pipelines it like its own queries.
 */
class PipelineBatch extends Query {
  readonly #statements: readonly Statement[]
  readonly #settle: (error: Error | null, results: Result[]) => void
  readonly #values: (string | Buffer | null)[][]
  readonly #names: string[] = []
  readonly #results: Result[] = []
  /** By statement, as known when the batch was sent. The response describes unknown columns. */
  readonly #readers: (RowReader | undefined)[] = []
  #prepared: Prepared = new Map()
  #rows: Record<string, unknown>[] = []
  #error: Error | undefined

  constructor(statements: readonly Statement[], settle: (error: Error | null, results: Result[]) => void) {
    super('')
    this.#statements = statements
    try {
      this.#values = statements.map((statement) => statement.values.map((value) => prepareValue(value)))
    } catch (cause) {
      throw new StatementError('A value could not be sent.', { cause })
    }
    this.#settle = settle
  }

  override submit(connection: Connection): Error | null {
    const prepared = preparedOn.get(connection) ?? new Map<string, RowReader | undefined>()
    preparedOn.set(connection, prepared)
    this.#prepared = prepared
    connection.stream.cork()
    this.#statements.forEach(({ text }, i) => {
      const name = statementName(text)
      this.#names.push(name)
      if (!prepared.has(name)) {
        this.#makeRoom(connection)
        // Closing an unknown statement is not an error. So a statement that may already be prepared can be prepared
        // again.
        connection.close({ type: 'S', name })
        connection.parse({ name, text })
        prepared.set(name, undefined)
      }
      connection.bind({ statement: name, values: this.#values[i] ?? [] })
      const reader = prepared.get(name)
      this.#readers.push(reader)
      if (reader === undefined) connection.describe({ type: 'P', name: '' })
      connection.execute({ portal: '' })
    })
    connection.sync()
    connection.stream.uncork()
    return null
  }

  override handleRowDescription(message: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#learn(rowReader(message.fields))
  }

  override handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const read = this.#readers[this.#results.length] ?? noColumns
    try {
      this.#rows.push(read(fields))
    } catch (error) {
      this.#error ??= new StatementError('A value could not be read.', { cause: error })
    }
  }

  override handleCommandComplete({ text }: { text: string }): void {
    if (this.#readers[this.#results.length] === undefined) this.#learn(noColumns)
    const count = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0
    this.#results.push({ command: text.split(' ', 1)[0] ?? '', rows: this.#rows, count })
    this.#rows = []
  }

  override handleError(error: Error): void {
    // The failed statement and those skipped after it may or may not be prepared.
    for (const name of this.#names.slice(this.#results.length)) this.#prepared.delete(name)
    this.#settle(error, this.#results)
  }

  override handleReadyForQuery(): void {
    this.#settle(this.#error ?? null, this.#results)
  }

  /** Closes the statement that was prepared first if there are too many. */
  #makeRoom(connection: Connection): void {
    const [oldest] = this.#prepared.keys()
    if (oldest === undefined || this.#prepared.size < maxPrepared) return
    this.#prepared.delete(oldest)
    connection.close({ type: 'S', name: oldest })
  }

  #learn(reader: RowReader): void {
    const at = this.#results.length
    this.#readers[at] = reader
    const name = this.#names[at] ?? ''
    if (this.#prepared.has(name)) this.#prepared.set(name, reader)
  }
}

const spoiled = new WeakSet<pg.Client | pg.PoolClient>()

/** Whether an error has made the connection useless. It is closed, and must not go back to its pool. */
export const isSpoiled = (client: pg.Client | pg.PoolClient): boolean => spoiled.has(client)

function spoil(client: pg.Client | pg.PoolClient): void {
  spoiled.add(client)
  client.connection.stream.destroy()
}

/**
 * Sends the statements as one batch. Calls `settle` with all results, or with the error of the first statement that
 * failed and the results before it. Throws `StatementError` and sends nothing if a value cannot be converted.
 */
function start(
  client: pg.Client | pg.PoolClient,
  statements: readonly Statement[],
  settle: (error: Error | null, results: Result[]) => void,
): void {
  const batch = new PipelineBatch(statements, (error, results) => {
    received()
    settle(error, results)
    if (spoilsConnection(error)) spoil(client)
  })
  const received = expectResponse(client)
  client.query(batch as unknown as pg.Submittable)
}

/**
 * Sends the statements as one batch and returns the result of the last one. Rejects with the error of the first
 * statement that failed, or with `Unavailable` if the database is down, overloaded, or too slow.
 */
export async function send(
  client: pg.Client | pg.PoolClient,
  statements: readonly Statement[],
): Promise<Result> {
  try {
    return await new Promise((resolve, reject) => {
      start(client, statements, (error, results) =>
        error === null ? resolve(resultAt(results, results.length - 1)) : reject(error),
      )
    })
  } catch (error) {
    // Make the stack lead to the caller instead of the socket.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw toAppError(error)
  }
}

/** One caller's statements. The caller gets the result of the last one. */
export interface Call {
  statements: readonly Statement[]
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * Sends the statements of all calls as one batch. Calls before the first failure get their results. The failed call
 * and those after it are passed to `failed`. Resolves once there is a response. If a value of any call cannot be
 * converted, sends nothing and rejects with `StatementError`.
 */
export const sendTogether = (
  client: pg.Client | pg.PoolClient,
  calls: readonly Call[],
  failed: (error: unknown, first: Call, rest: readonly Call[]) => Promise<void> | void,
): Promise<void> =>
  new Promise((resolve) => {
    const all = calls.flatMap(({ statements }) => statements)
    start(client, all, (error, results) => resolve(settle(error, results)))
    function settle(error: Error | null, results: Result[]): Promise<void> | void {
      let taken = 0
      for (const [i, call] of calls.entries()) {
        taken += call.statements.length
        if (results.length < taken) return failed(toAppError(error), call, calls.slice(i + 1))
        call.resolve(resultAt(results, taken - 1))
      }
    }
  })

/** The result of the statement at the index. */
function resultAt(results: readonly Result[], index: number): Result {
  const result = results[index]
  if (result === undefined) throw new Error('A statement returned no result.')
  return result
}
