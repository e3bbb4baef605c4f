import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const stopMs = 30_000

/**
 * A process of this directory that handles one question at a time. Disposing of it lets it exit, and kills it if it
 * does not.
 */
export interface Helper<Q, A> extends AsyncDisposable {
  pid: number
  ask(question: Q): Promise<A>
}

export async function startHelper<Q extends object, A>(file: string): Promise<Helper<Q, A>> {
  const child: ChildProcess = fork(fileURLToPath(new URL(file, import.meta.url)), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  return {
    pid: child.pid ?? 0,
    async ask(question) {
      child.send(question)
      const [reply] = await Promise.race([
        once(child, 'message'),
        ended.then(([code]) => {
          throw new Error(`${file} ended with ${code}.`)
        }),
      ])
      return reply as A
    },
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect()
      const timer = setTimeout(() => child.kill('SIGKILL'), stopMs)
      await ended
      clearTimeout(timer)
    },
  }
}

/** Runs in the helper process: replies to each question, and stops when the parent disconnects. */
export function serveParent<Q, A>(reply: (question: Q) => Promise<A>, stop: () => Promise<unknown>): void {
  process.on('message', (question: Q) => {
    reply(question).then(
      (value) => process.send?.(value as object),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`)
        process.exit(1)
      },
    )
  })
  process.once('disconnect', () => void stop())
}
