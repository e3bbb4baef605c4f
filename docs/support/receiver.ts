import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A receiver of webhooks on this machine. Disposing of it stops it. */
export interface Receiver extends Disposable {
  url: string
  received: { headers: Record<string, string>; body: string }[]
}

export async function startReceiver(): Promise<Receiver> {
  const received: Receiver['received'] = []
  const server = createServer(async (request, response) => {
    // Without those that a client writes itself.
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers
    received.push({ headers: headers as Record<string, string>, body: await text(request) })
    response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/gable`,
    received,
    [Symbol.dispose]: () => void server.close(),
  }
}
