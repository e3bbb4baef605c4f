import {
  type Declinations,
  type Extent,
  ands,
  beginnings,
  beginningsAfterAnd,
  certainties,
  declinationsOfAdvice,
  leads,
  prefaces,
  rejectionsOfHousing,
  turns,
} from './declinations.ts'
import { matcherOf, parsePhrase, wordsIn } from './phrase.ts'
import type { Word } from './word.ts'

const reaches: readonly Extent[] = ['none', 'back', 'on', 'asking', 'itself']
const phrasesOf = (declinations: Declinations) =>
  reaches.flatMap((rule) => declinations[rule].map((text) => ({ phrase: parsePhrase(text), rule })))
const [ofHousing, ofAdvice] = [phrasesOf(rejectionsOfHousing), phrasesOf(declinationsOfAdvice)]

/** The words for which `declinersOf` needs ids. */
export const wordsOfDeclinations: readonly string[] = [
  ...[...ofHousing, ...ofAdvice].flatMap(({ phrase }) => wordsIn(phrase)),
  ...[ands, beginnings, beginningsAfterAnd, certainties, leads, prefaces, turns].flat(),
]

/** Marks with 1 each word in which a text declines to discuss something: it names the topic but says nothing about it. */
export type Decliner = (words: readonly Word[]) => Uint8Array | undefined

/** The most words in one item of a list of topics: “race, religion, or background”. */
const longestMember = 5

/** Returns the finders of words that decline what fair housing law forbids, and of words that decline to give advice. */
export function declinersOf(idOf: (word: string) => number): { housing: Decliner; advice: Decliner } {
  const idsOf = (all: readonly string[]) => new Set(all.map(idOf))
  const [turning, asking, prefacing, certain] = [
    idsOf(turns),
    idsOf(leads),
    idsOf(prefaces),
    idsOf(certainties),
  ]
  const [and, afterComma] = [idsOf(ands), idsOf(beginnings)]
  const afterAnd = idsOf([...beginnings, ...beginningsAfterAnd])

  /** A new part starts with a new line, with a word such as “but”, and where a new sentence follows a comma or “and”. */
  const beginsPart = (word: Word, previous: Word) =>
    word.line !== previous.line ||
    turning.has(word.id) ||
    (word.afterComma && afterComma.has(word.id)) ||
    (and.has(previous.id) && afterAnd.has(word.id))

  const declinerOf = (phrases: typeof ofHousing): Decliner => {
    const declining = matcherOf(phrases, idOf)
    return (words) => {
      let declined: Uint8Array | undefined
      const decline = (from: number, to: number) => {
        declined ??= new Uint8Array(words.length)
        declined.fill(1, from, to)
      }
      // Where the current question or list and the preface start and end, whether it is a question, and how far a declination extends.
      let [from, isAsking, preface, prefaceEnd]: [number, boolean, number, number] = [0, false, -1, -1]
      let [comma, reach]: [number, Extent] = [0, 'none']
      for (let at = 0; at < words.length; at++) {
        const word = words[at] as Word
        const begins = at === 0 || beginsPart(word, words[at - 1] as Word)
        if (begins) [reach, preface, prefaceEnd] = ['none', prefacing.has(word.id) ? at : -1, -1]
        const asks = asking.has(word.id) && (begins || word.afterComma || and.has(words[at - 1]?.id ?? 0))
        const endsList = word.afterComma && !isAsking && at - comma > longestMember
        if (begins || asks || endsList) [from, isAsking] = [at, asks]
        if (word.afterComma && preface >= 0 && prefaceEnd < 0) prefaceEnd = at
        if (begins || word.afterComma) comma = at
        if (reach === 'asking' && certain.has(word.id)) reach = 'none'
        const found: { rule: Extent; end: number } | undefined =
          reach === 'none' ? declining.longestAt(words, at) : undefined
        if (found?.rule === 'none') at = found.end - 1
        else if (found !== undefined) {
          if (preface >= 0) decline(preface, prefaceEnd < 0 ? at : prefaceEnd)
          decline(isAsking || found.rule === 'back' ? from : at, found.end)
          if (found.rule !== 'itself') reach = found.rule
        } else if (reach !== 'none' && declined !== undefined) declined[at] = 1
      }
      return declined
    }
  }
  return { housing: declinerOf(ofHousing), advice: declinerOf(ofAdvice) }
}
