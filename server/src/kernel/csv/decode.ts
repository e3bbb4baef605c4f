import { isUtf8 } from 'node:buffer'
import { UnreadableFile } from './unreadable-file.ts'

/** What the bytes of a file are, if they are no text. */
const signatures: readonly [bytes: string, kind: string][] = [
  ['504b0304', 'an Excel workbook or a ZIP archive'],
  ['d0cf11e0', 'an old Excel workbook'],
  ['25504446', 'a PDF'],
  ['1f8b', 'a compressed file'],
  ['7b5c727466', 'a rich text document'],
]

/** Rejects files that are not text. A program may give any of them the ending .csv. */
export function requireCsv(start: Uint8Array): void {
  const hex = Buffer.from(start.subarray(0, 8)).toString('hex')
  const kind = signatures.find(([bytes]) => hex.startsWith(bytes))?.[1]
  if (kind !== undefined) throw new UnreadableFile(1, `the file is ${kind}, not CSV. Save it as “CSV UTF-8”`)
}

/**
 * The encoding that the start of a file declares by a byte order mark, or shows by the zero bytes of UTF-16. Undefined
 * otherwise.
 */
export function declaredEncoding(start: Uint8Array): string | undefined {
  const [a, b, c] = start
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  const head = start.subarray(0, 200)
  const zeros = (parity: number) => head.filter((byte, at) => byte === 0 && at % 2 === parity).length
  const [even, odd] = [zeros(0), zeros(1)]
  if (odd > head.length / 4 && even === 0) return 'utf-16le'
  if (even > head.length / 4 && odd === 0) return 'utf-16be'
  return undefined
}

/** Whether all bytes are ASCII, so that they decide nothing. */
const isAscii = (bytes: Uint8Array) => bytes.every((byte) => byte < 0x80)

/**
 * Decodes complete lines, which begin at `line`. Returns the encoding, too, once it is known: the one that is given, else
 * UTF-8 if the bytes are, else the one of Windows or of the Macintosh that makes words of them. Never replaces a byte.
 */
export function decode(
  bytes: Uint8Array,
  known: string | null,
  line: number,
): { text: string; encoding: string | null } {
  if (known === null && isAscii(bytes)) return { text: textOf(bytes, 'utf-8', line), encoding: null }
  if (known !== null) return { text: textOf(bytes, known, line), encoding: known }
  const lenient = new TextDecoder().decode(bytes)
  const broken = lenient.split('\uFFFD').length - 1
  const whole = lenient.match(/[^\0-\x7F\uFFFD]/gu)?.length ?? 0
  // Damaged UTF-8 in any other encoding would be readable nonsense.
  if (isUtf8(bytes) || whole > broken) return { text: textOf(bytes, 'utf-8', line), encoding: 'utf-8' }
  const [best] = ['windows-1252', 'macintosh']
    .map((encoding) => {
      const text = new TextDecoder(encoding).decode(bytes)
      return { encoding, text, score: plausibility(text) }
    })
    .toSorted((one, other) => other.score - one.score)
  if (best === undefined || best.score < 0)
    throw new UnreadableFile(
      lineOf(lenient, line),
      'the character encoding is unknown. Save the file as “CSV UTF-8”',
    )
  return best
}

function textOf(bytes: Uint8Array, encoding: string, line: number): string {
  const text = new TextDecoder(encoding).decode(bytes)
  if (text.includes('\uFFFD'))
    throw new UnreadableFile(
      lineOf(text, line),
      `has a character that is not ${encoding.toUpperCase()}, or that another program has lost. Save the file again as “CSV UTF-8”`,
    )
  if (text.includes('\0'))
    throw new UnreadableFile(lineOf(text, line, '\0'), 'has a zero byte: it is not text')
  return text
}

const lineOf = (text: string, first: number, sought = '\uFFFD') =>
  first + linesIn(text.slice(0, text.indexOf(sought)))

/** The number of line ends: CR LF, LF, or CR. */
export const linesIn = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0

const usual = new Set('áéíóúñüçàèìòùâêîôûäëïöåøæßãõ“”‘’–—•…™®©°½¼¾²³·´¡¿€£¢§ªº\u00A0×ÁÉÍÓÚÑÜÇÀÈÖÄÅØ')
const isLower = (text: string | undefined) => text !== undefined && /\p{Ll}/u.test(text)
const isUpper = (text: string) => /\p{Lu}/u.test(text)
const isForeignLetter = (text: string | undefined) =>
  text !== undefined && /[^\0-\x7F]/.test(text) && /\p{L}/u.test(text)

/** How much the characters beyond ASCII are those of European words and of typography, judged by their neighbors. */
function plausibility(text: string): number {
  let score = 0
  for (const { index, 0: char } of text.matchAll(/[^\0-\x7F]/g)) {
    const [before, after] = [text[index - 1], text[index + 1]]
    const inWord = isLower(before) && isLower(after)
    if (!usual.has(char)) score -= 2
    else if (isUpper(char) && isLower(before)) score -= 2
    else if (isForeignLetter(char) && isForeignLetter(before) && isForeignLetter(after)) score -= 3
    else if (char === '’' && inWord)
      score += /^(?:s|t|d|m|ll|re|ve)(?!\p{L})/u.test(text.slice(index + 1, index + 5)) ? 1 : -1
    else if (inWord && !isForeignLetter(char)) score -= 1
    else score += 1
  }
  return score
}
