/** Letters of other scripts that look like ours. */
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

/** Of no width: soft hyphens, joiners, marks of direction, and accents that stand alone. */
const invisible = /^[\p{Cf}\p{M}]$/u

const mostKept = 4000

/** Characters that were folded before. */
const kept = new Map<number, string | null>()

/** A character beyond ASCII as letters and digits of ours: empty for one that is neither, null for one that is not seen. */
export function folded(code: number): string | null {
  const known = kept.get(code)
  if (known !== undefined) return known
  const char = String.fromCodePoint(code)
  const bare = char.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const letters = [...bare]
    .map((one) => lookAlikes[one] ?? one)
    .join('')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
  const seen = invisible.test(char) ? null : letters
  if (kept.size >= mostKept) kept.clear()
  kept.set(code, seen)
  return seen
}

/** Signs that stand for letters within a word. */
const leet: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** What a word reads as: `k1ds` and `kiiids` are kids. */
export function undisguised(word: string, known: ReadonlyMap<string, number>): string {
  if (known.has(word)) return word
  const plain =
    /[0-9@$!]/.test(word) && /[a-z]/.test(word)
      ? word.replaceAll(/[0134579@$!]/g, (one) => leet[one] ?? one)
      : word
  if (known.has(plain)) return plain
  const single = plain.replaceAll(/(.)\1{2,}/g, '$1')
  return known.has(single) ? single : word.replaceAll(/[@$]/g, '')
}

/** The words of a text of ours, as rules have them. */
export const foldedWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? []
