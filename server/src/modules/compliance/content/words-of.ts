/** A word of a text in the form in which rules have it, with its place in the text. */
export interface Word {
  word: string
  start: number
  end: number
  /** The number of its clause: rules reach no further. */
  clause: number
}

/** The words of the rules, and what they begin with. */
export interface Vocabulary {
  words: ReadonlySet<string>
  beginnings: ReadonlySet<string>
}

export const vocabularyOf = (words: ReadonlySet<string>): Vocabulary => ({
  words,
  beginnings: new Set([...words].flatMap((word) => [...word].map((_, i) => word.slice(0, i + 1)))),
})

/** Letters of other scripts that look like ours, and signs that stand for letters within a word. */
const lookAlikes: Readonly<Record<string, string>> = {
  ...pairs('аaвbсcԁdеeёeһhнhіiїiјjкkмmоoрpгrѕsтtуyхxԝwѵvɡg'),
  ...pairs('αaβbεeηnικκkνvοoρpτtυuχxωwγyσsςs'),
  ...pairs('ɑaıiłløođdħhʀr'),
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
}

function pairs(text: string): Record<string, string> {
  const letters = [...text]
  return Object.fromEntries(letters.flatMap((one, i) => (i % 2 === 0 ? [[one, letters[i + 1] ?? '']] : [])))
}

const leet: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
}

/** Of no width: soft hyphens, joiners, marks of direction, and accents that stand alone. */
const invisible = /[\p{Cf}\p{M}]/u

/** A character as letters and digits of ours, or empty for one that is neither. */
function folded(char: string): string {
  const code = char.charCodeAt(0)
  if (code < 128) {
    if ((code > 47 && code < 58) || (code > 96 && code < 123)) return char
    return code > 64 && code < 91 ? char.toLowerCase() : ''
  }
  const known = others.get(char)
  if (known !== undefined) return known
  const bare = char.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const letters = [...bare]
    .map((one) => lookAlikes[one] ?? one)
    .join('')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
  if (others.size > mostOthers) others.clear()
  others.set(char, letters)
  return letters
}

const mostOthers = 2000

/** Characters beyond ASCII that were folded before. */
const others = new Map<string, string>()

const endsClause = new Set(['.', '!', '?', ';', '\n', '•'])

/** The words of a text. `known` decides how a disguised word reads. */
export function wordsOf(text: string, known: Vocabulary): Word[] {
  const words: Word[] = []
  let [word, start, clause] = ['', 0, 0]
  const finish = (end: number) => {
    if (word !== '') words.push({ word: undisguised(word, known.words), start, end, clause })
    word = ''
  }
  for (let at = 0; at < text.length;) {
    const char = String.fromCodePoint(text.codePointAt(at) ?? 0)
    const next = at + char.length
    const letters = folded(char)
    if (letters !== '') {
      if (word === '') start = at
      word += letters
    } else if (!isWithin(char, text, at, word)) {
      // A point within `n.o. k.i.d.s` ends nothing.
      const isAbbreviation = char === '.' && (word.length === 1 || !/^\s?$/.test(text[next] ?? ''))
      finish(at)
      if (char === '+' && /\d/.test(text[at - 1] ?? ''))
        words.push({ word: '+', start: at, end: next, clause })
      if (endsClause.has(char) && !isAbbreviation) clause++
    } else if (char in leet) {
      if (word === '') start = at
      word += char
    }
    at = next
  }
  finish(text.length)
  return joined(words, known)
}

/** Whether the character belongs to the word around it: an apostrophe, an invisible one, or one that stands for a letter. */
function isWithin(char: string, text: string, at: number, word: string): boolean {
  if (invisible.test(char)) return true
  const letterFollows = /\p{L}/u.test(text[at + 1] ?? '')
  if (char === "'" || char === '’') return word !== '' && letterFollows
  return (char === '@' || char === '$') && letterFollows
}

/** The word, or what it reads as: `k1ds` and `kiiids` are kids. */
function undisguised(word: string, known: ReadonlySet<string>): string {
  if (known.has(word)) return word
  const plain =
    /[0-9@$]/.test(word) && /[a-z]/.test(word)
      ? word.replaceAll(/[0134579@$]/g, (one) => leet[one] ?? one)
      : word
  if (known.has(plain)) return plain
  const single = plain.replaceAll(/(.)\1{2,}/g, '$1')
  return known.has(single) ? single : word.replaceAll(/[@$]/g, '')
}

/** At least so many single letters in a row are a word that is spaced out. */
const spacedOut = 3

/** The same with spaced-out words together: `n o  k i d s`. */
function joined(words: readonly Word[], known: Vocabulary): Word[] {
  const result: Word[] = []
  for (let at = 0; at < words.length;) {
    let end = at
    while (end < words.length && isLetter(words[end]) && words[end]?.clause === words[at]?.clause) end++
    if (end - at >= spacedOut) {
      for (const one of segmented(words.slice(at, end), known)) result.push(one)
      at = end
    } else {
      const one = words[at++]
      if (one !== undefined) result.push(one)
    }
  }
  return result
}

const isLetter = (one: Word | undefined) => one !== undefined && /^\p{L}$/u.test(one.word)

/** Single letters as the words of the rules that cover most of them. */
function segmented(letters: readonly Word[], { words, beginnings }: Vocabulary): Word[] {
  const text = letters.map(({ word }) => word).join('')
  // How many letters are covered up to here, and where the last word begins.
  const best = Array.from({ length: text.length + 1 }, (_, end) => ({ covered: 0, from: end - 1 }))
  for (let from = 0; from < text.length; from++) {
    const covered = best[from]?.covered ?? 0
    for (let end = from + 1; end <= text.length; end++) {
      const part = text.slice(from, end)
      if (!beginnings.has(part)) break
      offer(end, covered + (end - from > 1 && words.has(part) ? end - from : 0), from)
    }
    offer(from + 1, covered, from)
  }
  function offer(end: number, covered: number, from: number): void {
    const place = best[end]
    if (place !== undefined && covered > place.covered) best[end] = { covered, from }
  }
  const found: Word[] = []
  for (let end = text.length; end > 0;) {
    const { from } = best[end] ?? { from: end - 1 }
    const [first, last] = [letters[from], letters[end - 1]]
    if (first !== undefined && last !== undefined)
      found.push({ ...first, word: text.slice(from, end), end: last.end })
    end = from
  }
  return found.toReversed()
}
