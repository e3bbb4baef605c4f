import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { threadId } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { TooMuchWork, inThread, readingLimits } from './in-thread.ts'
import type * as readers from './readers.fixtures.ts'

const module = import.meta.resolve('./readers.fixtures.ts')
const reader = <N extends keyof typeof readers>(name: N, limits = readingLimits) =>
  inThread<(typeof readers)[N]>(module, name, limits)
const whereRead = reader('whereRead')

test('a text is read in another thread', async () => {
  const read = await whereRead('a')
  expect(read.text).toBe('a')
  expect(read.threadId).not.toBe(threadId)
})

test('more texts than threads are all read, each once', async () => {
  const texts = Array.from({ length: 50 }, (_, index) => String(index))
  const read = await Promise.all(texts.map((text) => whereRead(text)))
  expect(read.map(({ text }) => text)).toEqual(texts)
  expect(new Set(read.map((one) => one.threadId)).size).toBeLessThanOrEqual(2)
})

test.for([
  ['uses up its CPU time', () => reader('readForever', { cpuMs: 100, wallMs: 60_000 })()],
  ['uses up its time by the wall', () => reader('waitForever', { cpuMs: 60_000, wallMs: 100 })()],
  ['uses up its memory', () => reader('fillMemory', { cpuMs: 60_000, wallMs: 60_000 })()],
] as const)('a text that %s is not read, and the next one is', async ([, read]) => {
  await expect(read()).rejects.toBeInstanceOf(TooMuchWork)
  expect(await whereRead('next')).toMatchObject({ text: 'next' })
})

test('a text that takes long holds up no other', async () => {
  const long = reader('readForever', { cpuMs: 500, wallMs: 60_000 })().catch(() => 'long')
  expect(await Promise.race([long, whereRead('short').then(({ text }) => text)])).toBe('short')
  await long
})

test.for([
  ['the reader throws', 'rejectAlways', 'no text'],
  ['the thread throws afterwards', 'failLater', 'too late'],
] as const)('if %s, its error reaches the caller, and the next text is read', async ([, name, message]) => {
  await expect(reader(name)()).rejects.toThrow(message)
  expect(await whereRead('next')).toMatchObject({ text: 'next' })
})

test('what a thread used before does not count', async () => {
  const spin = reader('spin', { cpuMs: 700, wallMs: 60_000 })
  for (let round = 0; round < 8; round++) expect(await spin(150)).not.toBe(threadId)
})

test('a thread gets no environment', async () => {
  expect(await reader('environment')()).toEqual({})
})

test('an idle thread does not keep a process alive', async () => {
  const script = `
    import { inThread } from '${import.meta.resolve('./in-thread.ts')}'
    await inThread('${module}', 'whereRead')('done')
    const begin = performance.now()
    process.on('exit', () => console.log(performance.now() - begin))
  `
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  // The thread itself ends later.
  expect(Number(stdout)).toBeLessThan(10_000)
})
