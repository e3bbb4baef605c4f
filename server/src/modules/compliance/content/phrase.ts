import type { Word } from './words-of.ts'

/** A place in a phrase: one of these words, or any words, so many at most. */
type Step = { words: ReadonlySet<string>; optional: boolean } | { gap: number }

export interface Phrase {
  steps: readonly Step[]
  /** The words that can be second; undefined where any can, or none is needed. */
  second: ReadonlySet<string> | undefined
}

/**
 * Reads a phrase: `not (ok|fine) for [the] ~2 kids`. In parentheses are alternatives, in brackets alternatives that may be
 * missing; `~2` stands for up to two words of any kind. A phrase begins with a word.
 */
export function parsePhrase(text: string): Phrase {
  const steps = (text.match(/\([^)]*\)|\[[^\]]*\]|\S+/g) ?? []).map((part): Step => {
    if (part.startsWith('~')) return { gap: Number(part.slice(1)) }
    const words = new Set(part.replaceAll(/[()[\]]/g, '').split('|'))
    return { words, optional: part.startsWith('[') }
  })
  const [first] = steps
  if (first === undefined || 'gap' in first || first.optional) throw new Error(`No word begins “${text}”.`)
  return { steps, second: secondOf(steps.slice(1)) }
}

function secondOf(steps: readonly Step[]): ReadonlySet<string> | undefined {
  const words = new Set<string>()
  for (const step of steps) {
    if ('gap' in step) return undefined
    for (const word of step.words) words.add(word)
    if (!step.optional) return words
  }
  return undefined
}

export const wordsIn = ({ steps }: Phrase): string[] =>
  steps.flatMap((step) => ('gap' in step ? [] : [...step.words]))

export const firstWords = ({ steps: [first] }: Phrase): ReadonlySet<string> =>
  first === undefined || 'gap' in first ? new Set() : first.words

/** Where the phrase that begins at a word ends, in the same clause; undefined if it is not there. */
export function matchPhrase(
  { steps, second }: Phrase,
  words: readonly Word[],
  at: number,
): number | undefined {
  if (second?.has(words[at + 1]?.word ?? '') === false) return undefined
  const clause = words[at]?.clause
  function match(step: number, place: number): number | undefined {
    const wanted = steps[step]
    if (wanted === undefined) return place
    if ('gap' in wanted) {
      for (let skipped = 0; skipped <= wanted.gap; skipped++) {
        const end = match(step + 1, place + skipped)
        if (end !== undefined) return end
      }
      return undefined
    }
    const here = words[place]
    if (here !== undefined && here.clause === clause && wanted.words.has(here.word)) {
      const end = match(step + 1, place + 1)
      if (end !== undefined) return end
    }
    return wanted.optional ? match(step + 1, place) : undefined
  }
  return match(0, at)
}
