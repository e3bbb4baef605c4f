import { parentPort } from 'node:worker_threads'
import { meanCpuOf } from './cpu.ts'
import { readers } from './foreign-text.ts'

/** Responds with the CPU time of a reader for a text of this size. */
parentPort?.on('message', async ({ at, size }: { at: number; size: number }) => {
  parentPort?.postMessage(await meanCpuOf(() => readers[at]?.[2](size)))
})
