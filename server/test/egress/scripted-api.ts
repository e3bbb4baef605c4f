import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEgress } from '#kernel/egress/create-egress.ts'

/** The API's response to a path with its query: a body, or a status with a body. Undefined means 404. */
export type Responses = (path: string) => unknown

export const withStatus = (status: number, body: unknown = {}) => ({ scriptedStatus: status, body })

/**
 * Starts an API on loopback with these responses. Returns the place where an adapter finds it, and the requests it has
 * received.
 */
export async function startScriptedApi(responses: Responses, { timeoutMs = 3_000 } = {}) {
  const requested: string[] = []
  const server = createServer((request, response) => {
    requested.push(`${request.method} ${request.url}`)
    const said = responses(request.url ?? '')
    const { scriptedStatus = said === undefined ? 404 : 200, body = said } = {
      ...(said as { scriptedStatus?: number; body?: unknown } | undefined),
    }
    response.writeHead(scriptedStatus).end(typeof body === 'string' ? body : JSON.stringify(body ?? {}))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const egress = createEgress({ allowHttp: 'loopback', allowPrivate: 'loopback', timeoutMs })
  return {
    place: { egress, simulatedUrl: () => `http://127.0.0.1:${port}` },
    requested,
    async [Symbol.asyncDispose]() {
      await egress[Symbol.asyncDispose]()
      server.close()
      server.closeAllConnections()
    },
  }
}
