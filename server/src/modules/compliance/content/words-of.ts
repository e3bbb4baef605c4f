import { folded, undisguised } from './folding.ts'

/** A word of a text, with its place in it. */
export interface Word {
  /** The number of the word in the vocabulary; 0: no rule has it. */
  id: number
  start: number
  end: number
  /** The number of its clause: rules reach no further. */
  clause: number
  /** Whether a comma, a colon or a dash stands before it. */
  afterComma: boolean
}

/** The words of the rules, by number, and a tree of their letters, for words that are spaced out. */
export interface Vocabulary {
  ids: ReadonlyMap<string, number>
  /** 26 branches a node; the first node is the root. */
  branches: Int32Array
  /** The word that ends at a node, or 0. */
  ends: Int32Array
}

export function vocabularyOf(words: Iterable<string>): Vocabulary {
  const ids = new Map([...new Set(words)].map((word, i) => [word, i + 1]))
  const size = 1 + [...ids.keys()].reduce((sum, { length }) => sum + length, 0)
  const [branches, ends] = [new Int32Array(26 * size), new Int32Array(size)]
  let nodes = 1
  for (const [word, id] of ids) {
    if (!/^[a-z]{2,}$/.test(word)) continue
    let node = 0
    for (let i = 0; i < word.length; i++) {
      const branch = 26 * node + word.charCodeAt(i) - firstLetter
      if (branches[branch] === 0) branches[branch] = nodes++
      node = branches[branch] ?? 0
    }
    ends[node] = id
  }
  return { ids, branches, ends }
}

const firstLetter = 97

/** What an ASCII character is to a word. */
const kinds = new Uint8Array(128)
const [letter, digit, sign, apostrophe, pause, stop] = [1, 2, 3, 4, 5, 6]
const mark = (chars: string, kind: number) => {
  for (const char of chars) kinds[char.charCodeAt(0)] = kind
}
mark('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ', letter)
mark('0123456789', digit)
mark('@$', sign)
mark("'", apostrophe)
mark(',:', pause)
mark('.!?;\n', stop)

const isLetterAt = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  return code < 128 ? kinds[code] === letter : code > 191
}

/** The words of a text, each read as the word of the rules that it looks like. */
export function wordsOf(text: string, vocabulary: Vocabulary): Word[] {
  const { ids } = vocabulary
  const words: Word[] = []
  /** The letters of words of one letter. */
  const singles = new Map<number, number>()
  let [start, clause, afterComma, looks] = [-1, 0, false, 0]
  // A word that is not plain ASCII is put together; of others `start` is enough.
  let [word, isPlain, hasDigit, hasLetter, isOdd, previous, repeated] = ['', true, false, false, false, 0, 0]

  const finish = (end: number): number => {
    if (start < 0) return 0
    const raw = isPlain ? text.slice(start, end).toLowerCase() : word
    let id = ids.get(raw) ?? 0
    if (id === 0 && (isOdd || (hasDigit && hasLetter))) id = ids.get(undisguised(raw, ids)) ?? 0
    if (raw.length === 1) singles.set(words.length, raw.charCodeAt(0))
    if (raw !== '') words.push({ id, start, end, clause, afterComma })
    // One by one: an array of them for each word costs more than all else here.
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
      } else if (letters !== '') add(letters, at)
      else {
        finish(at)
        if (point === bullet) clause++
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
      if (repeated > 1) isOdd = true
      previous = code | 32
    } else if (kind === sign || (code === exclamation && start >= 0)) {
      const char = text[at] ?? ''
      if (
        isLetterAt(text, at + 1) &&
        (code !== exclamation || (looks++ < maxLooks && isDisguise(text, start, at, ids)))
      )
        add(char, at)
      else {
        finish(at)
        if (code === exclamation) clause++
      }
    } else if (kind === apostrophe) {
      if (start >= 0 && isLetterAt(text, at + 1)) add('', at)
      else finish(at)
    } else {
      const length = finish(at)
      if (kind === pause) {
        afterComma = true
        // “No, kids are fine” does not say “no kids”.
        if (length > 0 && length < 4 && words.at(-2)?.clause !== clause) clause++
      } else if (code === plus && kinds[text.charCodeAt(at - 1)] === digit)
        words.push({ id: ids.get('+') ?? 0, start: at, end: at + 1, clause, afterComma: false })
      else if (kind === stop) {
        const next = text.charCodeAt(at + 1)
        // A point within `n.o. k.i.d.s` ends nothing.
        const isAbbreviation = code === point && (length === 1 || !(Number.isNaN(next) || next <= 32))
        if (!isAbbreviation) [clause, afterComma] = [clause + 1, false]
      }
    }
  }
  finish(text.length)
  return singles.size < spacedOut ? words : joined(words, singles, vocabulary)
}

