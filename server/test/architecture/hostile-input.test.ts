import { expect, test } from 'vitest'
import { textOfHtml, withoutTags } from '#kernel/text-of-html.ts'
import { mailLimits } from '../../src/adapters/email/mail-limits.ts'
import { parseMail } from '../../src/adapters/email/parse-mail.ts'
import { cpuOf, servingMs } from './cpu.ts'
import { type Reader, authservIds, elsewhere, fill, here, mailOf, timeElsewhere } from './foreign-text.ts'

test.for([...here, ...elsewhere])(
  'costs the thread that serves at most 50 ms: %s',
  async ([, size, reader]) => {
    expect(await cpuOf(() => reader(size), servingMs)).toBeLessThan(servingMs)
  },
)

/** Work that takes less is not compared: the kernel counts in steps of some milliseconds. */
const countable = 20

/**
 * Quadratic work takes four times as long for twice the text. What runs in a thread is larger, and the collection of garbage
 * adds to it. HTML is quadratic in elements within each other, so a mail's is short: `mailLimits.html`.
 */
const atMost = { here: 2.5, elsewhere: 3.3 }

type Timed = [name: string, size: number, time: (size: number) => Promise<number>, factor: number]
const timed = ([name, size, read]: Reader): Timed => [
  name,
  size,
  (part) => cpuOf(() => read(part)),
  atMost.here,
]

test.for<Timed>([
  ...here.map(timed),
  ...elsewhere.map(([name, size], at): Timed => [
    name,
    size,
    (part) => timeElsewhere(at, part),
    atMost.elsewhere,
  ]),
  timed(['a broken HTML mail', mailLimits.html, (size) => withoutTags('<'.repeat(size))]),
])('takes linear time: %s', async ([, size, time, factor]) => {
  let [half, whole] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  // The least of each counts. On a busy machine, it can take many rounds to find it.
  for (let round = 0; round < 20; round++) {
    half = Math.min(half, await time(size / 2))
    whole = Math.min(whole, await time(size))
    if (whole < countable || whole < factor * half) return
  }
  expect(whole / half).toBeLessThan(factor)
})

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
