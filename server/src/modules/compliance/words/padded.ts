import { isNoContact } from './endings.ts'
import { plainWords } from './plain-words.ts'
import { isMistyped } from './spelling.ts'
import { phrasesOf } from './vocabulary.ts'

/** A prescribed word with nothing but what people put around it. */
export interface Padded {
  action: 'opt_out' | 'opt_in' | 'help'
  noContact: boolean
}

type Kind = 'stop' | 'weak' | 'start' | 'help' | 'polite' | 'padding'

const kindOf = new Map<string, Kind>(
  (['padding', 'polite', 'help', 'start', 'weak', 'stop'] as const).flatMap((kind) =>
    phrasesOf(kind).map((phrase) => [phrase, kind] as const),
  ),
)

/** An ending that is not wanted: `No quiero darme de baja`. */
const wantsToStay = /\bno (?:quiero|deseo|quisiera) (?:que|dar|par|desus)/

const longestPhrase = 8

const mostWords = 30

/** The request that words are, if they are nothing but prescribed words and what people put around them. */
export function paddedRequest(words: string): Padded | undefined {
  const tokens = words.split(' ')
  if (words === '' || tokens.length > mostWords || wantsToStay.test(words)) return undefined
  const kinds = new Set<Kind>()
  const others: string[] = []
  let noContact = false
  for (let at = 0; at < tokens.length;) {
    let length = Math.min(longestPhrase, tokens.length - at)
    while (length > 1 && !kindOf.has(tokens.slice(at, at + length).join(' '))) length--
    const phrase = tokens.slice(at, at + length).join(' ')
    const kind = kindOf.get(phrase)
    if (kind === undefined) others.push(phrase)
    else kinds.add(kind)
    noContact ||= kind === 'stop' && isNoContact(phrase)
    at += length
  }
  const [other, another] = others
  if (other !== undefined && (another !== undefined || !isMistyped(other))) return undefined
  if (kinds.has('stop') || other !== undefined) return { action: 'opt_out', noContact }
  if (kinds.has('padding')) return undefined
  if (kinds.has('weak')) return { action: 'opt_out', noContact: false }
  if (kinds.has('start') === kinds.has('help')) return undefined
  return { action: kinds.has('start') ? 'opt_in' : 'help', noContact: false }
}

/** Words with which a prescribed word before a name means something else, as in `Stop Sign`. */
const noNames =
  /^(?:by|at|in|on|off|over|for|the|a|an|it|if|when|sign|signs|light|lights|payment|order|work|\d{1,3}|.*ing)$/
const company =
  /^(?:realty|realtors?|homes|properties|group|team|estates?|llc|inc|associates|brokers?|brokerage|agency|mortgage|lending|inmobiliaria)$/

/**
 * Whether a text is a prescribed word and the name of who sent us to the author: `STOP Lakeside Realty`; or begins with one in
 * capitals, as our instructions write it: `STOP to 55512`.
 */
export function isAddressed(text: string): boolean {
  const [first = '', ...names] = text.trim().split(/[\s,:–—-]+/u)
  const words = names.map(plainWords)
  if (!/^\W?(?:stop|unsubscribe|alto|basta)$/i.test(first)) return false
  if (names.length === 0 || names.length > 4 || words.some((word) => noNames.test(word))) return false
  const isCapital = names.every((name) => /^\p{Lu}/u.test(name) || /^(?:of|and|&|de|y)$/.test(name))
  const isShouted = names.every((name) => name === name.toUpperCase())
  return (
    (isCapital && !isShouted) ||
    words.some((word) => company.test(word)) ||
    /^to \d{4,7}$/.test(words.join(' '))
  )
}
