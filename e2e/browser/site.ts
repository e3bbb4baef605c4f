import { once } from 'node:events'
import { type RequestListener, createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { generate } from 'selfsigned'

/** A third party's site, on this machine. */
export interface Site extends AsyncDisposable {
  port: number
  /** Paths with their queries, as they were asked for. */
  asked: string[]
}

/** Serves this page under every path, over https with a self-signed certificate if `tls` is set. */
export async function startSite(
  body: string,
  { host = '127.0.0.1', tls = false }: { host?: string; tls?: boolean } = {},
): Promise<Site> {
  const asked: string[] = []
  const respond: RequestListener = (request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(body)
  }
  const server = tls ? createTlsServer(await certificate(), respond) : createServer(respond)
  await once(server.listen(0, host), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function certificate() {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'mirror.example' }])
  return { key, cert }
}
