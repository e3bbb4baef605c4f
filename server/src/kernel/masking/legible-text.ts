/** A text as a reader sees it, with the origin of each of its characters. */
interface Legible {
  legible: string
  /** Where the character begins in the original. */
  startOf(index: number): number
  /** Where the character ends in the original. */
  endOf(index: number): number
}

interface Characters {
  text: string
  starts: number[]
  ends: number[]
}

/** Maximum number of encodings to undo. A text may be URL-encoded inside an HTML attribute, and then encoded again. */
const maxLayers = 3

/**
 * Undoes percent-encoding and HTML entities, normalizes characters to their plain form (full-width digits, `＠`), and
 * drops zero-width marks. Takes time linear in the length of the text.
 */
export function legibleText(original: string): Legible {
  if (!/[%&\u0080-\uffff]/.test(original))
    return { legible: original, startOf: (i) => i, endOf: (i) => i + 1 }
  const indexes = Array.from({ length: original.length }, (_, i) => i)
  let read: Characters = { text: original, starts: indexes, ends: indexes.map((i) => i + 1) }
  for (let layer = 0; layer < maxLayers; layer++) {
    const decoded = rewrite(read, decode)
    const isStable = decoded.text === read.text
    read = decoded
    if (isStable) break
  }
  const { text, starts, ends } = rewrite(read, plain)
  return {
    legible: text,
    startOf: (i) => starts[i] ?? original.length,
    endOf: (i) => ends[i] ?? original.length,
  }
}

/** Reads one character at an index. Returns how many code units it takes and what it stands for. */
type Reader = (text: string, at: number) => { length: number; as: string } | undefined

function rewrite({ text, starts, ends }: Characters, reader: Reader): Characters {
  const parts: string[] = []
  const to: Characters = { text: '', starts: [], ends: [] }
  for (let at = 0; at < text.length;) {
    const { length, as } = reader(text, at) ?? { length: 1, as: text.charAt(at) }
    parts.push(as)
    for (let left = as.length; left > 0; left--) {
      to.starts.push(starts[at] ?? 0)
      to.ends.push(ends[at + length - 1] ?? 0)
    }
    at += length
  }
  return { ...to, text: parts.join('') }
}

const decode: Reader = (text, at) => {
  const char = text.charAt(at)
  if (char === '%') return percentEncoded(text, at)
  return char === '&' ? entity(text, at) : undefined
}

const percentByte = /%([\da-f]{2})/iy

function percentEncoded(text: string, at: number): ReturnType<Reader> {
  percentByte.lastIndex = at
  const [, byte] = percentByte.exec(text) ?? []
  if (byte === undefined) return undefined
  // In UTF-8, the number of leading ones in the first byte is the number of bytes of the character. A byte without
  // leading ones is a single-byte character.
  const ones = Math.clz32(~(Number.parseInt(byte, 16) << 24))
  const length = 3 * Math.max(ones, 1)
  try {
    return { length, as: decodeURIComponent(text.slice(at, at + length)) }
  } catch {
    return undefined
  }
}

const numeric = /&#(?:(\d{1,7})|x([\da-f]{1,6}));?/iy
const named = /&([a-z]{2,8});/iy
const names: Readonly<Record<string, string>> = {
  amp: '&',
  commat: '@',
  period: '.',
  plus: '+',
  nbsp: ' ',
  hyphen: '‐',
  dash: '‐',
  ndash: '–',
  mdash: '—',
  minus: '−',
  lpar: '(',
  rpar: ')',
  shy: '',
  zwj: '',
  zwnj: '',
}

function entity(text: string, at: number): ReturnType<Reader> {
  numeric.lastIndex = at
  const [whole, decimal, hex] = numeric.exec(text) ?? []
  if (whole !== undefined) {
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    return code <= 0x10ffff ? { length: whole.length, as: String.fromCodePoint(code) } : undefined
  }
  named.lastIndex = at
  const [all = '', name = ''] = named.exec(text) ?? []
  const as = Object.hasOwn(names, name.toLowerCase()) ? names[name.toLowerCase()] : undefined
  return as === undefined ? undefined : { length: all.length, as }
}

const invisible = /[\p{Cf}\p{M}]/u
const anyDigit = /\p{Nd}/u

const plain: Reader = (text, at) => {
  if (text.charCodeAt(at) < 0x80) return undefined
  const char = String.fromCodePoint(text.codePointAt(at) ?? 0)
  const as = invisible.test(char) ? '' : char.normalize('NFKC')
  return { length: char.length, as: anyDigit.test(as) ? asciiDigits(as) : as }
}

/** In Unicode, the decimal digits of every script are consecutive, from zero to nine. */
const asciiDigits = (text: string) =>
  Array.from(text, (char) => {
    const code = char.codePointAt(0) ?? 0
    if (code < 0x80 || !anyDigit.test(char)) return char
    let value = 0
    while (value < 9 && anyDigit.test(String.fromCodePoint(code - value - 1))) value++
    return String(value)
  }).join('')
