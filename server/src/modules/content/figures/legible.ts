import { digitOf, folded } from '../folding.ts'
import { isNumberWord } from './numbers.ts'
import { unitOf } from './sizes.ts'

/** A text prepared for reading figures: ASCII digits, signs, and letters, without invisible characters; with their original positions. */
export interface Legible {
  text: string
  /** For each character, where its source starts and ends in the original text. Undefined if nothing has moved. */
  starts: readonly number[] | undefined
  ends: readonly number[] | undefined
}

const parts =
  '½ .5 ¼ .25 ¾ .75 ⅓ .33 ⅔ .67 ⅕ .2 ⅖ .4 ⅗ .6 ⅘ .8 ⅙ .17 ⅚ .83 ⅛ .1250 ⅜ .3750 ⅝ .6250 ⅞ .8750'.split(' ')
const fractions = new Map(parts.flatMap((char, i) => (i % 2 === 0 ? [[char, parts[i + 1] ?? '']] : [])))
const signs = new Map<string, string>(
  Object.entries({ '。': '.', '｡': '.', '․': '.', '٫': '.', '٬': ',', '٪': '%', '⁄': '/', '💲': '$' }),
)
const unseen = /[\p{Cf}\p{M}]/u
/** Superscripts and subscripts: `ft²`, `3º`. */
const raised = /[²³¹ºª\u2070-\u209c]/u

export function legible(text: string): Legible {
  const plain = /^[\0-\x7f]*$/.test(text) ? { text, starts: undefined, ends: undefined } : spelled(text)
  const whole = /[\d.,][oil]|[ol][\d.,]/i.test(plain.text)
    ? { ...plain, text: withDigits(plain.text) }
    : plain
  const pointed = /[[({] ?(?:\.|dot|punto)| (?:dot|punto|\.) /i.test(whole.text)
    ? replaced(whole, points, () => '.')
    : whole
  const joined = /\b[a-z]-[a-z]\b/i.test(pointed.text)
    ? replaced(pointed, spacedLetters, (found) => found.replaceAll('-', ''))
    : pointed
  const close = /(?<!\S)\w \S(?!\S)/.test(joined.text) ? closedUp(joined) : joined
  return { ...close, text: close.text.replaceAll(mixed, numberWordOf) }
}

/** `6 : 4 5 p m`, `s i e t e`. */
function closedUp(spaced: Legible): Legible {
  const close = (found: string) => found.replaceAll(' ', '')
  const digits = replaced(spaced, spacedDigits, close)
  const halves = replaced(digits, spacedHalf, close)
  return replaced(halves, spacedWord, (found) =>
    isNumberWord(close(found).toLowerCase()) ? close(found) : found,
  )
}
const spacedDigits = /(?<![\w.,])\d(?: [\d:,])+ \d(?![\w])/g
const spacedHalf = /(?<=\d ?)[ap] m(?![\w'’])/gi
const spacedWord = /(?<!\S)[a-z](?: [a-z]){2,}(?![\w'’])/gi

/** Letters and digits in one word: `m1l`, `t3n`, `b3drooms`, `rec@maras`. */
const mixed = /(?<![\w.])(?:[a-z]+[\d@]|\d[a-z]{2})[a-z\d@]*(?!\w)/gi
const letters: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a' }

function numberWordOf(word: string): string {
  const read = word.toLowerCase().replaceAll(/[013457@]/g, (one) => letters[one] ?? one)
  return isNumberWord(read) || unitOf(read) !== undefined ? read : word
}

function spelled(text: string): Legible {
  const [chars, starts, ends]: [string[], number[], number[]] = [[], [], []]
  for (let at = 0; at < text.length;) {
    const code = text.codePointAt(at) ?? 0
    if (code < 128) {
      chars.push(text[at] ?? '')
      starts.push(at)
      ends.push(++at)
      continue
    }
    const end = at + (code > 0xffff ? 2 : 1)
    const char = text.slice(at, end)
    const fraction = fractions.get(char)
    // `6 ½` is one number.
    if (fraction !== undefined && chars.at(-1) === ' ' && isDigit(chars.at(-2)))
      for (const all of [chars, starts, ends]) all.pop()
    const seen =
      fraction === undefined ? readAs(char, code) : `${isDigit(chars.at(-1)) ? '' : '0'}${fraction}`
    // By UTF-16 code unit, like the positions: a surrogate pair stays two.
    for (const one of seen.split('')) {
      chars.push(one)
      starts.push(at)
      ends.push(end)
    }
    at = end
  }
  return { text: chars.join(''), starts, ends }
}

const isDigit = (char: string | undefined) => char !== undefined && /^\d$/.test(char)

function readAs(char: string, code: number): string {
  if (unseen.test(char) || raised.test(char)) return ''
  const known = signs.get(char) ?? digitOf(code)
  if (known !== undefined) return known
  return /\p{L}/u.test(char) ? (folded(code) ?? '') || ' ' : char.normalize('NFKC')
}

/** Replaces letters that look like digits, within numbers: `4OO,OOO`, `2Ol2`, `l,450`, but not `2o`. */
const withDigits = (text: string): string =>
  text.replaceAll(/[\doil.,]{3,}/gi, (found: string, at: number) => {
    const isNumber =
      /^(?:\d|[il](?=[.,]?\d[\d.,]*[\doil]))/i.test(found) &&
      !/[a-z\d'’]/i.test(text[at - 1] ?? '') &&
      /^(?:[^a-z'’]|k|$)/i.test(text.slice(at + found.length, at + found.length + 1))
    return isNumber ? found.replaceAll(/o/gi, '0').replaceAll(/[il]/gi, '1') : found
  })

const points =
  / ?[[({] ?(?:\.|dot|punto) ?[\])}] ?| (?:dot|punto|\.) (?=(?:com|net|org|io|co|us|app|info|biz|house|homes|link|site|online|example)\b)/gi
/** `s-q f-t` */
const spacedLetters = /(?<![a-z\d-])[a-z](?:-[a-z])+(?![a-z\d-])/gi

/** Replaces what the pattern finds, such as the disguised point in `evil[.]com` and `evil dot com`, and keeps the positions. */
function replaced({ text, starts, ends }: Legible, pattern: RegExp, as: (found: string) => string): Legible {
  let [all, from] = ['', 0]
  const [begins, closes]: [number[], number[]] = [[], []]
  const take = (to: number) => {
    all += text.slice(from, to)
    for (; from < to; from++) {
      begins.push(starts?.[from] ?? from)
      closes.push(ends?.[from] ?? from + 1)
    }
  }
  for (const { index, 0: found } of text.matchAll(pattern)) {
    take(index)
    from = index + found.length
    const sign = as(found)
    all += sign
    begins.push(...Array<number>(sign.length).fill(starts?.[index] ?? index))
    closes.push(...Array<number>(sign.length).fill(ends?.[from - 1] ?? from))
  }
  take(text.length)
  return { text: all, starts: begins, ends: closes }
}
