import { setTimeout as elapse } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { ReadingResult, Reading } from './thread.ts'

/** What one reading may take. A machine that is busy with other work may take longer, so the wall clock allows more. */
export const readingLimits = { cpuMs: 2000, wallMs: 20_000 }

const memory = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }

/** So that one text that takes long does not hold up all others. */
const maxThreads = 2

/** A thread without work ends after this time: most servers read no mail for hours. */
const idleMs = 10_000

/** A text took more time or memory than it may take to be read. */
export class TooMuchWork extends Error {}

type Reader = (...given: never[]) => unknown

/**
 * Makes a function of a module run in a thread, so that the text of others cannot stop the thread that serves. Give
 * the module's URL, and the name under which it exports the function. What the function takes and returns is copied.
 * Rejects with `TooMuchWork` beyond the limits. Threads start when they are needed, and do not keep a process alive
 * unless they read. Callers wait for their turn, so no more readings wait than callers.
 */
export const inThread =
  <F extends Reader>(module: string, name: string, limits = readingLimits) =>
  (...given: Parameters<F>): Promise<Awaited<ReturnType<F>>> => {
    const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<F>>>()
    waiting.push({
      reading: { module, name, given },
      limits,
      resolve: resolve as (value: unknown) => void,
      reject,
    })
    assign()
    return promise
  }

interface Job {
  reading: Reading
  limits: typeof readingLimits
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

interface Thread {
  worker: Worker
  job: Job | undefined
  /** The CPU time before the present reading. What a new thread loads counts to its first one. */
  spentMs: number
  /** Ends what watches the present reading, or the rest. */
  watch: AbortController
}

const waiting: Job[] = []
/** All that have not ended. One that is being ended has its job until then. */
const threads = new Set<Thread>()

function assign(): void {
  while (waiting.length > 0) {
    const free = [...threads].find(({ job }) => job === undefined)
    if (free === undefined && threads.size >= maxThreads) return
    const job = waiting.shift()
    if (job !== undefined) begin(free ?? start(), job)
  }
}

function start(): Thread {
  const worker = new Worker(new URL('thread.ts', import.meta.url), {
    resourceLimits: memory,
    // It reads what others wrote: it gets no secrets.
    env: {},
    execArgv: [],
  })
  const thread: Thread = { worker, job: undefined, spentMs: 0, watch: new AbortController() }
  threads.add(thread)
  worker.on('message', (result: ReadingResult) => settle(thread, result))
  worker.on('error', (error: NodeJS.ErrnoException) => {
    thread.job?.reject(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new TooMuchWork('It takes too much memory to read.')
        : error,
    )
  })
  worker.on('exit', () => {
    thread.watch.abort()
    thread.job?.reject(new Error('The thread has ended.'))
    threads.delete(thread)
    assign()
  })
  return thread
}

function begin(thread: Thread, job: Job): void {
  thread.watch.abort()
  thread.watch = new AbortController()
  thread.job = job
  thread.worker.ref()
  thread.worker.postMessage(job.reading)
  endBeyond(thread, job, thread.watch.signal).catch(() => undefined)
}

function settle(thread: Thread, result: ReadingResult): void {
  const { job } = thread
  // The limits were reached at the same moment.
  if (thread.watch.signal.aborted) return
  thread.watch.abort()
  thread.job = undefined
  thread.spentMs = result.spentMs
  if ('error' in result) job?.reject(result.error)
  else job?.resolve(result.value)
  thread.worker.unref()
  assign()
  if (thread.job === undefined) endIdle(thread)
}

/** Ends the thread if its reading exceeds the limits. */
async function endBeyond(thread: Thread, job: Job, signal: AbortSignal): Promise<void> {
  const { cpuMs, wallMs } = job.limits
  const from = performance.now()
  for (let left = cpuMs; left > 0;) {
    const wallLeft = wallMs - (performance.now() - from)
    if (wallLeft <= 0) break
    await elapse(Math.min(Math.max(left, 20), wallLeft), undefined, { signal })
    const { user, system } = await thread.worker.cpuUsage()
    left = cpuMs - ((user + system) / 1000 - thread.spentMs)
  }
  if (signal.aborted) return
  thread.watch.abort()
  job.reject(new TooMuchWork('It takes too long to read.'))
  await thread.worker.terminate()
}

function endIdle(thread: Thread): void {
  const { signal } = (thread.watch = new AbortController())
  elapse(idleMs, undefined, { signal, ref: false }).then(
    () => {
      threads.delete(thread)
      return thread.worker.terminate()
    },
    () => undefined,
  )
}
