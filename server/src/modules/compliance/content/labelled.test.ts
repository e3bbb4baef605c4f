import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { ContentCode } from './categories.ts'
import { scanContent } from './scan-content.ts'

type Sentences = Record<string, readonly string[]>

/** Written before the rules. Of each list the first, third … were there to write rules by, and the others were not. */
const labelled = JSON.parse(readFileSync(new URL('labelled-sentences.json', import.meta.url), 'utf8')) as {
  facts: string[]
  topics: string[]
  clean: Sentences
} & Record<ContentCode, Sentences>

const { facts, topics } = labelled
const codes = ['content_fair_housing', 'content_unsupported', 'content_prohibited'] as const

/** The sentences that come out wrong, of each half. */
function score(label: ContentCode | 'clean') {
  const halves = [
    { name: 'tuned', count: 0, wrong: [] as string[] },
    { name: 'held out', count: 0, wrong: [] as string[] },
  ] satisfies object[]
  for (const sentences of Object.values(labelled[label]))
    for (const [i, text] of sentences.entries()) {
      const found = scanContent(text, { facts, topics }).map(({ code }) => code)
      const isRight = label === 'clean' ? found.length === 0 : found.includes(label)
      const half = halves[i % 2]
      if (half === undefined) continue
      half.count++
      if (!isRight) half.wrong.push(text)
    }
  const wrong = halves.flatMap((half) => half.wrong)
  const part = wrong.length / halves.reduce((sum, { count }) => sum + count, 0)
  const shown = halves.map((half) => `${half.name} ${half.wrong.length} of ${half.count}`)
  console.info(`${label}: ${label === 'clean' ? 'falsely found' : 'missed'} ${shown.join(', ')}`)
  return { part, wrong }
}

test('there are at least 400 sentences, of every class', () => {
  const all = [...codes, 'clean' as const].flatMap((label) => Object.values(labelled[label]).flat())
  expect(all.length).toBeGreaterThanOrEqual(400)
  expect(new Set(all).size).toBe(all.length)
})

test.each(codes)('%s: at least 98 of 100 are caught', (code) => {
  const { part, wrong } = score(code)
  expect(part, wrong.join('\n')).toBeLessThanOrEqual(0.02)
})

test('at most 2 of 100 harmless sentences are stopped', () => {
  const { part, wrong } = score('clean')
  expect(part, wrong.join('\n')).toBeLessThanOrEqual(0.02)
})
