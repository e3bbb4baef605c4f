import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

/** The one of before if it is free, so that the address stays, or else any. */
export async function choosePort(before: number): Promise<number> {
  if (before !== 0 && (await isFree(before))) return before
  for (let attempt = 0; attempt < 100; attempt++) {
    // Below the range that systems take for outgoing connections: there, one that retries while PostgreSQL is away
    // may be given the very port it dials, connect to itself, and keep PostgreSQL from coming back.
    const port = randomInt(15_000, 30_000)
    if (await isFree(port)) return port
  }
  throw new EmbeddedPostgresError('No free port on 127.0.0.1 was found for PostgreSQL.')
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.on('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)))
  })
}
