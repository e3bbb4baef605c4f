import { once } from 'node:events'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'

/** A TCP proxy to PostgreSQL that can fail without affecting other connections. */
export interface DatabaseLine extends AsyncDisposable {
  /** The database's URL through the proxy. */
  url: string
  /** The client ports that PostgreSQL sees. */
  ports(): (number | undefined)[]
  /** Drops PostgreSQL's responses on these connections, or on all. Queries still arrive. */
  muffle(ports?: readonly number[]): void
  /** Resets these connections, or all. New ones work. */
  cut(ports?: readonly number[]): void
  /** Drops all bytes in both directions, as if the host had vanished. New connections are accepted and stay silent. */
  vanish(): void
  /** Forwards new connections again. Those opened before stay silent. */
  restore(): void
}

interface Pair {
  near: Socket
  far: Socket
  muffled: boolean
  silent: boolean
}

export async function openLine(databaseUrl: string): Promise<DatabaseLine> {
  const { hostname, port } = new URL(databaseUrl)
  const pairs = new Set<Pair>()
  let vanished = false

  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: hostname, port: Number(port || 5432), noDelay: true })
    const pair: Pair = { near, far, muffled: false, silent: vanished }
    pairs.add(pair)
    near.on('data', (chunk) => pair.silent || far.write(chunk))
    far.on('data', (chunk) => pair.muffled || pair.silent || near.write(chunk))
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => {
        pairs.delete(pair)
        other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)

  const those = (ports: readonly number[] | undefined) =>
    [...pairs].filter(({ far }) => ports === undefined || ports.includes(far.localPort ?? 0))

  function cut(ports?: readonly number[]): void {
    for (const { near, far } of those(ports)) {
      near.resetAndDestroy()
      far.resetAndDestroy()
    }
  }
  return {
    url: url.href,
    ports: () => [...pairs].map(({ far }) => far.localPort),
    muffle(ports) {
      for (const pair of those(ports)) pair.muffled = true
    },
    cut,
    vanish() {
      vanished = true
      for (const pair of pairs) pair.silent = true
    },
    restore: () => void (vanished = false),
    async [Symbol.asyncDispose]() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
