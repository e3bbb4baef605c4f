import {
  type Declinations,
  type Extent,
  ands,
  beginnings,
  beginningsAfterAnd,
  certainties,
  declinationsOfAdvice,
  leads,
  rejectionsOfHousing,
  turns,
} from './declinations.ts'
import { matcherOf, parsePhrase, wordsIn } from './phrase.ts'
import type { Word } from './words-of.ts'

const reaches: readonly Extent[] = ['none', 'back', 'on', 'asking', 'itself']
const phrasesOf = (declinations: Declinations) =>
  reaches.flatMap((rule) => declinations[rule].map((text) => ({ phrase: parsePhrase(text), rule })))
const [ofHousing, ofAdvice] = [phrasesOf(rejectionsOfHousing), phrasesOf(declinationsOfAdvice)]

/** The words that `declinersOf` must know. */
export const wordsOfDeclinations: readonly string[] = [
  ...[...ofHousing, ...ofAdvice].flatMap(({ phrase }) => wordsIn(phrase)),
  ...[ands, beginnings, beginningsAfterAnd, certainties, leads, turns].flat(),
]

/** Finds the words with which a text declines to speak of something: 1 for each. It names it, and says nothing of it. */
export type Decliner = (words: readonly Word[]) => Uint8Array | undefined

/** What declines to speak of what fair housing law forbids, and what declines to give advice. */
export function declinersOf(idOf: (word: string) => number): { housing: Decliner; advice: Decliner } {
  const idsOf = (all: readonly string[]) => new Set(all.map(idOf))
  const [turning, asking, certain] = [idsOf(turns), idsOf(leads), idsOf(certainties)]
  const [and, afterComma] = [idsOf(ands), idsOf(beginnings)]
  const afterAnd = idsOf([...beginnings, ...beginningsAfterAnd])

  /** A part ends with the sentence, with a word such as “but”, and where a sentence of its own follows a comma or “and”. */
  const beginsPart = (word: Word, previous: Word) =>
    word.line !== previous.line ||
    turning.has(word.id) ||
    (word.afterComma && afterComma.has(word.id)) ||
    (and.has(previous.id) && afterAnd.has(word.id))

  const declinerOf = (phrases: typeof ofHousing): Decliner => {
    const declining = matcherOf(phrases, idOf)
    return (words) => {
      let declined: Uint8Array | undefined
      /** The first word since the part began, or since its last comma; and how what is declined reaches on from here. */
      let [from, isAsking, reach]: [number, boolean, Extent] = [0, false, 'none']
      for (let at = 0; at < words.length; at++) {
        const word = words[at] as Word
        const begins = at === 0 || beginsPart(word, words[at - 1] as Word)
        if (begins) reach = 'none'
        const asks = asking.has(word.id) && (begins || word.afterComma || and.has(words[at - 1]?.id ?? 0))
        if (begins || word.afterComma || asks) [from, isAsking] = [at, asks]
        if (reach === 'asking' && certain.has(word.id)) reach = 'none'
        const found: { rule: Extent; end: number } | undefined =
          reach === 'none' ? declining.longestAt(words, at) : undefined
        if (found?.rule === 'none') at = found.end - 1
        else if (found !== undefined) {
          declined ??= new Uint8Array(words.length)
          declined.fill(1, isAsking || found.rule === 'back' ? from : at, found.end)
          if (found.rule !== 'itself') reach = found.rule
        } else if (reach !== 'none' && declined !== undefined) declined[at] = 1
      }
      return declined
    }
  }
  return { housing: declinerOf(ofHousing), advice: declinerOf(ofAdvice) }
}
