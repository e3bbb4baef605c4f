import { maskText } from '#kernel/masking/mask-text.ts'
import { fold } from './fold.ts'
import { formsOf } from './number-forms.ts'
import { type E164, nationalForm, toE164 } from './phone.ts'

/** Letters that no decomposition turns into plain ones, as people type them. */
const letters = new Map(
  `łl øo đd ðd ħh ŧt ıi ŀl ŋn ɨi ƀb ƈc ƌd ɇe əe ǝe ɛe ɠg ǥg ƙk ƚl ɫl ƞn ɔo ƥp ɍr ƭt ʉu ʋv ɏy ƶz ȼc ⱥa ɉj ĸk ſs ςσ
  ßss æae œoe þth ǽae ĳij ʼn`
    .split(/\s+/)
    .map((pair) => [pair.charAt(0), pair.slice(1)]),
)
const special = new RegExp(`[${[...letters.keys()].join('')}]`, 'g')

/** Marks that people write between letters and digits, or leave out: apostrophes, hyphens, dots, brackets, and the like. */
const mark = /['"`´‘’‚‛“”„′‵ʹʻʼʽʾʿˈˊ՚׳ꞌ＇.·•‧∙・+#()[\]\p{Pd}−\p{Cf}]/u
const marks = new RegExp(mark, 'gu')

/** What separates words, with or without blanks: `Doe,Jane` and `Jane/John` are two. */
const separators = /[\s,;/|&，；／｜＆、،؛]+/u

/** How search compares a text: without case, accents, special letters, and marks. */
const searchForm = (text: string): string =>
  fold(text.replaceAll(marks, '')).replaceAll(special, (letter) => letters.get(letter) ?? letter)

const wordsOf = (text: string): string[] => text.split(separators).filter((word) => word !== '')

/** The words of a name: each as a whole, and if marks divide it, its parts. `O’Brien` is `obrien`, `o`, and `brien`. */
const nameWords = (name: string): string[] =>
  wordsOf(name).flatMap((word) => {
    const parts = word.split(mark).filter((part) => part !== '')
    return parts.length > 1 ? [word, ...parts] : [word]
  })

/**
 * The words of a phone: its digits in E.164 and in other forms, those that its country writes, and the text, as far as each adds
 * something.
 */
function phoneWords(phone: string, number: E164 | null): string[] {
  const written = wordsOf(phone).map(searchForm)
  if (number === null) return written
  const [digits = '', ...others] = formsOf(number).map((form) => form.slice(1))
  const national = digits.startsWith('1') ? '' : nationalForm(number)
  return [digits, national, ...[...others, ...written].filter((word) => !digits.includes(word))]
}

/** Words as columns hold them that a search reads: folded, each once, with a space before it. */
const spaced = (words: readonly string[]): string =>
  [...new Set(words.map(searchForm))].flatMap((word) => (word === '' ? [] : ` ${word}`)).join('')

/** The version of the folding below, for columns that are folded once. One that folds otherwise has another. */
export const searchVersion = 1

/** A column that `q` searches, of names and the like. Mask them if every credential can search it. */
export const searchText = (texts: readonly (string | null)[]): string =>
  spaced(texts.flatMap((text) => nameWords(text ?? '')))

interface Searched {
  first_name: string | null
  last_name: string | null
  email: string | null
  phone: string | null
  /** The number in `phone`. */
  phone_e164: string | null
}

/**
 * The columns that `q` searches, with a space before each word. `search_names` is for every credential.
 * `search_details` holds email and phone, and names that need a mask; it requires `contacts:read:pii`.
 */
export function searchTexts({ first_name, last_name, email, phone, phone_e164 }: Searched) {
  const names = [first_name, last_name].filter((name) => name !== null)
  return {
    search_names: searchText(names.map(maskText)),
    search_details: spaced([
      ...(email === null ? [] : [email]),
      ...(phone === null ? [] : phoneWords(phone, phone_e164 as E164 | null)),
      ...names.filter((name) => maskText(name) !== name).flatMap(nameWords),
    ]),
  }
}

const maxTerms = 8

/**
 * The words of `q`, all of which must match, as `searchText` writes them. Ignores words without a letter or digit, because
 * no index contains them, and words after the eighth. Null if `q` has only words without a letter or digit: then nothing
 * matches.
 */
export function searchTerms(q: string): string[] | null {
  const terms = wordsOf(q)
    .map(searchForm)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
  return q.trim() !== '' && terms.length === 0 ? null : terms.slice(0, maxTerms)
}

/** The same for contacts: a phone number is one word, however it is written. */
export function contactTerms(q: string): string[] | null {
  const number = toE164(q)
  return number === undefined ? searchTerms(q) : [number.replace(/^\+1?/, '')]
}
