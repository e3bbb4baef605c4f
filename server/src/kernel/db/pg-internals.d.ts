/** Parts of pg that its package exports without types. */
declare module 'pg/lib/utils.js' {
  /** pg's own conversion of JavaScript values to parameters. */
  export function prepareValue(value: unknown): string | Buffer | null
}

declare module 'pg/lib/query.js' {
  import type { EventEmitter } from 'node:events'

  export interface Connection {
    stream: { cork(): void; uncork(): void }
    parse(message: { name: string; text: string }): void
    bind(message: { statement: string; values: unknown[] }): void
    describe(message: { type: 'P'; name: string }): void
    execute(message: { portal: string }): void
    close(message: { type: 'S'; name: string }): void
    sync(): void
  }

  /** A query. The client submits it and passes every message of the response to its handlers. */
  class Query extends EventEmitter {
    constructor(text: string)
    submit(connection: Connection): Error | null
    handleRowDescription(message: { fields: { name: string; dataTypeID: number }[] }): void
    handleDataRow(message: { fields: (string | null)[] }): void
    handleCommandComplete(message: { text: string }): void
    handleError(error: Error): void
    handleReadyForQuery(): void
  }
  export default Query
}
