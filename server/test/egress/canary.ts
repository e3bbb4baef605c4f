import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** Counts and closes the connections to a port. By default it listens on all addresses of this machine. */
export interface Canary extends AsyncDisposable {
  port: number
  connections: number
}

export async function startCanary(place: { host?: string; port?: number } = {}): Promise<Canary> {
  const server = createServer((socket) => {
    canary.connections += 1
    socket.on('error', () => {}).destroy()
  })
  // `::` accepts IPv4 as well.
  server.listen({ host: '::', port: 0, ...place })
  await once(server, 'listening')
  const canary: Canary = {
    port: (server.address() as AddressInfo).port,
    connections: 0,
    async [Symbol.asyncDispose]() {
      server.close()
      await once(server, 'close')
    },
  }
  return canary
}
