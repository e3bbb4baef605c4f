import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Callback } from '../../src/modules/messages/ports.ts'

/** A callback that arrived, with its form parsed. */
export interface Arrived extends Callback {
  form: Record<string, string>
}

export interface Response {
  status: number
  body?: string
}

/** A server that takes and stores callbacks below `/callbacks/{provider}/{connection}/`. */
export async function startCallbackServer(respond: (arrived: Arrived) => Response) {
  const arrived: Arrived[] = []
  const waiting = new Set<() => void>()
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const one: Arrived = {
      method: request.method === 'GET' ? 'GET' : 'POST',
      path: request.url?.replace(/^\/callbacks\/[^/]+\/[^/]+\//, '') ?? '',
      url: origin + request.url,
      headers: request.headers as Arrived['headers'],
      body: Buffer.from(text),
      form: Object.fromEntries(new URLSearchParams(text)),
    }
    arrived.push(one)
    const { status, body } = respond(one)
    response.writeHead(status).end(body)
    for (const look of waiting) look()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    arrived,
    /** Waits until the condition holds for the callbacks that have arrived. */
    async until(isTrue: () => boolean): Promise<void> {
      while (!isTrue()) {
        const { promise, resolve } = Promise.withResolvers<void>()
        waiting.add(resolve)
        await promise
        waiting.delete(resolve)
      }
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}
