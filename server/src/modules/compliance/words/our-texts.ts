import { plainWords } from './plain-words.ts'
import { phrasesOf } from './vocabulary.ts'

/** Stands for a quotation of ours in what remains of a text. */
export const quotation = '§'

/** How many of our words in a row can be a quotation of ours. */
const runLength = 4

/** From how many words on a run is no coincidence: anywhere, and from the beginning of one of our sentences. */
const [longRun, longStart] = [12, 8]

/** How much of a text of ours is known. */
const maxCharacters = 5000

interface Word {
  plain: string
  from: number
  to: number
  /** How many sentences and lines end before the word. */
  sentence: number
}

/** Runs of our words: what follows four words of ours, and whether they can begin a sentence. */
interface Ours {
  runs: ReadonlySet<string>
  /** Our sentences, by their first four words. */
  sentences: ReadonlyMap<string, readonly string[]>
}

/**
 * Replaces what quotes `ours`, the texts that we sent to the author, by `§`. A run of at least four of our words is a
 * quotation if it contains a whole sentence of ours or is long, or if the author's sentence contains nothing else. A run within a
 * sentence of the author's is theirs: people say with our words that they are no longer interested in hearing from us.
 * So is a prescribed word with which a text begins, if none of our sentences does: `STOP to opt out`; and a text that is
 * nothing but a part of a sentence of ours.
 */
export function withoutOurs(text: string, ours: readonly string[]): string {
  const known = known4(ours)
  if (known.runs.size === 0) return text
  const words = wordsOf(text)
  const quoted = runsIn(words, known.runs).filter((run) => isQuotation(words, run, known.sentences))
  let rest = ''
  let from = 0
  for (const [first, end] of quoted) {
    rest += text.slice(from, words[first]?.from) + quotation
    from = words[end - 1]?.to ?? from
  }
  return rest + text.slice(from)
}

function known4(ours: readonly string[]): Ours {
  const runs = new Set<string>()
  const sentences = new Map<string, string[]>()
  for (const one of ours) {
    const words = wordsOf(one.slice(0, maxCharacters))
    for (let at = 0; at + runLength <= words.length; at++) {
      const run = joined(words, at, at + runLength)
      runs.add(run)
      const sentence = words[at]?.sentence
      if (sentence === words[at - 1]?.sentence || sentence !== words[at + runLength - 1]?.sentence) continue
      let end = at + runLength
      while (words[end]?.sentence === sentence) end++
      sentences.set(run, [...(sentences.get(run) ?? []), joined(words, at, end)])
    }
  }
  return { runs, sentences }
}

const joined = (words: readonly Word[], from: number, end: number): string =>
  words
    .slice(from, end)
    .map(({ plain }) => plain)
    .join(' ')

function wordsOf(text: string): Word[] {
  const words: Word[] = []
  let sentence = 0
  let before = 0
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}\p{N}\p{Cf}'’‘`´]+/gu)) {
    const plain = plainWords(word)
    if (plain === '') continue
    if (/[.!?;\n…¡¿]/.test(text.slice(before, index))) sentence++
    before = index + word.length
    words.push({ plain, from: index, to: before, sentence })
  }
  return words
}

/** The longest runs of our words, from a word to before another one. */
function runsIn(words: readonly Word[], known: ReadonlySet<string>): [first: number, end: number][] {
  const runs: [number, number][] = []
  for (let at = 0; at + runLength <= words.length; at++) {
    if (!known.has(joined(words, at, at + runLength))) continue
    const last = runs.at(-1)
    if (last !== undefined && at <= last[1]) last[1] = at + runLength
    else runs.push([at, at + runLength])
  }
  return runs
}

const prescribed = new Set(phrasesOf('prescribed'))

function isQuotation(
  words: readonly Word[],
  [first, end]: readonly [number, number],
  sentences: Ours['sentences'],
): boolean {
  for (let at = first; at + runLength <= end; at++) {
    const begun = sentences.get(joined(words, at, at + runLength)) ?? []
    if (begun.length > 0 && end - at >= longStart) return true
    if (begun.some((one) => `${joined(words, at, end)} `.startsWith(`${one} `))) return true
  }
  if (end - first >= longRun) return true
  if (first === 0 && prescribed.has(words[0]?.plain ?? '')) return false
  if (first === 0 && end === words.length) return false
  return (
    words[first]?.sentence !== words[first - 1]?.sentence && words[end - 1]?.sentence !== words[end]?.sentence
  )
}
