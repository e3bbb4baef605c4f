import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface ServerProcess extends AsyncDisposable {
  /** http://host:port */
  url: string
  pid: number | undefined
}

/** The message to a server process, and its reply. */
export interface Start {
  databaseUrl: string
  /** Whether the product keeps a log of requests. It does by default. */
  logsRequests?: boolean
}
export interface Started {
  url: string
}

const startMs = 15_000
const stopMs = 5_000

/** Starts a server of this directory in a separate process. Disposing of it stops the process. */
export async function startServer(
  file: string,
  databaseUrl: string,
  options: Omit<Start, 'databaseUrl'> = {},
): Promise<ServerProcess> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  child.send({ databaseUrl, ...options } satisfies Start)
  const reply = await Promise.race([
    once(child, 'message', { signal: AbortSignal.timeout(startMs) }),
    ended.then(([code]) => {
      throw new Error(`${file} ended with ${code} before it listened.`)
    }),
  ])
  const { url } = reply[0] as Started
  return {
    url,
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect()
      const timer = setTimeout(() => child.kill('SIGKILL'), stopMs)
      await ended
      clearTimeout(timer)
    },
  }
}

/** Runs in the server process: starts on the message, reports the URL, and stops when the parent disconnects. */
export async function serve(
  start: (databaseUrl: string, start: Start) => Promise<{ url: string; stop(): Promise<unknown> }>,
): Promise<void> {
  const [message] = await once(process, 'message')
  const { url, stop } = await start((message as Start).databaseUrl, message as Start)
  process.once('disconnect', () => void stop())
  process.send?.({ url } satisfies Started)
}
