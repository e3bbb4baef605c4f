import { performance } from 'node:perf_hooks'
import type { Dispatcher } from 'undici'
import type { Connection } from './connections.ts'
import type { Exchange } from './egress.ts'
import { reasonOf } from './failure.ts'

/** What all exchanges of an egress share. */
export interface Ends {
  timeoutMs: number
  /** Failure messages of a timeout. */
  noConnection: string
  noResponse: string
  /** Called when an exchange ends, possibly inside undici's parser. */
  over(exchange: PendingExchange): void
  /** Called in the next turn of the event loop. */
  deliver(exchange: PendingExchange, result: Exchange, done: (exchange: Exchange) => void): void
}

/** Maximum size of a response body; the connection is closed beyond it. */
const maxRead = 65_536

/** So many bytes of it are kept. */
const maxKept = 1_024

/** Maximum number of interim responses (1xx). */
const maxInterim = 10

/** One POST in progress; undici calls its handlers. */
export class PendingExchange implements Dispatcher.DispatchHandler {
  /** In the time of `performance.now()`. */
  readonly startedAt = performance.now()
  readonly connection: Connection
  /** The response was read to its end, so the connection can serve another exchange. */
  reusable = false
  readonly #ends: Ends
  readonly #done: (exchange: Exchange) => void
  #over = false
  #sent = false
  #status = 0
  #interim = 0
  #read = 0
  #kept: Buffer[] = []

  constructor(connection: Connection, ends: Ends, done: (exchange: Exchange) => void) {
    this.connection = connection
    this.#ends = ends
    this.#done = done
  }

  expire(): void {
    this.fail(this.#sent ? this.#ends.noResponse : this.#ends.noConnection)
  }

  /** Ends the exchange with this failure. Does nothing if it has ended already. */
  fail(reason: string): void {
    this.#end(null, reason)
  }

  onRequestStart(): void {
    this.#sent = true
  }

  onResponseStart(_controller: unknown, status: number): void {
    if (status >= 200) this.#status = status
    else if (++this.#interim > maxInterim) this.fail('the response never starts: too many interim responses')
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.#over) return
    // A few bytes more than are kept, to find the end of the last character.
    if (this.#read < maxKept + 4) this.#kept.push(chunk)
    this.#read += chunk.length
    if (this.#read > maxRead) this.#complete()
  }

  onResponseEnd(): void {
    this.reusable = true
    this.#complete()
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (!this.#over) this.fail(reasonOf(error))
  }

  #complete(): void {
    const status = this.#status
    this.#end(status, status >= 200 && status < 300 ? null : statusFailure(status))
  }

  #end(status: number | null, reason: string | null): void {
    if (this.#over) return
    this.#over = true
    const duration = performance.now() - this.startedAt
    // The timer is coarse, but the timeout is exact.
    const late = reason === null && duration > this.#ends.timeoutMs
    const failure = late ? this.#ends.noResponse : reason
    const answer = status === null && this.#kept.length === 0 ? null : textOf(this.#kept)
    this.#ends.over(this)
    process.nextTick(deliver, this, this.#ends, this.#done, {
      status: late ? null : status,
      ok: failure === null,
      answer,
      failure,
      duration_ms: Math.round(duration),
    })
  }
}

const deliver = (
  exchange: PendingExchange,
  ends: Ends,
  done: (exchange: Exchange) => void,
  result: Exchange,
): void => ends.deliver(exchange, result, done)

const redirects = new Set([301, 302, 303, 307, 308])

const statusFailure = (status: number) =>
  redirects.has(status) ? `redirect to another address is not followed (${status})` : `status ${status}`

/** The first kilobyte as text, without a partial character at its end. */
function textOf(chunks: readonly Buffer[]): string {
  const [first] = chunks
  if (first === undefined) return ''
  const bytes = chunks.length === 1 ? first : Buffer.concat(chunks)
  let end = Math.min(bytes.length, maxKept)
  if (end < bytes.length) {
    const least = end - 3
    while (end > least && isContinuation(bytes[end])) end--
  }
  return bytes.toString('utf8', 0, end).replaceAll('\0', '\ufffd')
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80
