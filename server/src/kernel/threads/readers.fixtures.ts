import { threadId } from 'node:worker_threads'

/** Readers that behave in every way in which one can. */

export const whereRead = (text: string) => ({ text, threadId })

export function readForever(): never {
  for (;;);
}

export const waitForever = () => new Promise<never>(() => undefined)

export function fillMemory(): never {
  const kept: unknown[] = []
  for (;;) kept.push(Array.from({ length: 1000 }, (_, index) => ({ index })))
}

export function rejectAlways(): never {
  throw new RangeError('no text')
}

export function failLater(): Promise<never> {
  setImmediate(() => {
    throw new RangeError('too late')
  })
  return waitForever()
}

export const environment = () => ({ ...process.env })

export const spin = (ms: number) => {
  const end = performance.now() + ms
  while (performance.now() < end);
  return threadId
}
