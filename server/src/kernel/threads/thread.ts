import { parentPort } from 'node:worker_threads'

/** A reading, as it is sent to a thread: the function of this name in that module, and what it reads. */
export interface Reading {
  module: string
  name: string
  given: readonly unknown[]
}

/** `spentMs`: the CPU time that the thread has used so far. */
export type ReadingResult = { spentMs: number } & ({ value: unknown } | { error: unknown })

/** What runs in a thread: one reading after another. */
parentPort?.on('message', async ({ module, name, given }: Reading) => {
  const respond = (result: { value: unknown } | { error: unknown }) => {
    const { user, system } = process.threadCpuUsage()
    parentPort?.postMessage({ ...result, spentMs: (user + system) / 1000 } satisfies ReadingResult)
  }
  try {
    const { [name]: read } = (await import(module)) as Record<
      string,
      (...given: readonly unknown[]) => unknown
    >
    respond({ value: await read?.(...given) })
  } catch (error) {
    respond({ error })
  }
})
