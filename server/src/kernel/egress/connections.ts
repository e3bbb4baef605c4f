import type { Socket } from 'node:net'
import { Client } from 'undici'
import type { Dial } from './dial.ts'
import { EgressError } from './failure.ts'

/** One connection. It runs one exchange at a time. */
export interface Connection {
  readonly origin: string
  readonly client: Client
  /** How often the current exchange has tried to connect. */
  connectAttempts: number
  /** The current or last socket. */
  socket: Socket | undefined
  /** Maximum number of bytes that the current exchange may receive. */
  allowance: number
  /** Maximum value of `socket.bytesRead` in the current exchange. */
  readLimit: number
  /** Whether it is available for an exchange. */
  idle: boolean
  /** Cancels an attempt to connect. */
  cancelConnect: () => void
}

export interface Connections {
  /**
   * Returns an idle connection to this origin, or a new one. Release or destroy it afterwards. `allowance`: bytes; 1
   * MB by default.
   */
  acquire(origin: string, allowance?: number): Connection
  release(connection: Connection): void
  destroyConnection(connection: Connection): void
  closeAll(): Promise<void>
}

/** Maximum number of idle connections across all origins. Beyond it, a released connection is closed. */
const maxIdle = 1_000

/**
 * An idle connection is closed after `idleMs`, or, if the receiver announces a keep-alive timeout, 2 s before that,
 * but after at most `maxIdleMs`.
 */
const idleMs = 4_000
const maxIdleMs = 60_000

/**
 * Maximum number of bytes received in one exchange, including bytes outside the response: undici would read blank
 * lines before a response forever.
 */
const maxRead = 1_048_576

/**
 * Keeps connections for later exchanges. Each is an undici Client instead of part of a Pool. So destroying it ends
 * everything started for its exchange, an unused connection leaves nothing behind, and undici never has a second
 * request to resend.
 */
export function createConnections(dial: Dial): Connections {
  /** Idle connections by origin. The most recent is last and is used first. */
  const store = new Map<string, Connection[]>()
  const busy = new Set<Connection>()
  let idle = 0

  function create(origin: string): Connection {
    const client = new Client(origin, {
      // If an idle connection is closed before anything was sent, undici reconnects. Allow only one attempt: with a
      // receiver that responds before it gets a request, undici would reconnect forever.
      connect(place, callback) {
        connection.connectAttempts += 1
        if (connection.connectAttempts > 1)
          return callback(new EgressError('the connection was closed at once'), null)
        connection.cancelConnect = dial(place, (error, socket) => {
          if (error !== null) return callback(error, null)
          connection.socket = socket
          connection.readLimit = connection.allowance
          socket.on('readable', () => {
            if (socket.bytesRead > connection.readLimit)
              socket.destroy(new EgressError('the response is too long'))
          })
          return callback(null, socket)
        })
      },
      allowH2: false,
      pipelining: 1,
      maxHeaderSize: 16_384,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: maxIdleMs,
      // The exchange has its own timeout. undici's timeouts limit the time between two bytes.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const connection: Connection = {
      origin,
      client,
      connectAttempts: 0,
      socket: undefined,
      allowance: maxRead,
      readLimit: maxRead,
      idle: false,
      cancelConnect: () => {},
    }
    client.on('disconnect', () => {
      if (connection.idle) discard(connection)
    })
    return connection
  }

  function discard(connection: Connection): void {
    const stored = store.get(connection.origin)
    const at = stored?.indexOf(connection) ?? -1
    if (stored !== undefined && at >= 0) {
      stored.splice(at, 1)
      idle -= 1
      if (stored.length === 0) store.delete(connection.origin)
    }
    connection.idle = false
    connection.client.destroy(null, () => {})
  }

  return {
    acquire(origin, allowance = maxRead) {
      const stored = store.get(origin)
      const connection = stored?.pop() ?? create(origin)
      if (connection.idle) idle -= 1
      if (stored?.length === 0) store.delete(origin)
      connection.idle = false
      connection.connectAttempts = 0
      connection.allowance = allowance
      connection.readLimit = (connection.socket?.bytesRead ?? 0) + allowance
      busy.add(connection)
      return connection
    },

    release(connection) {
      busy.delete(connection)
      const { socket } = connection
      // A receiver may respond before it has read the whole request. The unsent rest would delay the next request.
      const open = socket !== undefined && !socket.destroyed && socket.writableLength === 0
      if (!open || idle >= maxIdle) return discard(connection)
      const stored = store.get(connection.origin)
      if (stored === undefined) store.set(connection.origin, [connection])
      else stored.push(connection)
      connection.idle = true
      idle += 1
    },

    destroyConnection(connection) {
      busy.delete(connection)
      connection.client.destroy(null, () => {})
      connection.cancelConnect()
    },

    async closeAll() {
      const all = [...busy, ...[...store.values()].flat()]
      store.clear()
      busy.clear()
      idle = 0
      await Promise.all(
        all.map(({ client, cancelConnect }) => {
          cancelConnect()
          return client.destroy()
        }),
      )
    },
  }
}
