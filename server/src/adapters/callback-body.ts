import { TooMuchWork, inThread } from '#kernel/threads/in-thread.ts'

/** A body of this length is read at once. A longer one may take seconds, in which the server would serve no one. */
const atOnceBytes = 64 * 1024

/**
 * Makes a function that reads the bodies of callbacks read long ones in a thread. Give its module's URL and its name there; see
 * `inThread`. A body that takes too much work is read as one that says nothing. `then` makes the result from what the body says.
 */
export function callbackReader<R>(read: (body: Uint8Array) => R, module: string) {
  const elsewhere = inThread<typeof read>(module, read.name)
  return <T>(body: Uint8Array, then: (said: R | Awaited<R>) => T): T | Promise<T> =>
    body.length <= atOnceBytes
      ? then(read(body))
      : elsewhere(body).then(then, (error: unknown) => {
          if (error instanceof TooMuchWork) return then(read(nothing))
          throw error
        })
}

const nothing = new TextEncoder().encode('{}')
