import { performance } from 'node:perf_hooks'
import type { Dispatcher } from 'undici'
import type { Connection } from './connections.ts'
import type { Exchange } from './egress.ts'
import { reasonOf } from './failure.ts'

/** What all exchanges of a door share. */
export interface Ends {
  timeoutMs: number
  /** Reasons of a timeout. */
  noConnection: string
  noAnswer: string
  /** In the turn in which an exchange ends, possibly in the midst of undici's parser. */
  over(exchange: PendingExchange): void
  /** In the next. */
  deliver(exchange: PendingExchange, result: Exchange, done: (exchange: Exchange) => void): void
}

/** Beyond this the connection is cut. */
const maxRead = 65_536

/** Of this the beginning is kept. */
const maxKept = 1_024

/** Answers before the answer (103 and the like): a receiver that sends more of them has nothing to say. */
const maxInterim = 10

/** One POST from its beginning to its end; undici tells it what happens. */
export class PendingExchange implements Dispatcher.DispatchHandler {
  /** By the clock of `performance.now()`. */
  readonly begun = performance.now()
  readonly connection: Connection
  /** The answer was read to its end: the connection may serve another exchange. */
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
    this.fail(this.#sent ? this.#ends.noAnswer : this.#ends.noConnection)
  }

  /** Ends it for a reason of ours; nothing happens when it has ended already. */
  fail(reason: string): void {
    this.#end(null, reason)
  }

  onRequestStart(): void {
    this.#sent = true
  }

  onResponseStart(_controller: unknown, status: number): void {
    if (status >= 200) this.#status = status
    else if (++this.#interim > maxInterim)
      this.fail('the answer never begins: one interim answer after the other')
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.#over) return
    // A few bytes more than are kept, to know whether a character ends there.
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
    this.#end(status, status >= 200 && status < 300 ? null : statusFault(status))
  }

  #end(status: number | null, reason: string | null): void {
    if (this.#over) return
    this.#over = true
    const duration = performance.now() - this.begun
    // The timer is coarse, the promise is not.
    const late = reason === null && duration > this.#ends.timeoutMs
    const failure = late ? this.#ends.noAnswer : reason
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

const statusFault = (status: number) =>
  redirects.has(status) ? `redirect to another address is not followed (${status})` : `status ${status}`

/** The first kilobyte as text, cut between two characters. */
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
