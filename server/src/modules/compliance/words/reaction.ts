import { plainWords as plain } from './plain-words.ts'
import { around, reactionWords, removing, withoutText } from './reaction-words.ts'
import { phrasesOf } from './vocabulary.ts'

const prescribed: ReadonlySet<string> = new Set(phrasesOf('prescribed'))

/** A reaction to a message, which phones that cannot show it write as a text with a quotation. */
export interface Reaction {
  emoji: string
  /** Whether the person took the reaction back. */
  removed: boolean
}

const opening = '“"„«「『‟”'
const closing = '”"“»」』'

const listOf = (words: string): string[] => words.split(', ').map(plain)

const emojiOf: ReadonlyMap<string, string> = new Map(
  reactionWords.flatMap(({ emoji, gave }) =>
    listOf(Object.values(gave).join(', ')).map((phrase) => [phrase, emoji] as const),
  ),
)
const takenBack: ReadonlyMap<string, string> = new Map(
  reactionWords.flatMap(({ emoji, took }) => listOf(took).map((phrase) => [phrase, emoji] as const)),
)
const mayStandAround: ReadonlySet<string> = new Set(around.split(/, | /).map(plain))
const removal: ReadonlySet<string> = new Set(listOf(removing))
const named: ReadonlySet<string> = new Set(listOf(withoutText))

/** More than any phone writes around a quotation. */
const mostAround = 60

/**
 * The reaction that a text is, if it is one: `Liked “…”`, `Reacted 👍 to “…”`, `👍 to “…”`, in the styles of iPhones and
 * Android phones and in several languages.
 */
export function reactionIn(text: string): Reaction | undefined {
  const written = text.replaceAll(/[\u200b-\u200f\u2060\ufeff\u2066-\u2069]/g, '').trim()
  if (prescribed.has(plain(written))) return undefined
  return outsidesOf(written)
    .filter((outside) => outside.length <= mostAround && outside.trim() !== '')
    .flatMap((outside) => meaningOf(outside) ?? meaningOf(withoutName(outside)) ?? [])[0]
}

/** What stands around the quotation of a text, or before what it names instead, as in `Liked an image`. */
function outsidesOf(text: string): string[] {
  const single = /^([^'‘]{1,60}) ['‘].*['’]$/su.exec(text)?.[1]
  const to = lastOf(text, closing)
  const first = firstOf(text, opening, 0)
  if (first === -1) {
    const [, lead] =
      /^(.{1,60}?) (?:\d{1,2}|an?|the|your|una?|el|la|une|ein|eine|uma?|um) \S{3,12}$/isu.exec(text) ?? []
    const isNamed = lead !== undefined && named.has(plain(text).split(' ').at(-1) ?? '')
    return [...(isNamed ? [lead] : []), ...(single === undefined ? [] : [single])]
  }
  // A long quotation may be cut before its end.
  if (to <= first) return [text.slice(0, first)]
  // Phones also put quotation marks around the name of a reaction: Ha messo “Mi piace” a “…”.
  const second = firstOf(text, opening, firstOf(text, closing, first + 1) + 1)
  const end = firstOf(text, closing, first + 1)
  return [
    [first, to],
    [second, to],
    [first, end],
  ]
    .filter(([from = -1, until = -1]) => from !== -1 && from < until)
    .map(([from = 0, until = 0]) => `${text.slice(0, from)} ${text.slice(until + 1)}`)
}

function meaningOf(outside: string): Reaction | undefined {
  const words = plain(outside)
  const removed = words.split(' ').some((word) => removal.has(word))
  const emoji = /\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?/u.exec(outside)?.[0]
  if (emoji !== undefined) {
    const isAround = words.split(' ').every((word) => word === '' || mayStandAround.has(word))
    return isAround ? { emoji, removed } : undefined
  }
  const found = removed ? takenBackIn(words) : gaveIn(words)
  return found === undefined ? undefined : { emoji: found, removed }
}

/** Some phones and groups begin with the name of the person: `Ana Ruiz liked “…”`, `A Ana le gustó “…”`. */
const withoutName = (outside: string): string =>
  /^(?:I|We|My|They|He|She|You|Yo|Me|No|It)\b/.test(outside)
    ? outside
    : outside.replace(/^(?:A )?(?:\p{Lu}[\p{L}.'’-]{0,30} ){1,3}(?=\p{Ll})/u, '')

const gaveIn = (words: string): string | undefined =>
  emojiOf.get(words) ??
  emojiOf.get(
    words
      .replace(/^(?:hat|ha|heeft) (?:mit )?/, '')
      .replace(/ (?:markiert|bewertet|a|an|de|to|your message|tu mensaje|su mensaje)$/, ''),
  ) ??
  emojiOf.get(words.replace(/^mit /, '').replace(/ (?:your message|the message|your text)$/, ''))

/** The reaction that a removal names, with nothing but small words around the name. */
function takenBackIn(words: string): string | undefined {
  const tokens = words.split(' ')
  for (let from = 0; from < tokens.length; from++)
    for (let end = tokens.length; end > from; end--) {
      const emoji = takenBack.get(tokens.slice(from, end).join(' '))
      const isRest = [...tokens.slice(0, from), ...tokens.slice(end)].every((word) =>
        mayStandAround.has(word),
      )
      if (emoji !== undefined && isRest) return emoji
    }
  return undefined
}

function firstOf(text: string, marks: string, from: number): number {
  for (let at = from; at < text.length; at++) if (marks.includes(text[at] ?? ' ')) return at
  return -1
}

function lastOf(text: string, marks: string): number {
  for (let at = text.length - 1; at >= 0; at--) if (marks.includes(text[at] ?? ' ')) return at
  return -1
}
