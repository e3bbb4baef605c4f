import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Taken {
  headers: IncomingHttpHeaders
  body: string
}

/** An endpoint that accepts every request and keeps them in order of arrival. */
export interface TakingReceiver extends AsyncDisposable {
  url: string
  taken: Taken[]
  /** Responds to the requests that are held. */
  respondToAll(body: string): void
}

/** `held`: respond only when `respondToAll` is called. Otherwise responds at once. */
export async function takingReceiver({ held = false, status = 200 } = {}): Promise<TakingReceiver> {
  const taken: Taken[] = []
  let waiting: ServerResponse[] = []
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    taken.push({ headers: request.headers, body })
    if (held) waiting.push(response)
    else response.writeHead(status).end('ok')
  }
  const server = createServer((request, response) => {
    // A request whose sender hung up before its end does not count as taken.
    take(request, response).catch(() => response.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    taken,
    respondToAll(body) {
      for (const response of waiting) response.writeHead(status).end(body)
      waiting = []
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
