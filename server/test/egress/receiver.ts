import { once } from 'node:events'
import { type AddressInfo, type Socket, createServer } from 'node:net'
import { type TlsOptions, createServer as createTlsServer } from 'node:tls'

/** A connection as a receiver's script sees it. */
export interface Visit {
  socket: Socket
  /** The number of earlier connections. */
  before: number
  /** Resolves when a whole request has arrived. Nothing is read before it is called. */
  asked(): Promise<void>
  /** Sends without waiting for the other side to read. */
  say(text: string | Buffer): void
  /** Sends the text repeatedly, as fast as it is read, `times` times or until the connection ends. */
  pour(text: string | Buffer, times: number): Promise<void>
}

export type Script = (visit: Visit) => void | Promise<void>

export interface Receiver extends AsyncDisposable {
  port: number
  connections: number
  /** Open connections. */
  readonly open: number
  /** Requests whose start has arrived. */
  requests: number
  /** Bytes sent. */
  sent: number
  /** Reads the rest of all connections that the other side has closed, and closes them too. */
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
  // Half-open, so that the script closes.
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

/** Resolves with the first of the events. Unlike `once`, it does not reject on errors. */
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
