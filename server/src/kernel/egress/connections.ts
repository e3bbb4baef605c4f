import type { Socket } from 'node:net'
import { Client } from 'undici'
import type { Dial } from './dial.ts'
import { Refusal } from './failure.ts'

/** One connection at a time, for one exchange at a time. */
export interface Connection {
  readonly origin: string
  readonly client: Client
  /** Connections begun for the exchange of the moment. */
  begun: number
  /** Of the connection that is open, or was. */
  socket: Socket | undefined
  /** How much may have come through the socket by the end of the exchange, in bytes. */
  allowance: number
  /** In store, waiting for an exchange. */
  idle: boolean
  /** Ends the attempt to connect, if one is under way. */
  hangUp: () => void
}

export interface Connections {
  /** An idle one to this origin, or a new one. It belongs to the taker until it is given back or cut. */
  take(origin: string): Connection
  giveBack(connection: Connection): void
  cut(connection: Connection): void
  closeAll(): Promise<void>
}

/** Idle connections to all origins; one that becomes free beyond that is closed instead. */
const maxIdle = 1_000

/** An idle connection is closed after this, or 2 s before the time that the receiver names, but after a minute at most. */
const idleMs = 4_000
const maxIdleMs = 60_000

/**
 * Bytes that one exchange may bring, whatever they are: blank lines before the answer and the like are not part of it,
 * and undici reads them without end.
 */
const maxRead = 1_048_576

/**
 * Connections that are kept for the next exchange. Each is an undici client of its own and not one of a Pool, so that
 * cutting an exchange ends what was begun for it, a connection that nobody uses leaves nothing behind, and undici never
 * has a second request that it could send again.
 */
export function createConnections(dial: Dial): Connections {
  /** By origin; those idle for the shortest time are last and taken first. An origin without connections has no entry. */
  const store = new Map<string, Connection[]>()
  const busy = new Set<Connection>()
  let idle = 0

  function create(origin: string): Connection {
    const client = new Client(origin, {
      // undici connects anew by itself when an idle connection turns out to be closed before anything was sent. That
      // is welcome once; a receiver that speaks before it is asked would otherwise be connected to without end.
      connect(place, callback) {
        connection.begun += 1
        if (connection.begun > 1) return callback(new Refusal('the connection was closed at once'), null)
        connection.hangUp = dial(place, (error, socket) => {
          if (error !== null) return callback(error, null)
          connection.socket = socket
          connection.allowance = maxRead
          socket.on('readable', () => {
            if (socket.bytesRead > connection.allowance) socket.destroy(new Refusal('the answer is endless'))
          })
          return callback(null, socket)
        })
      },
      allowH2: false,
      pipelining: 1,
      maxHeaderSize: 16_384,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: maxIdleMs,
      // The whole exchange has a timeout of its own; undici's are per pause between two bytes.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const connection: Connection = {
      origin,
      client,
      begun: 0,
      socket: undefined,
      allowance: maxRead,
      idle: false,
      hangUp: () => {},
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
    take(origin) {
      const stored = store.get(origin)
      const connection = stored?.pop() ?? create(origin)
      if (connection.idle) idle -= 1
      if (stored?.length === 0) store.delete(origin)
      connection.idle = false
      connection.begun = 0
      connection.allowance = (connection.socket?.bytesRead ?? 0) + maxRead
      busy.add(connection)
      return connection
    },

    giveBack(connection) {
      busy.delete(connection)
      const { socket } = connection
      // A receiver may answer before it has read all that was sent; what is left would delay the next request.
      const open = socket !== undefined && !socket.destroyed && socket.writableLength === 0
      if (!open || idle >= maxIdle) return discard(connection)
      const stored = store.get(connection.origin)
      if (stored === undefined) store.set(connection.origin, [connection])
      else stored.push(connection)
      connection.idle = true
      idle += 1
    },

    cut(connection) {
      busy.delete(connection)
      connection.client.destroy(null, () => {})
      connection.hangUp()
    },

    async closeAll() {
      const all = [...busy, ...[...store.values()].flat()]
      store.clear()
      busy.clear()
      idle = 0
      await Promise.all(
        all.map(({ client, hangUp }) => {
          hangUp()
          return client.destroy()
        }),
      )
    },
  }
}
