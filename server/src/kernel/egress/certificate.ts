import { once } from 'node:events'
import { connect } from 'node:tls'
import type { Egress } from './egress.ts'
import type { Server } from './rules.ts'

/**
 * When the certificate of a server expires, valid or not. Rejects if the server does not respond or does not speak TLS.
 * The connection goes where the egress allows, sends nothing, and is closed.
 */
export async function certificateEnd(
  egress: Pick<Egress, 'connect'>,
  server: Server,
  signal: AbortSignal,
): Promise<Date> {
  const raw = await egress.connect(server, signal)
  // Only its date is read: whether the certificate is trusted is what a request shows.
  const socket = connect({ socket: raw, servername: server.host, rejectUnauthorized: false })
  try {
    await once(socket, 'secureConnect', { signal })
    return new Date(socket.getPeerCertificate().valid_to)
  } finally {
    socket.destroy()
    raw.destroy()
  }
}