const [exclamation, plus, point, bullet, closingQuote] = [33, 43, 46, 0x2022, 0x2019]
const longestWord = 40
/** A text has no more exclamation marks within words that are looked at so. */
const maxLooks = 20

/** Whether the exclamation mark at a place stands for a letter of a word of the rules. */
function isDisguise(text: string, start: number, at: number, ids: ReadonlyMap<string, number>): boolean {
  const rest = /^![a-z0-9!@$]*/i.exec(text.slice(at, at + longestWord))?.[0] ?? ''
  const whole = text.slice(Math.max(start, at - longestWord), at) + rest
  return ids.has(undisguised(whole.toLowerCase(), ids))
}

/** At least so many single letters in a row are a word that is spaced out. */
const spacedOut = 3

/** The same with spaced-out words together: `n o  k i d s`. */
function joined(words: readonly Word[], singles: ReadonlyMap<number, number>, known: Vocabulary): Word[] {
  const result: Word[] = []
  for (let at = 0; at < words.length;) {
    const first = words[at] as Word
    let end = at
    while (singles.has(end) && words[end]?.clause === first.clause) end++
    if (end - at < spacedOut) {
      result.push(first)
      at++
      continue
    }
    const codes = Array.from({ length: end - at }, (_, i) => singles.get(at + i) ?? 0)
    for (const { from, to, id } of segmented(codes, known)) {
      const [one, last] = [words[at + from] as Word, words[at + to - 1] as Word]
      result.push(to - from === 1 ? one : { ...one, id, end: last.end })
    }
    at = end
  }
  return result
}

/** Single letters as the words of the rules that cover most of them. */
function segmented(codes: readonly number[], { branches, ends }: Vocabulary) {
  const { length } = codes
  // How many letters are covered up to here, where the last word begins, and which one it is.
  const [covered, froms, ids] = [
    new Int32Array(length + 1),
    new Int32Array(length + 1).fill(-1),
    new Int32Array(length + 1),
  ]
  const offer = (end: number, from: number, id: number, gain: number) => {
    const total = (covered[from] ?? 0) + gain
    if (froms[end] !== -1 && total <= (covered[end] ?? 0)) return
    covered[end] = total
    froms[end] = from
    ids[end] = id
  }
  for (let from = 0; from < length; from++) {
    offer(from + 1, from, 0, 0)
    let node = 0
    for (let end = from; end < length; end++) {
      const branch = (codes[end] ?? 0) - firstLetter
      node = branch >= 0 && branch < 26 ? (branches[26 * node + branch] ?? 0) : 0
      if (node === 0) break
      const id = ends[node] ?? 0
      if (id !== 0) offer(end + 1, from, id, end + 1 - from)
    }
  }
  const found: { from: number; to: number; id: number }[] = []
  for (let to = length; to > 0;) {
    const from = froms[to] ?? to - 1
    found.push({ from, to, id: ids[to] ?? 0 })
    to = from
  }
  return found.toReversed()
}
