import { once } from 'node:events'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'

/** A TCP proxy to a server of mailboxes, which holds a command where a test says so. */
export interface MailboxLine extends AsyncDisposable {
  port: number
  /** Holds the next commands from this one on. The promise resolves when it has held one, with a function that forwards them. */
  hold(command: RegExp): Promise<() => void>
}

export async function openMailboxLine(port: number): Promise<MailboxLine> {
  const sockets = new Set<Socket>()
  let sought: RegExp | undefined
  let held = Promise.withResolvers<() => void>()
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: '127.0.0.1', port, noDelay: true })
    let kept: Buffer[] | undefined
    near.on('data', (chunk: Buffer) => {
      if (sought?.test(chunk.toString('latin1'))) {
        sought = undefined
        kept = []
        held.resolve(() => {
          for (const one of kept ?? []) far.write(one)
          kept = undefined
        })
      }
      if (kept === undefined) far.write(chunk)
      else kept.push(chunk)
    })
    far.on('data', (chunk) => near.write(chunk))
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    hold(command) {
      sought = command
      held = Promise.withResolvers()
      return held.promise
    },
    async [Symbol.asyncDispose]() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}
