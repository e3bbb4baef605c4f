import { isIP } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Target, isAllowedAddress, readTarget } from './address.ts'
import { createConnections } from './connections.ts'
import { createDialler } from './dial.ts'
import { type Ends, PendingExchange } from './exchange.ts'
import { notPublic } from './failure.ts'
import { type Address, createNames } from './names.ts'

/** How far an exception from the rule reaches. */
export type Reach = 'none' | 'loopback' | 'all'

export interface EgressOptions {
  /** http:// beside https://, to whom. */
  allowHttp: Reach
  /** Addresses that are not public, which. */
  allowPrivate: Reach
  /** Resolves a host name; the system's DNS servers by default. Tests hand in a resolver of their own. */
  resolve?: (hostname: string) => Promise<Address[]>
  /** Length of a whole exchange, 10_000 ms by default. */
  timeoutMs?: number
  /** A certificate authority that is trusted beside those of the system, as PEM. */
  ca?: string
}

/** What came of one POST. */
export interface Exchange {
  /** HTTP status; null when no complete answer came. */
  status: number | null
  /** A 2xx that arrived within the time, as far as it is read (64 kB). */
  ok: boolean
  /**
   * The first 1 kB of the answer as text that PostgreSQL takes: what is no UTF-8, and NUL, is replaced by U+FFFD. Empty
   * when the answer is; null when nothing of one came.
   */
  answer: string | null
  /** Why it is not a success, in words for the log that a customer reads; null on success. */
  failure: string | null
  /** Milliseconds, a whole number. */
  duration_ms: number
}

export interface Post {
  url: string
  headers: Record<string, string>
  body: string | Buffer
}

/**
 * The one door for HTTP to addresses that a customer chose. What they name must be public, by their looks and by what
 * their names resolve to; a connection goes to the very addresses that were checked, so a name that changes its mind in
 * between gains nothing. No redirect is followed, nothing is sent twice.
 */
export interface Egress extends AsyncDisposable {
  /** What is wrong with an address, by its looks alone; undefined when nothing is. Asks no network. */
  faultOf(url: string): string | undefined
  /**
   * The same, and the name is resolved too, for 2 s at most: a name that resolves to a forbidden address is a fault, one
   * that does not resolve (yet) is none.
   */
  inspect(url: string): Promise<string | undefined>
  /**
   * One POST, one request on the wire at most. Calls back exactly once, never in the turn of the call, and never throws.
   * It ends within the timeout and 0.3 s. How many run at a time is the caller's to bound. A callback and no promise,
   * for a worker that does tens of thousands a second; one that throws is an uncaught exception.
   */
  post(request: Post, done: (exchange: Exchange) => void): void
}

/** The timeouts of all exchanges share one timer: a timer each costs a fifth of the throughput. */
const sweepMs = 100

const inspectMs = 2_000

/** Addresses are read once; a text has at most 2048 characters, so this is 20 MB at the very most. */
const maxTargets = 10_000

/** Disposing it cuts what is in flight, with every callback still called, and closes all connections. */
export function createEgress(options: EgressOptions): Egress {
  const { timeoutMs = 10_000 } = options
  const names = createNames(options)
  const connections = createConnections(createDialler(options, names))
  const running = new Set<PendingExchange>()
  const targets = new Map<string, Target>()
  const within = `within ${timeoutMs / 1000} s`
  let sweeper: NodeJS.Timeout | undefined
  let stopped = false

  const ends: Ends = {
    timeoutMs,
    noConnection: `no connection ${within}`,
    noAnswer: `no answer ${within}`,
    over: (exchange) => void running.delete(exchange),
    deliver(exchange, result, done) {
      if (exchange.reusable) connections.giveBack(exchange.connection)
      else connections.cut(exchange.connection)
      done(result)
    },
  }

  /** All have the same time and stand in the order of their beginning: the first that may go on ends the walk. */
  function sweep(): void {
    const begunBefore = performance.now() - timeoutMs
    for (const exchange of running) {
      if (exchange.begun > begunBefore) break
      exchange.expire()
    }
    if (running.size > 0) return
    clearInterval(sweeper)
    sweeper = undefined
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

  const faultOf = (url: string) => {
    const target = targetOf(url)
    return typeof target === 'string' ? target : undefined
  }

  return {
    faultOf,

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
      const connection = connections.take(target.origin)
      const exchange = new PendingExchange(connection, ends, done)
      running.add(exchange)
      sweeper ??= setInterval(sweep, sweepMs).unref()
      connection.client.dispatch({ path: target.path, method: 'POST', headers, body }, exchange)
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
