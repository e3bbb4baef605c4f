import { once } from 'node:events'
import type { Socket } from 'node:net'
import type pg from 'pg'

/** The parts of node-postgres' connection that COPY needs. */
interface Connection {
  stream: Socket
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
}

/** How much is collected before it is passed on: PostgreSQL sends each row on its own. */
const batchBytes = 65_536

/** Runs `copy … to stdout`. Reads no more while `write` has not resolved. Returns the number of rows. */
export function copyOut(
  client: pg.Client,
  text: string,
  write: (chunk: Buffer) => Promise<void>,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  let rows = 0
  let batch: Buffer[] = []
  let bytes = 0
  let writing = Promise.resolve()
  let failure: unknown
  const pass = (stream: Socket) => {
    const chunk = Buffer.concat(batch)
    batch = []
    bytes = 0
    stream.pause()
    writing = writing
      .then(() => write(chunk))
      .catch((error: unknown) => void (failure ??= error))
      .finally(() => stream.resume())
  }
  let stream: Socket | undefined
  client.query({
    submit(connection: Connection) {
      stream = connection.stream
      connection.query(text)
    },
    handleCopyData({ chunk }: { chunk: Buffer }, connection: Connection) {
      rows++
      // node-postgres reuses the memory of what it has passed on.
      batch.push(Buffer.from(chunk))
      bytes += chunk.length
      if (bytes >= batchBytes) pass(connection.stream)
    },
    handleCommandComplete: () => undefined,
    handleError: reject,
    handleReadyForQuery() {
      if (bytes > 0 && stream !== undefined) pass(stream)
      return writing.then(() => (failure === undefined ? resolve(rows) : reject(failure)))
    },
  } as unknown as pg.Submittable)
  return promise
}

/** Runs `copy … from stdin` with this content. */
export function copyIn(client: pg.Client, text: string, content: AsyncIterable<Buffer>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let failure: unknown
  async function send(connection: Connection) {
    try {
      for await (const chunk of content) {
        if (failure !== undefined) continue
        connection.sendCopyFromChunk(chunk)
        if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain')
      }
      if (failure === undefined) connection.endCopyFrom()
    } catch (error) {
      failure ??= error
      connection.sendCopyFail('The content ended early.')
    }
  }
  let sending = Promise.resolve()
  client.query({
    submit: (connection: Connection) => connection.query(text),
    handleCopyInResponse: (connection: Connection) => void (sending = send(connection)),
    handleCommandComplete: () => undefined,
    // After an error, node-postgres does not pass on that the connection is ready.
    handleError(cause: unknown) {
      failure ??= cause
      return sending.then(() => reject(failure))
    },
    handleReadyForQuery: () => void sending.then(resolve),
  } as unknown as pg.Submittable)
  return promise
}
