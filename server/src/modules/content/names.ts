import type { Word } from './word.ts'

const kinds =
  'street st avenue ave av road rd drive dr lane ln court ct boulevard blvd way place pl terrace ter circle cir parkway pkwy highway hwy trail trl loop square row alley plaza crossing hill hills heights park village creek lake lakes river ridge woods grove point pointe springs valley harbor island bay beach estates manor gardens meadows meadow glen hollow commons landing junction station bridge cemetery museum library church chapel cathedral temple synagogue mosque hospital university college academy elementary middle high school center hall pavilion field fields stadium arena market county'.split(
    ' ',
  )
const before =
  'calle avenida av avda paseo camino calzada bulevar boulevard plaza colonia parque san santa'.split(' ')
/** Words that describe a street or a school and are not part of its name. */
const said =
  'a an the this that no not only all any very safe safer safest unsafe good great better best bad worst top excellent nice quiet dangerous excelente buena mala near to in on of at for your our their'.split(
    ' ',
  )

export const wordsOfNames: readonly string[] = [...kinds, ...before, ...said]

/** Marks words in names of places: capitalized words before a kind of place, as in “Christian Street”, or after one. */
export function namesIn(idOf: (word: string) => number) {
  const idsOf = (all: readonly string[]) => new Set(all.map(idOf))
  const [placed, named, plain] = [idsOf(kinds), idsOf(before), idsOf(said)]
  return (text: string, words: readonly Word[], mark: (at: number) => void): void => {
    for (let at = 1; at < words.length; at++) {
      const [word, last] = [words[at] as Word, words[at - 1] as Word]
      if (!isTitled(text, word) || word.clause !== last.clause || word.afterComma) continue
      if (named.has(last.id)) mark(at)
      if (!placed.has(word.id) || !isTitled(text, last)) continue
      const isLong = at > 1 && isTitled(text, words[at - 2] as Word) && !last.afterComma
      if (plain.has(last.id)) continue
      mark(at)
      mark(at - 1)
      if (isLong && !plain.has((words[at - 2] as Word).id)) mark(at - 2)
      else if (isLong && placed.has(last.id)) mark(at - 2)
    }
  }
}

/** Whether a word starts with a capital, followed by a lowercase letter. */
const isTitled = (text: string, { start, end }: Word): boolean => {
  const [first, second] = [text.charCodeAt(start), text.charCodeAt(start + 1)]
  return end - start > 1 && first > 64 && first < 91 && second > 96
}
