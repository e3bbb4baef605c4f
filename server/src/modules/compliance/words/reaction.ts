import { optOut } from './patterns.ts'
import { plainWords as plain } from './plain-words.ts'

/** A reaction to a message, which phones that cannot show it write as a text with a quotation. */
export interface Reaction {
  emoji: string
  /** Whether the person took the reaction back. */
  removed: boolean
}

const opening = '“"„«「『‟”'
const closing = '”"“»」』'

/** What phones write for their named reactions, by language. A reaction is followed, or enclosed, by the quotation. */
const named: readonly (readonly [emoji: string, phrases: string])[] = [
  [
    '👍',
    'gave a thumbs up to, thumbs up, a thumbs up from, un me gusta de, dijo que le gusta, ha dicho que le gusta, ha marcado con me gusta, marcó con me gusta, j’ai aimé, j’aime de, mag, mochte, gefällt mir von, mit gefällt mir, um curtir de, gostei de, ha apprezzato, apprezza, un mi piace da, tykkäsi, podoba się, нравится, liked, a like from, le gustó, le ha gustado, me gusta, indicó que le gusta, a aimé, j’aime, aime, gefällt, gefällt mir, curtiu, gostou de, ha messo mi piace a, mi piace, piace, vond leuk, vindt leuk, gillade, likte, syntes om, polubił, понравилось, 赞了, 点赞了, いいね',
  ],
  [
    '❤️',
    'hearted, a love from, un me encanta de, ha dicho que le encanta, ha marcado con me encanta, j’adore, liebte, mit liebe, ama, amei, ha amato, elsker, люблю, loved, a heart from, le encantó, le ha encantado, me encanta, amó, a adoré, adore, liebt, geliebt, adorou, amou, ha adorato, adora, vond geweldig, älskade, elskede, любит, 爱心, 喜爱了',
  ],
  [
    '👎',
    'gave a thumbs down to, a thumbs down from, un no me gusta de, je n’aime pas, mag nicht, não gosta de, non ha apprezzato, disliked, a dislike from, no le gustó, no le ha gustado, no me gusta, n’a pas aimé, gefällt nicht, não curtiu, não gostou de, non piace, vond niet leuk',
  ],
  [
    '😂',
    'laughed, un jaja de, ha dicho que le da risa, le hizo gracia, le ha hecho gracia, a trouvé drôle, a ri à, fand lustig, lachte über, rindo de, achou engraçado, ha riso di, ha trovato divertente, laughed at, a laugh from, le dio risa, le ha dado risa, se rio de, se rió de, se ha reído de, me divierte, le divirtió, a ri de, a ri, lacht über, riu de, achou graça de, ha riso per, ride per, lachte om',
  ],
  [
    '‼️',
    'highlighted, stressed, unos signos de exclamación de, subrayó, ha subrayado, a insisté, unterstrich, betonte, sublinhou, ha sottolineato, emphasized, emphasised, an exclamation from, an emphasis from, enfatizó, ha enfatizado, destacó, ha destacado, resaltó, a souligné, a mis en évidence, a insisté sur, betont, hervorgehoben, enfatizou, deu ênfase a, destacou, ha enfatizzato, ha evidenziato, benadrukte',
  ],
  [
    '❓',
    'wondered about, una interrogación de, ha preguntado por, s’interroge sur, fragte nach, stellte in frage, tem dúvidas sobre, si chiede, questioned, a question mark from, a question from, cuestionó, ha cuestionado, preguntó sobre, puso en duda, s’est interrogé sur, a questionné, hinterfragt, questionou, perguntou sobre, ha messo in dubbio, twijfelde aan',
  ],
]

const emojiOf = new Map(
  named.flatMap(([emoji, phrases]) => phrases.split(', ').map((phrase) => [plain(phrase), emoji] as const)),
)

/** What may stand around an emoji: the words with which phones and languages say “reacted with … to”. */
const around = new Set(
  'reacted, with, to, a, from, removed, reaccionó, reacciono, ha, reaccionado, con, al, mensaje, eliminó, quitó, la, reacción, de, à, réagi, avec, supprimé, réaction, hat, mit, auf, reagiert, reaktion, entfernt, reagiu, com, removeu, reação, ha reagito, reagito, rimosso, ha rimosso, reazione, reageerde, met, op, verwijderde, reagerade, med, på, reagierte, reagerte, für, zu, and, 对, に, とリアクションしました, を, 了, のメッセージに, the, message, your, il, messaggio, un, het, bericht, entfernte, borró'
    .split(/, | /)
    .map(plain),
)

const removal = new Set(
  'removed, eliminó, quitó, borró, supprimé, entfernt, entfernte, removeu, rimosso, verwijderde'
    .split(', ')
    .map(plain),
)

/** What a reaction without a quotation names. */
const kinds = new Set(
  'image photo picture video movie attachment message sticker link imagen foto archivo adjunto mensaje bild imagem immagine gif audio location'.split(
    ' ',
  ),
)

/** More than any phone writes around a quotation. */
const mostAround = 60

/**
 * The reaction that a text is, if it is one: `Liked “…”`, `Reacted 👍 to “…”`, `👍 to “…”`, in the styles of iPhones and
 * Android phones and in several languages.
 */
export function reactionIn(text: string): Reaction | undefined {
  const written = text.replaceAll(/[\u200b-\u200f\u2060\ufeff\u2066-\u2069]/g, '').trim()
  if (optOut.has(plain(written))) return undefined
  return outsidesOf(written)
    .filter((outside) => outside.length <= mostAround && outside.trim() !== '')
    .flatMap((outside) => meaningOf(outside) ?? [])[0]
}

/** What stands around the quotation of a text, or before what it names instead, as in `Liked an image`. */
function outsidesOf(text: string): string[] {
  const to = lastOf(text, closing)
  const first = firstOf(text, opening, 0)
  if (first === -1 || to <= first) {
    const [, lead] =
      /^(.{1,40}?) (?:an?|the|your|una?|el|la|une|ein|eine|uma?|um) \S{3,12}$/isu.exec(text) ?? []
    return lead !== undefined && kinds.has(plain(text).split(' ').at(-1) ?? '') ? [lead] : []
  }
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
    const isAround = words.split(' ').every((word) => word === '' || around.has(word))
    return isAround ? { emoji, removed } : undefined
  }
  const phrase = removed ? words.replace(/^\S+ /, '') : words
  const found =
    emojiOf.get(phrase) ?? emojiOf.get(phrase.replace(/^(?:hat|mit) /, '').replace(/ (?:markiert|a|de)$/, ''))
  return found === undefined ? undefined : { emoji: found, removed }
}

function firstOf(text: string, marks: string, from: number): number {
  for (let at = from; at < text.length; at++) if (marks.includes(text[at] ?? ' ')) return at
  return -1
}

function lastOf(text: string, marks: string): number {
  for (let at = text.length - 1; at >= 0; at--) if (marks.includes(text[at] ?? ' ')) return at
  return -1
}
