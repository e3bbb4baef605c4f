import { type Server, type Socket, createServer } from 'node:net'
import { serveParent } from './processes.ts'

export type ReceiverQuestion = { ask: 'listen' } | { ask: 'forget' } | { ask: 'count' } | { ask: 'arrivals' }

export interface Arrivals {
  port: number
  count: number
  /** Epoch milliseconds of the first and the last arrival. */
  first: number
  last: number
  /** The first arrival of each event, in epoch milliseconds. */
  byEvent: [string, number][]
}

const response = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
const headEnd = Buffer.from('\r\n\r\n')

let arrivals: Omit<Arrivals, 'port' | 'byEvent'> = { count: 0, first: 0, last: 0 }
let byEvent = new Map<string, number>()

/**
 * A receiver that costs as little as possible, so that the benchmark measures the sender. It reads HTTP/1.1 with
 * Content-Length and responds 200. Requests to /dead get no response.
 */
function serve(socket: Socket): void {
  let rest: Buffer = Buffer.alloc(0)
  socket.setNoDelay(true)
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (;;) {
      const end = rest.indexOf(headEnd)
      if (end < 0) return
      const head = rest.toString('latin1', 0, end)
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (rest.length < end + 4 + length) return
      rest = rest.subarray(end + 4 + length)
      arrived(/webhook-id: (\w+)/i.exec(head)?.[1] ?? '')
      if (!head.startsWith('POST /dead')) socket.write(response)
    }
  })
}

function arrived(event: string): void {
  const now = Date.now()
  if (arrivals.count++ === 0) arrivals.first = now
  arrivals.last = now
  if (!byEvent.has(event)) byEvent.set(event, now)
}

const server: Server = createServer(serve)
const sockets = new Set<Socket>()
server.on('connection', (socket: Socket) => {
  sockets.add(socket)
  socket.on('close', () => sockets.delete(socket))
})

serveParent<ReceiverQuestion, Arrivals>(
  async ({ ask }) => {
    if (ask === 'listen') await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    if (ask === 'forget') {
      arrivals = { count: 0, first: 0, last: 0 }
      byEvent = new Map()
    }
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    return { port, ...arrivals, byEvent: ask === 'arrivals' ? [...byEvent] : [] }
  },
  async () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  },
)
