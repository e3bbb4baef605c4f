import { hasMistyped } from './spelling.ts'
import { either } from './vocabulary.ts'

const setOf = (words: string) => new Set(words.split(', '))

const prepositions = setOf('off, from, out, of, de, del, fuera')

const placeWord = new RegExp(`^(?:${either('place')}|${either('thing')})$`)

const message = /^(?:texts?|messages|reminders|emails|communications|alerts|mensajes|avisos|notificaciones)$/

const owningWord = new RegExp(`^${either('owning')}$`)

const follows = setOf(
  'last, yesterday, twice, weeks, days, months, several, multiple, please, pls, now, thanks, thank, asap, immediately, permanently, and, or, i, im, ive, we, you, so, completely, entirely, right, today, if, because, before, already, ya, por, gracias, inmediatamente, porfavor, or, ok, also, at, altogether, forever, cuanto, no, y, porque, it, this, not, stop, dont, do, never, lo, ahora, as, que',
)

/** Whether the words of a list that an ending is `of` or `from` are our messages, our records, or nothing. */
const ofTheirs = setOf(
  'lease, title, deed, offer, contract, schedule, calendar, loan, mortgage, application, waitlist, mind, showing, account, policy',
)

const your = setOf('your, ur, su, sus, tu, tus, vuestra, vuestro')

const removal = new RegExp(
  `\\b(?:(${either('removing')}) ${either('myself')}|(${either('removesMe')}))\\b((?: [\\w~]+){0,6})`,
  'g',
)

const needsPlace = setOf('take, taking, drop, pull, get, strike, keep, clear, removed, discard')

const needsNumber = setOf('lose, forget, block, olviden, olvide, olvida')

const optingOut = new RegExp(
  '\\bopt(?:s|ed|ing|in)?(?: me| us| myself| my number| this number| my phone| my wife)? ?out\\b((?: [\\w~]+){0,6})',
  'g',
)

const nounOptOut =
  /\b(?:an|the|any|of) opt ?out\b|\bopt ?out (?:clause|period|provision|option|form|fee|language|section|deadline|window|date)\b/

/** Whether words ask to be removed from our records, to opt out, or to unsubscribe. */
export const isRemoval = (words: string): boolean =>
  isRemoved(words) || isOptingOut(words) || hasMistyped(words)

function isOurs(tokens: readonly string[]): boolean {
  let at = 0
  while (prepositions.has(tokens[at] ?? '')) at++
  if (at === 0) return tokens[0] === undefined || (follows.has(tokens[0]) && tokens[0] !== 'as')
  if (your.has(tokens[at] ?? '') && !tokens.slice(at + 1, at + 3).some((one) => ofTheirs.has(one)))
    return true
  while (owningWord.test(tokens[at] ?? '') && tokens[at + 1] !== undefined) {
    if (placeWord.test(tokens[at] ?? '') && follows.has(tokens[at + 1] ?? '')) return true
    at++
  }
  if (tokens.slice(at, at + 4).some((one) => message.test(one))) return true
  const object = tokens[at]
  if (tokens.join(' ') === 'of') return false
  return object === undefined || placeWord.test(object) || (at > 0 && follows.has(object)) || object === '~'
}

function isRemoved(words: string): boolean {
  for (const [found, verb, , following = ''] of words.matchAll(removal)) {
    const tokens = following.trim() === '' ? [] : following.trim().split(' ')
    if (verb !== undefined && needsPlace.has(verb) && !prepositions.has(tokens[0] ?? '')) continue
    if (verb !== undefined && needsNumber.has(verb) && !/ (?:my|this|mi|este|our) /.test(`${found} `))
      continue
    if (isOurs(tokens)) return true
  }
  return false
}

function isOptingOut(words: string): boolean {
  if (nounOptOut.test(words)) return false
  for (const [, following = ''] of words.matchAll(optingOut)) {
    const tokens = following.trim() === '' ? [] : following.trim().split(' ')
    if (!prepositions.has(tokens[0] ?? '') || isOurs(tokens)) return true
  }
  return false
}
