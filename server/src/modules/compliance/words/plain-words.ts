/** One sentence of a text in plain words: lowercase, without accents and punctuation, one blank between words. */
export interface Sentence {
  words: string
  /** The same words, split where the text has commas, dashes, or parentheses. */
  clauses: readonly string[]
  isQuestion: boolean
}

/** Lowercases, strips accents, apostrophes and invisible marks. `Don’t` becomes `dont`. */
export const foldWords = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}'’‘`´]/gu, '')
    .toLowerCase()
    .replaceAll(/(?<=[a-z])n;t\b/g, 'nt')

/** The words of a text, one blank between them. */
export const plainWords = (text: string): string =>
  foldWords(text)
    .replaceAll(/[^\p{L}\p{N}§]+/gu, ' ')
    .trim()

/** The sentences of a text. Links and addresses are no words. */
export function sentencesOf(text: string): Sentence[] {
  const folded = withoutLinks(foldWords(text))
    .replaceAll(/(?<![\d.])\+?1?[ .-]?\(?\d{3}\)?[ .-]?\d{3}[ .-]?\d{4}(?!\d)/g, ' my number ')
    .replaceAll('#', ' number ')
  const sentences: Sentence[] = []
  for (const [part, end] of partsOf(folded)) {
    const words = plainWords(part)
    if (words === '') continue
    const clauses = part
      .split(/[,:()[\]{}"“”„«»]|[-–—] /u)
      .map(plainWords)
      .filter((clause) => clause !== '')
    sentences.push({ words, clauses, isQuestion: end.includes('?') || part.includes('¿') })
  }
  return sentences
}

const endOfSentence = /[.!?;\n…¡]+/g

function* partsOf(text: string): Generator<[part: string, end: string]> {
  let from = 0
  for (const { 0: end, index } of text.matchAll(endOfSentence)) {
    yield [text.slice(from, index), end]
    from = index + end.length
  }
  yield [text.slice(from), '']
}

const withoutLinks = (text: string): string =>
  text
    .split(/([ \t\n]+)/)
    .map((part) => (part.includes('://') || part.includes('@') || part.startsWith('www.') ? ' ' : part))
    .join('')
