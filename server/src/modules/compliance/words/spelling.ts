import { either } from './vocabulary.ts'

const setOf = (words: string) => new Set(words.split(', '))

/** How people write words in haste, in both languages. */
const inHaste: readonly (readonly [RegExp, string])[] = [
  [/\bd\b/g, 'de'],
  [/\b(?:q|k)\b/g, 'que'],
  [/\b(?:xfa|xfavor|x favor|pf|pfa|porfas)\b/g, 'por favor'],
  [/\bq(?=ier|it[eao])/g, 'qu'],
  [/\bkit(?=[aeo])/g, 'quit'],
  [/\bsak(?=e)/g, 'saqu'],
  [/\bsak(?=a)/g, 'sac'],
  [/\bkier/g, 'quier'],
  [/\be?scri[bv]/g, 'escrib'],
  [/\bmensag/g, 'mensaj'],
  [/\b(?:msjs?|mjs|sms s)\b/g, 'mensajes'],
  [/\byam(?=[ae])/g, 'llam'],
  [/\b(?:cansel|cancle)/g, 'cancel'],
  [/\bvorr/g, 'borr'],
  [/\bvaja\b/g, 'baja'],
  [/\b(?:plz+|ples|pleas|plese|plase|pease)\b/g, 'please'],
  [/\b(?:nomore|nmore|nomor|no mor)\b/g, 'no more'],
  [/\b(?:qiut|qut|quti|quitt|quite) (?=text|messag|call|contact|send|email|bother|bug)/g, 'quit '],
  [/\b(?:stp|stoop) (?=text|messag|call|contact|send|email|bother|bug)/g, 'stop '],
  [/\boutt+\b/g, 'out'],
  [/\b(?:w|wit|wth|wiht)\b/g, 'with'],
  [/\bda\b/g, 'the'],
  [/\bestop\b/g, 'stop'],
  [/\bporfabor\b/g, 'por favor'],
  [/\blemme\b/g, 'let me'],
  [/\b(?:lv|leav|leve)\b/g, 'leave'],
  [/\bdel (?=my|me|this|number)/g, 'delete '],
  [/\bb (?=\w+(?:ing|in|n)\b)/g, 'be '],
  [/\bte?xtn\b/g, 'texting'],
  [/\b(text|send|call|messag|email|spam|harass|contact|annoy|bugg|writ|bother|hitt|blow|ring)in\b/g, '$1ing'],
]

/** Words that a typo of a verb of ending may stand before; before the second, even if it is a word of its own. */
const mayFollow = new RegExp(`^(?:${either('doing')}|${either('thing')}|these|the|all|your|this|sending)$`)
const mustBeEnded = new RegExp(`^(?:${either('doing')}|messages|texts|emails)$`)

/** Words of requests that are long enough to be recognized with a typo, and words that are close to them. */
const long =
  'remove, delete, unsubscribe, texting, messages, message, sending, contacting, mensajes, escriban, cancelar, messaging'.split(
    ', ',
  )
const closeToLong = setOf(
  'removed, remover, remote, deleted, massage, massages, testing, vending, bending, lending, mending, spending, escriben, cancelara, cancelas, message, mensaje, tending, fending, pending, ending, passages, seending, texting, texing, exiting, deletes, removal, resting, nesting, remodel',
)

/** A single word that is one slip away from one of these counts as that word, unless it is a word of its own. */
const short = 'stop, stopall, unsubscribe, cancel, revoke, optout, alto, cancelar, unsub'.split(', ')
const closeToShort = setOf(
  'shop, slop, step, atop, stow, swop, top, sop, strop, cancer, evoke, stops, stoop, store, story, stock, stomp, revoked, cancels, stopped, unstop, stope, spot, post, cancel, cancela, cancelo',
)
const closeToAlto = setOf(
  'auto, also, salto, alta, gato, dato, rato, pato, bajo, altos, alton, halt, aldo, santo, asalto',
)

