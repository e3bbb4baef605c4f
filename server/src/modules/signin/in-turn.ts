import { Unavailable } from '#kernel/errors.ts'

/** Hashes at once: each holds one of the threads that files and names of hosts wait for, too, and 19 MiB. */
const atOnce = 2
/** Who waits longer than these many is told to come again. */
const maxWaiting = 100

let running = 0
const waiting: (() => void)[] = []

/** Does costly work when it is its turn. Throws Unavailable where too many wait already. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) {
    if (waiting.length >= maxWaiting) throw Unavailable()
    await new Promise<void>((resolve) => void waiting.push(resolve))
  } else {
    running += 1
  }
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
}
