import { performance } from 'node:perf_hooks'
import type { Dispatcher } from 'undici'
import type { Connection } from './connections.ts'
import { reasonOf } from './failure.ts'

/** The outcome of one request. */
export interface ExchangeOutcome {
  /** Null if no complete response arrived in time. */
  status: number | null
  /** Why there is no complete response. */
  failure: string | null
  headers: Headers
  /** The start of the response body. */
  kept: readonly Buffer[]
  /** Whether any byte of the request may have been sent. */
  sent: boolean
  durationMs: number
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** What all exchanges of one kind share. `R` is the type of result that their callers get. */
export interface Ends<R> {
  timeoutMs: number
  /** Failure messages of a timeout. */
  noConnection: string
  noResponse: string
  /** At least this many bytes of a response body are kept, if it has as many. */
  maxKept: number
  /** Maximum size of a response body. Beyond it, the connection is closed. */
  maxRead: number
  /** The failure message for a longer body. Null if its beginning is enough. */
  tooLong: string | null
  resultOf(outcome: ExchangeOutcome): R
  /** Called when an exchange ends, possibly inside undici's parser. */
  over(exchange: PendingExchange<R>): void
  /** Called in the next turn of the event loop. */
  deliver(exchange: PendingExchange<R>, result: R, done: (result: R) => void): void
}

/** Maximum number of interim responses (1xx). */
const maxInterim = 10

/** One request in progress; undici calls its handlers. */
export class PendingExchange<R> implements Dispatcher.DispatchHandler {
  /** On the clock of `performance.now()`. */
  readonly startedAt = performance.now()
  readonly connection: Connection
  /** Whether the response was read to its end, so that the connection can serve another exchange. */
  reusable = false
  readonly #ends: Ends<R>
  readonly #done: (result: R) => void
  #over = false
  #sent = false
  #status = 0
  #headers: Headers = {}
  #interim = 0
  #read = 0
  #kept: Buffer[] = []

  constructor(connection: Connection, ends: Ends<R>, done: (result: R) => void) {
    this.connection = connection
    this.#ends = ends
    this.#done = done
  }

  expire(): void {
    this.fail(this.#sent ? this.#ends.noResponse : this.#ends.noConnection)
  }

  /** Fails the exchange, but only if nothing has been sent. Then nothing will be. */
  failUnsent(reason: string): void {
    if (!this.#sent) this.fail(reason)
  }

  /** Ends the exchange with this failure. Does nothing if it has already ended. */
  fail(reason: string): void {
    this.#end(null, reason)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#over) controller.abort(new Error('The exchange is over.'))
    this.#sent = true
  }

  onResponseStart(_controller: unknown, status: number, headers: Headers): void {
    if (status >= 200) {
      this.#status = status
      this.#headers = headers
    } else if (++this.#interim > maxInterim)
      this.fail('the response never starts: too many interim responses')
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.#over) return
    const { maxKept, maxRead, tooLong } = this.#ends
    if (this.#read < maxKept) this.#kept.push(chunk)
    this.#read += chunk.length
    if (this.#read <= maxRead) return
    if (tooLong === null) this.#end(this.#status, null)
    else this.fail(tooLong)
  }

  onResponseEnd(): void {
    this.reusable = true
    this.#end(this.#status, null)
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (!this.#over) this.fail(reasonOf(error))
  }

  #end(status: number | null, reason: string | null): void {
    if (this.#over) return
    this.#over = true
    const durationMs = performance.now() - this.startedAt
    // The shared timer is coarse, but the timeout is exact.
    const late = reason === null && durationMs > this.#ends.timeoutMs
    const result = this.#ends.resultOf({
      status: late ? null : status,
      failure: late ? this.#ends.noResponse : reason,
      headers: this.#headers,
      kept: this.#kept,
      sent: this.#sent,
      durationMs,
    })
    this.#ends.over(this)
    process.nextTick(deliver, this, this.#ends, this.#done, result)
  }
}

const deliver = <R>(
  exchange: PendingExchange<R>,
  ends: Ends<R>,
  done: (result: R) => void,
  result: R,
): void => ends.deliver(exchange, result, done)