/** Words that people spell out, as in `S T O P`, and those that they write without blanks, as in `STOPSTOP`. */
const spelledOut = setOf('stop, stopall, unsubscribe, optout, cancelar, basta, alto, baja')
const strung = String.raw`stop|unsubscribe|optout|quit|cancel|basta|alto|baja`
const strungWith = `${strung}|all|it|now|please|pls|plz|ya|porfavor|me|texting|text|messaging|calling|this|the`
const isStrung = new RegExp(`^(?=.*(?:${strung}))(?:${strungWith}){2,12}$`)
const inStrung = new RegExp(strungWith, 'g')

/** Writes out what stands for a word: `S.T.O.P`, `st0p`, `stoppp`, `STOPSTOP`, 🛑. */
export function writtenOut(text: string): string {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((one) => one !== '')
  const joined = words.join('')
  const isSpelled =
    words.length > 1 &&
    (words.every((word) => word.length === 1) || (words.length < 6 && spelledOut.has(joined.toLowerCase())))
  return (isSpelled ? joined : text)
    .replaceAll(/(\p{L})\1{2,}/gu, '$1')
    .replaceAll(/\bst0p/gi, 'stop')
    .replaceAll(/🚫|🖕/gu, ' no more ')
    .replaceAll(/🛑|⛔/gu, words.length <= 5 ? '. stop . ' : ' ')
    .replaceAll(/\b[a-z]{8,80}\b/gi, (word) => {
      const known = word.toLowerCase().replaceAll(/stopp(?=stop|$)/g, 'stop')
      return isStrung.test(known) ? (known.match(inStrung) ?? []).join(' ') : word
    })
}

/** Corrects a typo of `stop` or `cancel` before what could be ended, of `opt out`, and of long words. */
export function corrected(words: string): string {
  const tokens = inHaste.reduce((text, [pattern, meant]) => text.replaceAll(pattern, meant), words).split(' ')
  return tokens
    .map((word, at) => verbOf(word, tokens[at + 1] ?? ''))
    .map((word, at, corrections) => longOf(word, corrections[at + 1] ?? ''))
    .join(' ')
    .replaceAll(/\bopt (?:oyt|otu|ot)\b/g, 'opt out')
}

function verbOf(word: string, next: string): string {
  const isWord = closeToShort.has(word)
  if (word !== 'stop' && isOneSlip(word, 'stop') && (isWord ? mustBeEnded : mayFollow).test(next))
    return 'stop'
  if (!isWord && isOneSlip(word, 'cancel') && mayFollow.test(next)) return 'cancel'
  return /^(?:otp|opy|pot|ot|op|optt|opr|oot)$/.test(word) && /^(?:out|oyt|otu)$/.test(next) ? 'opt' : word
}

function longOf(word: string, next: string): string {
  if (word.length < 5 || closeToLong.has(word)) return word
  const meant =
    long.find((one) => isOneSlip(word, one)) ??
    (next.length === 1 ? long.find((one) => isOneSlip(word + next, one)) : undefined)
  const isWhole =
    meant === undefined || word.startsWith(meant) || (meant.startsWith(word) && next.length !== 1)
  return isWhole ? word : meant
}

/** Whether a word that stands alone is a prescribed one with a slip. */
export const isMistyped = (word: string): boolean =>
  !word.includes(' ') &&
  !closeToShort.has(word) &&
  !closeToAlto.has(word) &&
  short.some((meant) => isOneSlip(word, meant))

/** Whether one of the words is `unsubscribe` with a slip. */
export const hasMistyped = (words: string): boolean =>
  words
    .split(' ')
    .some((word) => word.length > 8 && !word.startsWith('unsubscrib') && isOneSlip(word, 'unsubscribe'))

/** One letter added, missing, or replaced, or two adjacent letters swapped. */
function isOneSlip(word: string, meant: string): boolean {
  let start = 0
  while (start < meant.length && word[start] === meant[start]) start++
  const rest = (text: string, skipped: number) => text.slice(start + skipped)
  const exchanged = (meant[start + 1] ?? '') + (meant[start] ?? '')
  return (
    rest(word, 1) === rest(meant, 0) ||
    rest(word, 0) === rest(meant, 1) ||
    rest(word, 1) === rest(meant, 1) ||
    (exchanged.length === 2 && rest(word, 0).startsWith(exchanged) && rest(word, 2) === rest(meant, 2))
  )
}
