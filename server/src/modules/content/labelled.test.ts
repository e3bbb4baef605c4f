import { expect, test } from 'vitest'
import listing from '#test/data/labelled-listing.json' with { type: 'json' }
import { readCases } from '#test/data/read-cases.ts'
import type { ContentCode } from './finding.ts'
import { scanContent } from './scan-content.ts'

type Label = ContentCode | 'clean'

interface Sentence {
  text: string
  expected: ContentCode | null
  /** Everything that its author was given. Without facts, figures are not checked. */
  facts?: string[]
  topics?: string[]
  /** What the contact wrote before. */
  said?: string[]
}

const codes = ['content_fair_housing', 'content_unsupported', 'content_prohibited'] as const
const labels = [...codes, 'clean'] as const

/**
 * All sets that the rules were tuned to; none is a holdout. The rules' author wrote `labelled`, about one listing, and
 * `own`; authors who did not know the rules wrote `blind`, and `meanings`: words that name groups of people in other
 * meanings, and violations with the same words.
 */
const known = {
  labelled: readCases<Sentence>('labelled-sentences').map((sentence) => ({ ...sentence, ...listing })),
  blind: readCases<Sentence>('blind-sentences'),
  own: readCases<Sentence>('own-sentences'),
  meanings: readCases<Sentence>('second-meanings'),
}

const labelOf = ({ expected }: Sentence): Label => expected ?? 'clean'

const isWrong = ({ text, expected, facts, topics, said }: Sentence): boolean => {
  const given = facts ?? (expected === 'content_unsupported' ? [] : undefined)
  const found = scanContent(text, { facts: given, topics, said }).map(({ code }) => code)
  return expected === null ? found.length > 0 : !found.includes(expected)
}

test('each set has at least 400 sentences and every label, and no sentence is repeated', () => {
  for (const [name, sentences] of Object.entries(known)) {
    expect(sentences.length).toBeGreaterThanOrEqual(400)
    const expected = name === 'meanings' ? ['content_fair_housing', 'clean'] : labels
    expect(new Set(sentences.map(labelOf))).toEqual(new Set(expected))
  }
  const all = Object.values(known).flat()
  expect(new Set(all.map(({ text, facts }) => JSON.stringify([text, facts]))).size).toBe(all.length)
})

const cases = Object.entries(known).flatMap(([origin, sentences]) =>
  labels
    .map((label) => [origin, label, sentences.filter((one) => labelOf(one) === label)] as const)
    .filter(([, , own]) => own.length > 0),
)
test.each(cases)('%s sentences, %s: at most 2 in 100 are misclassified', (origin, label, sentences) => {
  const wrong = sentences.filter(isWrong)
  console.info(`${origin}, ${label}: ${wrong.length} of ${sentences.length} are wrong`)
  expect(wrong.length / sentences.length, wrong.map(({ text }) => text).join('\n')).toBeLessThanOrEqual(0.02)
})

/**
 * Harmless sentences. The author of the rules has seen every set but the last one, so only the last one shows how the rules judge new
 * sentences. The aim is 2 %. The limit of the last set is the result so far.
 */
test.each([
  ['harmless-a', 1],
  ['harmless-b', 2],
  ['harmless-c', 2],
  ['harmless-own', 4],
  ['harmless-d', 6],
])('of the harmless sentences in %s, at most %d in 100 are stopped', (set, most) => {
  const sentences = readCases<Sentence>(set)
  const wrong = sentences.filter(isWrong)
  expect((wrong.length / sentences.length) * 100, JSON.stringify(wrong)).toBeLessThanOrEqual(most)
})

test('of new violations by an author who has not seen the rules, at least 91 of 100 are found', () => {
  const sentences = readCases<Sentence>('violations-a')
  const missed = sentences.filter(isWrong)
  expect(missed.length / sentences.length, JSON.stringify(missed)).toBeLessThanOrEqual(0.09)
})

test('a group that stands beside a thing is still found if people are meant', () => {
  expect(readCases<Sentence>('groups-beside-things').filter(isWrong)).toEqual([])
})
