import { folded, undisguised } from './folding.ts'
import { type Cut, cutAt, mended, piecesOf } from './spaced-words.ts'
import type { Vocabulary } from './vocabulary.ts'
import type { Word } from './word.ts'

/** The role of each ASCII character in a word. */
const kinds = new Uint8Array(128)
const [letter, digit, sign, apostrophe, pause, stop, newline] = [1, 2, 3, 4, 5, 6, 7]
const mark = (chars: string, kind: number) => {
  for (const char of chars) kinds[char.charCodeAt(0)] = kind
}
mark('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ', letter)
mark('0123456789', digit)
mark('@$*', sign)
mark("'", apostrophe)
mark(',:', pause)
mark('.!?;', stop)
mark('\n', newline)

const isLetterAt = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  return code < 128 ? kinds[code] === letter : code > 191
}

/** Splits a text into words, and maps each to the word of the rules that it looks like. */
export function wordsOf(text: string, vocabulary: Vocabulary): Word[] {
  const { ids } = vocabulary
  const words: Word[] = []
  /** The text of each word, as read. */
  const raws: string[] = []
  /** Zero-width characters in the current word: between which letters, and where in the text. */
  let cuts: Cut[] = []
  let [start, clause, line, afterComma, looks] = [-1, 0, 0, false, 0]
  // A word with other than plain characters is built in `word`; for a plain word, `start` is enough.
  let [word, isPlain, hasDigit, hasLetter, isOdd, previous, repeated] = ['', true, false, false, false, 0, 0]

  const finish = (end: number): number => {
    if (start < 0) return 0
    const raw = isPlain ? text.slice(start, end).toLowerCase() : word
    let id = ids.get(raw) ?? 0
    if (id === 0 && (isOdd || (hasDigit && hasLetter))) id = ids.get(undisguised(raw, ids)) ?? 0
    if (cuts.length > 0 && id === 0) {
      for (const piece of piecesOf(raw, cuts, { id, start, end, clause, line, afterComma }, vocabulary)) {
        words.push(piece.word)
        raws.push(piece.raw)
      }
    } else if (raw !== '') {
      words.push({ id, start, end, clause, line, afterComma })
      raws.push(raw)
    }
    if (cuts.length > 0) cuts = []
    // Assigned one by one, because allocating an array for each word would cost more than everything else here.
    start = -1
    afterComma = false
    word = ''
    isPlain = true
    hasDigit = false
    hasLetter = false
    isOdd = false
    previous = 0
    repeated = 0
    return raw.length
  }
  const add = (letters: string, at: number) => {
    if (start < 0) start = at
    if (isPlain) [word, isPlain] = [text.slice(start, at).toLowerCase(), false]
    word += letters
    hasLetter = true
    isOdd = true
  }

  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > 127) {
      const point = text.codePointAt(at) ?? code
      const letters = folded(point)
      if (letters === null || point === closingQuote) {
        if (start >= 0) add('', at)
        if (start >= 0 && unseen.test(String.fromCodePoint(point)))
          cutAt(cuts, { letter: word.length, at, next: at + (point > 0xffff ? 2 : 1) })
      } else if (letters !== '') add(letters, at)
      else {
        finish(at)
        if (point === bullet) [clause, line] = [clause + 1, line + 1]
        else if (point === 0x2013 || point === 0x2014) afterComma = true
      }
      if (point > 0xffff) at++
      continue
    }
    const kind = kinds[code]
    if (kind === letter || kind === digit) {
      if (start < 0) start = at
      if (!isPlain) word += String.fromCharCode(code < 91 && code > 64 ? code + 32 : code)
      if (kind === digit) hasDigit = true
      else hasLetter = true
      repeated = (code | 32) === previous ? repeated + 1 : 0
      if (repeated > 0 || (code | 32) === letterZ) isOdd = true
      previous = code | 32
    } else if (kind === sign || (code === exclamation && start >= 0)) {
      const char = text[at] ?? ''
      if (
        isLetterAt(text, at + 1) &&
        (code !== asterisk || isLetterAt(text, at - 1)) &&
        (code !== exclamation || (looks++ < maxLooks && isDisguise(text, start, at, ids)))
      )
        add(char, at)
      else {
        finish(at)
        if (code === exclamation) [clause, line] = [clause + 1, line + 1]
      }
    } else if (kind === apostrophe) {
      if (start >= 0 && isLetterAt(text, at + 1)) add('', at)
      else finish(at)
    } else {
      const length = finish(at)
      if (kind === pause) {
        afterComma = true
        // “No, kids are fine” does not say “no kids”.
        if (length > 0 && length < 4 && words.at(-2)?.line !== line) [clause, line] = [clause + 1, line + 1]
      } else if (code === plus && kinds[text.charCodeAt(at - 1)] === digit) {
        words.push({ id: ids.get('+') ?? 0, start: at, end: at + 1, clause, line, afterComma: false })
        raws.push('+')
      } else if (kind === newline) {
        const next = afterLine(text, at)
        if (next === 'word') continue
        line++
        // “Garage: no”, followed by another line.
        if (next === 'end' || words.at(-1)?.afterComma) clause++
        afterComma = false
      } else if (kind === stop) {
        const next = text.charCodeAt(at + 1)
        // A period within `n.o. k.i.d.s` does not end a sentence.
        const isAbbreviation = code === point && (length === 1 || !(Number.isNaN(next) || next <= 32))
        if (!isAbbreviation) [clause, line, afterComma] = [clause + 1, line + 1, false]
      }
    }
  }
  finish(text.length)
  return mended(words, raws, vocabulary)
}

const [asterisk, letterZ] = [42, 122]
const [exclamation, plus, point, bullet, closingQuote] = [33, 43, 46, 0x2022, 0x2019]
const longestWord = 40
/** The most exclamation marks within words that are checked in one text. */
const maxLooks = 20

/** What follows a line break: `end` for an empty line or a list item, `capital` for a capital letter, `word` if the sentence continues. */
function afterLine(text: string, at: number): 'end' | 'capital' | 'word' {
  let next = at + 1
  while (blank.has(text[next] ?? '')) next++
  const begin = text.slice(next, next + 4)
  if (/^(?:$|\n|[-*+•·–—]\s|#{1,3}\s|\d{1,3}[.)])/.test(begin)) return 'end'
  return /^["'“‘¡¿]?\p{Lu}/u.test(begin) ? 'capital' : 'word'
}

/** Zero-width characters, without accents. */
const unseen = /\p{Cf}/u
const blank = new Set(' \t\r')

/** Whether the exclamation mark at `at` stands for a letter in a word of the rules. */
function isDisguise(text: string, start: number, at: number, ids: ReadonlyMap<string, number>): boolean {
  const rest = /^![a-z0-9!@$]*/i.exec(text.slice(at, at + longestWord))?.[0] ?? ''
  const whole = text.slice(Math.max(start, at - longestWord), at) + rest
  return ids.has(undisguised(whole.toLowerCase(), ids))
}
