import { type Vocabulary, follow } from './vocabulary.ts'
import type { Word } from './word.ts'

/** How many single letters in a row make a spaced-out word. */
const spacedOut = 3

/** The most pieces that a word may be split into, and the fewest letters of such a word. */
const [mostPieces, shortest] = [4, 4]

/** Joins words that are spaced out, `n o  k i d s`, or in pieces, `vou chers`, and splits words that are glued together, `nokids`. */
export function mended(words: Word[], raws: readonly string[], known: Vocabulary): Word[] {
  let result: Word[] | undefined
  for (let at = 0; at < words.length;) {
    const first = words[at] as Word
    const letters = raws[at]?.length === 1 ? lettersAt(words, raws, at, known) : undefined
    const mayMend = first.id === 0 || words[at + 1]?.id === 0
    const found =
      letters ??
      (mayMend ? (inPieces(words, raws, at, known) ?? unglued(first, raws[at] ?? '', at, known)) : undefined)
    if (found !== undefined) result ??= words.slice(0, at)
    if (found === undefined) result?.push(first)
    else result?.push(...found.words)
    at = found?.end ?? at + 1
  }
  return result ?? words
}

/** Words read from others; `end` is the end of those, exclusive. */
interface Mended {
  words: readonly Word[]
  end: number
}

/** Finds words of the rules in a run of single letters. */
function lettersAt(
  words: readonly Word[],
  raws: readonly string[],
  at: number,
  known: Vocabulary,
): Mended | undefined {
  let end = at
  while (raws[end]?.length === 1 && words[end]?.clause === words[at]?.clause) end++
  if (end - at < spacedOut) return undefined
  const codes = Array.from({ length: end - at }, (_, i) => raws[at + i]?.charCodeAt(0) ?? 0)
  const found = segmented(codes, known).map(({ from, to, id }) => {
    const [one, last] = [words[at + from] as Word, words[at + to - 1] as Word]
    return to - from === 1 ? one : { ...one, id, end: last.end }
  })
  return { words: found, end }
}

/** Digits that stand for letters: `Chr1st-ian`. */
const seenAs = new Map(
  ['0o', '1i', '3e', '4a', '5s', '7t'].map((pair) => [pair.charCodeAt(0), pair.charCodeAt(1)]),
)

/** Finds the longest word of the rules whose pieces start here. At least one piece must not be a word of the rules itself. */
function inPieces(
  words: readonly Word[],
  raws: readonly string[],
  at: number,
  known: Vocabulary,
): Mended | undefined {
  const first = words[at] as Word
  let found: Mended | undefined
  let [node, letters, areWords] = [0, 0, true]
  for (let next = at; next < at + mostPieces && next < words.length; next++) {
    const word = words[next] as Word
    const raw = raws[next] ?? ''
    if (next > at && (word.line !== first.line || word.start - (words[next - 1]?.end ?? 0) > 1)) break
    const isMixed = /\d/.test(raw) && /[a-z]/.test(raw)
    for (let i = 0; i < raw.length; i++) {
      const code = raw.charCodeAt(i)
      node = follow(known, node, (isMixed ? seenAs.get(code) : undefined) ?? code)
      if (node === 0) return found
    }
    letters += raw.length
    if (word.id === 0) areWords = false
    const id = known.ends[node] ?? 0
    if (id !== 0 && next > at && !areWords && letters >= shortest)
      found = { words: [{ ...first, id, end: word.end }], end: next + 1 }
  }
  return found
}

/** Splits letters into the words of the rules that cover the most letters. */
function segmented(codes: readonly number[], known: Vocabulary) {
  const { length } = codes
  // For each position: how many letters before it are covered, where the last word starts, and its id.
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
      node = follow(known, node, codes[end] ?? 0)
      if (node === 0) break
      const id = known.ends[node] ?? 0
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

/** A run of zero-width characters in a word: after how many letters, and its position in the text. */
export interface Cut {
  letter: number
  at: number
  next: number
}

const longestWord = 40

/** Splits a word at its zero-width characters, and joins the pieces that together form a word of the rules. */
export function piecesOf(
  raw: string,
  cuts: readonly Cut[],
  whole: Word,
  known: Vocabulary,
): { word: Word; raw: string }[] {
  const { start, end, afterComma } = whole
  const ends = [{ letter: 0, at: start, next: start }, ...cuts, { letter: raw.length, at: end, next: end }]
  const pieces: { word: Word; raw: string }[] = []
  for (let from = 0; from < ends.length - 1;) {
    const { letter, next: begin } = ends[from] as Cut
    let [to, id, node] = [from + 1, 0, 0]
    for (let next = to; next < ends.length; next++) {
      const [begun, done] = [ends[next - 1] as Cut, ends[next] as Cut]
      for (let i = begun.letter; i < done.letter; i++) {
        node = follow(known, node, raw.charCodeAt(i))
        if (node === 0) break
      }
      if (node === 0) break
      const found = known.ends[node] ?? 0
      if (found !== 0) [to, id] = [next, found]
    }
    id ||= known.ids.get(raw.slice(letter, ends[to]?.letter)) ?? 0
    const last = ends[to] as Cut
    const piece = { ...whole, id, start: begin, end: last.at, afterComma: afterComma && from === 0 }
    if (last.letter > letter) pieces.push({ word: piece, raw: raw.slice(letter, last.letter) })
    from = to
  }
  return pieces
}

/** Records a zero-width character. Merges several in a row into one cut. */
export function cutAt(cuts: Cut[], cut: Cut): void {
  const last = cuts.at(-1)
  if (last?.letter === cut.letter) last.next = cut.next
  else cuts.push(cut)
}

/** Starts of words that are two words glued together, such as `nokids` or `greatschools`. */
const glued = /^(?:no|safe|good|great|best|perfect|low|very)(?=[a-z]{4})/

function unglued(word: Word, raw: string, at: number, { ids }: Vocabulary): Mended | undefined {
  if (word.id !== 0 || raw.length < 6 || raw.length > longestWord || word.end - word.start !== raw.length)
    return undefined
  const first = glued.exec(raw)?.[0]
  const rest = first === undefined ? undefined : ids.get(raw.slice(first.length))
  if (first === undefined || rest === undefined) return undefined
  const middle = word.start + first.length
  const one = { ...word, id: ids.get(first) ?? 0, end: middle }
  return { words: [one, { ...word, id: rest, start: middle, afterComma: false }], end: at + 1 }
}
