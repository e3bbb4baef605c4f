import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { textOfHtml } from '#kernel/text-of-html.ts'
import { mailLimits } from '../../src/adapters/email/mail-limits.ts'
import { parseMail } from '../../src/adapters/email/parse-mail.ts'
import { cpuOf, servingMs } from './cpu.ts'
import { authservIds, elsewhere, fill, here, mailOf, readers } from './foreign-text.ts'

test.for([...here, ...elsewhere])(
  'costs the thread that serves at most 50 ms: %s',
  async ([, size, reader]) => {
    expect(await cpuOf(() => reader(size), servingMs)).toBeLessThan(servingMs)
  },
)

/** Milliseconds. Work that takes less at the largest size is not compared: a text's place in memory decides, not its length. */
const countable = 1

/**
 * Quadratic work takes four times as long for twice the text. HTML is quadratic in elements within each other, so a mail's is
 * short: `mailLimits.html`.
 */
const atMost = 2.5

/**
 * Times the readers on a heap of their own, so large that texts are not copied within it: the collection of garbage grows in
 * steps.
 */
let timing: Worker
beforeAll(() => {
  setFlagsFromString('--min-semi-space-size=256')
  timing = new Worker(new URL('timing-thread.ts', import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: 1024, maxOldGenerationSizeMb: 4096 },
    execArgv: [],
  })
})
afterAll(() => timing.terminate())

async function timeOf(at: number, size: number): Promise<number> {
  timing.postMessage({ at, size })
  const [time] = await once(timing, 'message')
  return time
}

test.for(readers.map(([name, size], at) => [name, size, at] as const))(
  'takes linear time: %s',
  async ([, size, at]) => {
    let [half, whole] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    // The least of each counts, and never of one round alone: other work of the machine only adds, sometimes for seconds.
    for (let round = 1; round <= 40; round++) {
      half = Math.min(half, await timeOf(at, size / 2))
      whole = Math.min(whole, await timeOf(at, size))
      if (round >= 3 && (whole < countable || whole < atMost * half)) return
    }
    expect(whole / half).toBeLessThan(atMost)
  },
)

test.for([
  ['empty lines', 'Subject: x', '\n'],
  ['lines of flowed text', 'Content-Type: text/plain; format=flowed', 'x \n'],
] as const)('reads no more of a mail than its first lines: %s', async ([, head, line]) => {
  const parse = (size: number) => parseMail(mailOf(head, line.repeat(size)), null, authservIds)
  const whole = await cpuOf(() => parse(mailLimits.bytes / line.length))
  const allowed = await cpuOf(() => parse(mailLimits.lines))
  expect(whole).toBeLessThan(3 * allowed + servingMs)
})

test.for([
  ['tags', (size: number) => fill('<p>', size)],
  ['closing tags within others', (size: number) => fill('<div>', size / 2) + fill('</p>', size / 2)],
  ['formatting', (size: number) => fill('<b>', size)],
] as const)('the largest HTML takes a fraction of the time of a thread: %s', async ([, html]) => {
  expect(await cpuOf(() => textOfHtml(html(mailLimits.html)), 1000)).toBeLessThan(1000)
})
