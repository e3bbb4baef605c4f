import { namesIn, wordsOfNames } from './names.ts'
import { matcherOf, parsePhrase, wordsIn } from './phrase.ts'
import { accessible, homes, nearby } from './rules/harmless/homes.ts'
import { otherMeanings } from './rules/harmless/other-meanings.ts'
import { speech } from './rules/harmless/speech.ts'
import { belongings, things } from './rules/harmless/things.ts'
import { echoes, equality, welcomes } from './rules/welcomes.ts'
import type { Word } from './word.ts'

/**
 * When a phrase is harmless, so that the rules ignore its words. `unless denied`: one of the two words before it denies it, or a charge
 * follows. `unless refused`: any word of its clause denies it. `unless rated`: a rating follows it. `unless forbidden`: its clause
 * contains both a denial and a word of permission.
 */
type Harmless = 'always' | 'unless forbidden' | 'unless denied' | 'unless refused' | 'unless rated'

const phrasesOf = (texts: readonly string[], rule: Harmless) =>
  texts.map((text) => ({ phrase: parsePhrase(text), rule }))
const phrases = [
  ...phrasesOf(equality, 'always'),
  ...phrasesOf([...things, ...otherMeanings], 'always'),
  ...phrasesOf([...welcomes, ...belongings, ...homes, ...speech], 'unless denied'),
  ...phrasesOf(echoes, 'unless refused'),
  ...phrasesOf(nearby, 'unless rated'),
  ...phrasesOf(accessible, 'unless forbidden'),
]
const denials =
  'no not isnt arent dont doesnt wont cant cannot wouldnt couldnt shouldnt never only neither nor unless without since because given sin ni solo nunca tampoco'.split(
    ' ',
  )
const ratings =
  'low lower lowest high higher highest down up dropped shows show rated ranked ranks rates rating ratings score scores scored known reputation award acclaimed best top excellent great outstanding good better worst bad failing calificada calificadas mejores mejor excelentes excelente buenas malas'.split(
    ' ',
  )

const charges = 'deposit deposits fee fees surcharge extra deposito cargo recargo'.split(' ')
const permits =
  'allow allows allowed let lets permit permits permitted approve approves approved agree agrees accept accepts object objects want wants deje dejen deja dejan permita permitan permite permiten quiere quieren acepta aceptan autoriza autorice'.split(
    ' ',
  )

export const wordsOfPasser: readonly string[] = [
  ...phrases.flatMap(({ phrase }) => wordsIn(phrase)),
  ...wordsOfNames,
  ...denials,
  ...ratings,
  ...permits,
  ...charges,
]

/** How many words around a harmless phrase are checked for a denial, and how many after it for a rating. */
const [mostAround, mostAfter] = [25, 5]

/** Returns a function that hides harmless words from the rules, by giving them the id 0. */
export function passerOf(idOf: (word: string) => number) {
  const matcher = matcherOf(phrases, idOf)
  const markNames = namesIn(idOf)
  const setOf = (all: readonly string[]) => new Set(all.map(idOf))
  const [denying, rating, permitting] = [setOf(denials), setOf(ratings), setOf(permits)]
  const charging = setOf(charges)

  /** Whether any word of the clause of `of`, in this range, is in the set. */
  const hasAny = (words: readonly Word[], of: Word, from: number, to: number, ids: ReadonlySet<number>) => {
    for (let at = Math.max(0, from); at < to; at++) {
      const word = words[at]
      if (word?.clause === of.clause && ids.has(word.id)) return true
    }
    return false
  }
  const isMeant = (words: readonly Word[], at: number, { rule, end }: { rule: Harmless; end: number }) => {
    const word = words[at] as Word
    const isAfter = (ids: ReadonlySet<number>) => hasAny(words, word, end, end + mostAfter, ids)
    // “Service dogs are welcome with a deposit.”
    if (rule === 'unless denied')
      return hasAny(words, word, at - 2, at, denying) || (isAfter(charging) && !isAfter(denying))
    const isAround = (ids: ReadonlySet<number>) => hasAny(words, word, at - mostAround, at + mostAround, ids)
    if (rule === 'unless refused') return isAround(denying)
    if (rule === 'unless forbidden') return isAround(denying) && isAround(permitting)
    return rule === 'unless rated' && isAfter(rating)
  }

  return (text: string, words: readonly Word[]): readonly Word[] => {
    let rest: Word[] | undefined
    const pass = (at: number) => {
      rest ??= [...words]
      rest[at] = { ...(words[at] as Word), id: 0 }
    }
    for (let at = 0; at < words.length; at++) {
      const found = matcher.longestAt(words, at)
      if (found === undefined || isMeant(words, at, found)) continue
      for (; at < found.end; at++) pass(at)
      at--
    }
    markNames(text, words, pass)
    return rest ?? words
  }
}
