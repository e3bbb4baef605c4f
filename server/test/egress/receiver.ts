import { once } from 'node:events'
import { type AddressInfo, type Socket, createServer } from 'node:net'
import { type TlsOptions, createServer as createTlsServer } from 'node:tls'

/** A connection in a receiver's script. */
export interface Visit {
  socket: Socket
  /** The number of earlier connections. */
  before: number
  /** Resolves when a complete request has arrived. Nothing is read before the first call. */
  asked(): Promise<void>
  /** Sends without waiting for the other side to read it. */
  say(text: string | Buffer): void
  /** Sends the text repeatedly, as fast as the other side reads it, `times` times or until the connection ends. */
  pour(text: string | Buffer, times: number): Promise<void>
}

export type Script = (visit: Visit) => void | Promise<void>

export interface Receiver extends AsyncDisposable {
  port: number
  connections: number
  /** Open connections. */
  readonly open: number
  /** Requests that have begun to arrive. */
  requests: number
  /** Bytes sent on closed connections. */
  sent: number
  /** Reads the rest of all open connections until the other side closes them, then closes them too. */
  quiet(): Promise<void>
}

/** A server on 127.0.0.1 that runs the script for each connection. */
export async function startReceiver(script: Script, tls?: TlsOptions): Promise<Receiver> {
  const open = new Set<Socket>()
  const receive = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      open.delete(socket)
      receiver.sent += socket.bytesWritten
    })
    const visit = visitOf(socket, receiver)
    receiver.connections += 1
    Promise.resolve(script(visit)).catch(() => socket.destroy())
  }
  // Half-open, so that the script decides when to close.
  const server =
    tls === undefined
      ? createServer({ pauseOnConnect: true, allowHalfOpen: true }, receive)
      : createTlsServer({ pauseOnConnect: true, ...tls }, receive)
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: Receiver = {
    port: (server.address() as AddressInfo).port,
    connections: 0,
    get open() {
      return open.size
    },
    requests: 0,
    sent: 0,
    async quiet() {
      for (const socket of open) {
        socket.resume()
        if (!socket.readableEnded) await first(socket, 'end', 'close')
        socket.destroy()
        if (open.has(socket)) await first(socket, 'close')
      }
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}

/** Resolves on the first of these events. Unlike `once`, it does not reject on errors. */
const first = (socket: Socket, ...events: string[]) =>
  new Promise<void>((resolve) => {
    for (const event of events) socket.once(event, () => resolve())
  })

function visitOf(socket: Socket, receiver: Receiver): Visit {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    receiver.requests += text.match(/POST \//g)?.length ?? 0
    text = text.replaceAll('POST /', '')
  })
  socket.pause()
  return {
    socket,
    before: receiver.connections,
    async asked() {
      socket.resume()
      while (!isWhole(text)) await once(socket, 'data')
      text = ''
    },
    say: (said) => void socket.write(said),
    async pour(said, times) {
      for (let i = 0; i < times && !socket.destroyed; i++) {
        if (!socket.write(said)) await first(socket, 'drain', 'close')
      }
    },
  }
}

function isWhole(request: string): boolean {
  const [head, ...body] = request.split('\r\n\r\n')
  const length = Number(/^content-length: (\d+)$/im.exec(head ?? '')?.[1] ?? Infinity)
  return body.join('\r\n\r\n').length >= length
}
