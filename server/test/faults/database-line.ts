import { once } from 'node:events'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'

/** A process's own way to PostgreSQL, which can be broken without anybody else noticing. */
export interface DatabaseLine extends AsyncDisposable {
  /** The database's URL by this way. */
  url: string
  /** The ports that PostgreSQL sees its connections come from. */
  ports(): (number | undefined)[]
  /** From now on what PostgreSQL says on these connections, or on all, is lost; what it is told still reaches it. */
  muffle(ports?: readonly number[]): void
  /** Resets these connections, or all. New ones are whole again. */
  cut(ports?: readonly number[]): void
}

interface Pair {
  near: Socket
  far: Socket
  muffled: boolean
}

export async function openLine(databaseUrl: string): Promise<DatabaseLine> {
  const { hostname, port } = new URL(databaseUrl)
  const pairs = new Set<Pair>()

  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: hostname, port: Number(port || 5432), noDelay: true })
    const pair: Pair = { near, far, muffled: false }
    pairs.add(pair)
    near.on('data', (chunk) => far.write(chunk))
    far.on('data', (chunk) => pair.muffled || near.write(chunk))
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
    async [Symbol.asyncDispose]() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
