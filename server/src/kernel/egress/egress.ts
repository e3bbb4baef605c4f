import { isIP } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { type Target, isAllowedAddress, readTarget } from './address.ts'
import { createConnections } from './connections.ts'
import { createDialer } from './dial.ts'
import { type Ends, PendingExchange } from './exchange.ts'
import { EgressError, notPublic } from './failure.ts'
import { type Address, createNameResolver } from './names.ts'
import { exchangeOf, maxTextRead, replyOf } from './results.ts'
import { type StreamRequest, type StreamedReply, stream } from './stream.ts'

export type { StreamedReply } from './stream.ts'

/** The addresses to which an exception applies. */
export type AddressRange = 'none' | 'loopback' | 'all'

export interface EgressOptions {
  /** Addresses that may be reached by http://. https:// is always allowed. */
  allowHttp: AddressRange
  /** Addresses that are allowed even though they are not public. */
  allowPrivate: AddressRange
  /** Resolves a host name. By default, queries the system's DNS servers. */
  resolve?: (hostname: string) => Promise<Address[]>
  /** Timeout of a whole exchange; 10,000 ms by default. */
  timeoutMs?: number
  /** An additional trusted certificate authority, as PEM. */
  ca?: string
}

/** The outcome of one POST. */
export interface Exchange {
  /**
   * HTTP status. Null if no complete response arrived within the timeout. A body is read up to 64 kB; a longer one
   * counts as complete.
   */
  status: number | null
  /** Whether a 2xx response arrived within the timeout. */
  ok: boolean
  /**
   * The first 1 kB of the response body, as text that PostgreSQL accepts: invalid UTF-8 and NUL are replaced with
   * U+FFFD. Null if no response arrived.
   */
  answer: string | null
  /** Why it failed, as a message for the customer's log. Null on success. */
  failure: string | null
  /** Milliseconds, an integer. */
  duration_ms: number
}

export interface Post {
  url: string
  headers: Record<string, string>
  body: string | Buffer
}

export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PROPFIND'
  url: string
  headers: Record<string, string>
  body?: string
  /** If sending cannot begin within this time, nothing is sent at all. The time includes connecting. */
  startMs: number
  /** Maximum size of the response body in bytes; 512 kB by default. */
  maxBytes?: number
}

/** The result of one request. */
export interface Reply {
  /** HTTP status, whatever it is. Null if no complete response arrived within the timeout. */
  status: number | null
  /** Names are in lowercase. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The response body. A response whose body exceeds `maxBytes` is not complete. */
  body: Buffer
  /** Why there is no complete response. */
  failure: string | null
  /** Whether any byte of the request may have been sent. If false, none will be. */
  sent: boolean
}

/**
 * The only way to send HTTP requests to URLs that a customer chose. The URL must be public, and so must all addresses
 * to which its name resolves. Connections go to the addresses that were checked, so changing the name in between (DNS
 * rebinding) has no effect. Redirects are not followed, and nothing is sent twice.
 */
export interface Egress extends AsyncDisposable {
  /** The issue of a URL, or undefined. Checks only the text and does not use the network. */
  issueOf(url: string): string | undefined
  /**
   * Like `issueOf`, but also resolves the name, for at most 2 s. A name that resolves to a forbidden address is an
   * issue. A name that does not resolve is not an issue, because it may resolve later.
   */
  inspect(url: string): Promise<string | undefined>
  /**
   * Sends at most one request. Never throws. Calls back exactly once, in a later turn of the event loop and at most
   * 0.3 s after the timeout. The caller limits how many run at a time. It takes a callback instead of returning a
   * promise because a worker sends tens of thousands per second. If the callback throws, that is an uncaught
   * exception.
   */
  post(request: Post, done: (exchange: Exchange) => void): void
  /** Sends at most one request and returns its response. Never rejects, and ends at most 0.3 s after the timeout. */
  send(request: Request): Promise<Reply>
  /**
   * Sends at most one request, and streams its body and the response body because they are too large for memory.
   * Resolves when the response begins. Rejects if no response begins. Both streams end with an error if no data moves
   * for as long as the timeout.
   */
  stream(request: StreamRequest): Promise<StreamedReply>
}

/** All exchanges share one timer. With one timer per exchange, throughput is a fifth lower. */
const sweepMs = 100

const inspectMs = 2_000

/** Maximum size of a response body that is returned whole, unless the request sets another limit. */
const maxBody = 524_288

type Running = Pick<PendingExchange<never>, 'startedAt' | 'expire' | 'fail'>

/** Maximum number of cached parsed URLs. A URL has at most 2,048 characters, so the cache takes at most 20 MB. */
const maxTargets = 10_000

