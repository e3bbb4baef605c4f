import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { type Target, notPublic, readServer, readTarget } from './address.ts'
import { createConnections } from './connections.ts'
import { createDialer } from './dial.ts'
import type { Egress, EgressOptions, Reply } from './egress.ts'
import { type Ends, PendingExchange } from './exchange.ts'
import { EgressError, reasonOf } from './failure.ts'
import { AddressRejected, createLocate, fixedLookup } from './locate.ts'
import { createNameResolver } from './names.ts'
import { exchangeOf, maxTextRead, replyOf } from './results.ts'
import type { Server } from './rules.ts'
import { stream } from './stream.ts'

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
  const locate = createLocate(options, names)
  const connections = createConnections(createDialer(options, locate))
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

  async function lookupOf(server: Server) {
    const host = readServer(server, options)
    if (host === notPublic) throw new AddressRejected()
    if (typeof host === 'string' || stopped) throw new EgressError(typeof host === 'string' ? host : stopping)
    return fixedLookup(await locate(host))
  }

  return {
    issueOf,

    async inspect(place) {
      const target = typeof place === 'string' ? targetOf(place) : readServer(place, options)
      if (typeof target === 'string') return target
      const stop = new AbortController()
      const time = sleep(inspectMs, undefined, { ref: false, signal: stop.signal })
      const found = await Promise.race([locate(target), time]).catch((error: unknown) => error)
      stop.abort()
      return found instanceof AddressRejected ? found.message : undefined
    },

    async connect(server, signal) {
      const lookup = await lookupOf(server)
      signal.throwIfAborted()
      const socket = connectTcp({ ...server, lookup, noDelay: true })
      try {
        await once(socket, 'connect', { signal })
        return socket
      } catch (error) {
        socket.destroy()
        throw new EgressError(reasonOf(error), { cause: error })
      }
    },

    lookup: lookupOf,

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