/** Disposing of it ends all exchanges, which call back, and closes all connections. */
export function createEgress(options: EgressOptions): Egress {
  const { timeoutMs = 10_000 } = options
  const names = createNameResolver(options)
  const connections = createConnections(createDialer(options, names))
  const running = new Set<Running>()
  const targets = new Map<string, Target>()
  const within = `within ${timeoutMs / 1000} s`
  let sweeper: NodeJS.Timeout | undefined
  let stopped = false

  const endsOf = <R>(kind: Pick<Ends<R>, 'maxKept' | 'maxRead' | 'tooLong' | 'resultOf'>): Ends<R> => ({
    ...kind,
    timeoutMs,
    noConnection: `no connection ${within}`,
    noResponse: `no response ${within}`,
    over: (exchange) => void running.delete(exchange),
    deliver(exchange, result, done) {
      if (exchange.reusable) connections.release(exchange.connection)
      else connections.destroyConnection(exchange.connection)
      done(result)
    },
  })
  const posts = endsOf({ maxKept: maxTextRead, maxRead: 65_536, tooLong: null, resultOf: exchangeOf })
  const sendsOf = (maxBytes: number) =>
    endsOf({ maxKept: maxBytes, maxRead: maxBytes, tooLong: 'the response is too long', resultOf: replyOf })

  /**
   * Expires overdue exchanges. They are in order of their start and share one timeout, so stop at the first one that
   * is not overdue.
   */
  function sweep(): void {
    const startedBefore = performance.now() - timeoutMs
    for (const exchange of running) {
      if (exchange.startedAt > startedBefore) break
      exchange.expire()
    }
    if (running.size > 0) return
    clearInterval(sweeper)
    sweeper = undefined
  }

  function begin<R>(exchange: PendingExchange<R>, request: Dispatcher.DispatchOptions): void {
    running.add(exchange)
    sweeper ??= setInterval(sweep, sweepMs).unref()
    exchange.connection.client.dispatch(request, exchange)
  }

  function targetOf(url: string): Target | string {
    const known = targets.get(url)
    if (known !== undefined) return known
    const target = readTarget(url, options)
    if (typeof target === 'string') return target
    if (targets.size >= maxTargets) {
      const [oldest] = targets.keys()
      if (oldest !== undefined) targets.delete(oldest)
    }
    targets.set(url, target)
    return target
  }

  const issueOf = (url: string) => {
    const target = targetOf(url)
    return typeof target === 'string' ? target : undefined
  }

  return {
    issueOf,

    async inspect(url) {
      const target = targetOf(url)
      if (typeof target === 'string') return target
      if (isIP(target.hostname) !== 0) return undefined
      const stop = new AbortController()
      const time = sleep(inspectMs, undefined, { ref: false, signal: stop.signal })
      const addresses = await Promise.race([names.resolve(target.hostname), time]).catch(() => undefined)
      stop.abort()
      return addresses?.every(({ address }) => isAllowedAddress(address, options.allowPrivate)) === false
        ? notPublic
        : undefined
    },

    post({ url, headers, body }, done) {
      const target = targetOf(url)
      if (typeof target === 'string' || stopped) {
        const failure = typeof target === 'string' ? target : stopping
        process.nextTick(done, { status: null, ok: false, answer: null, failure, duration_ms: 0 })
        return
      }
      begin(new PendingExchange(connections.acquire(target.origin), posts, done), {
        path: target.path,
        method: 'POST',
        headers,
        body,
      })
    },

    async send({ method, url, headers, body = null, startMs, maxBytes = maxBody }) {
      const target = targetOf(url)
      if (typeof target === 'string' || stopped) {
        const failure = typeof target === 'string' ? target : stopping
        return { status: null, headers: {}, body: Buffer.alloc(0), failure, sent: false }
      }
      const { promise, resolve } = Promise.withResolvers<Reply>()
      const exchange = new PendingExchange(
        connections.acquire(target.origin, 2 * maxBytes),
        sendsOf(maxBytes),
        resolve,
      )
      const start = setTimeout(() => exchange.failUnsent(`no connection within ${startMs / 1000} s`), startMs)
      begin(exchange, { path: target.path, method, headers, body })
      const reply = await promise
      clearTimeout(start)
      return reply
    },

    async stream(request) {
      const target = targetOf(request.url)
      if (typeof target === 'string' || stopped)
        throw new EgressError(typeof target === 'string' ? target : stopping)
      return stream(connections, target, request, timeoutMs)
    },

    async [Symbol.asyncDispose]() {
      stopped = true
      for (const exchange of running) exchange.fail(stopping)
      clearInterval(sweeper)
      names.cancel()
      await connections.closeAll()
    },
  }
}

const stopping = 'interrupted: the server is stopping'
