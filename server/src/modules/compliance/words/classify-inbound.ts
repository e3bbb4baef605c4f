import { ownWords } from './own-words.ts'
import {
  type Ending,
  about,
  aboutWithoutMark,
  again,
  certain,
  delight,
  demand,
  elsewhere,
  endsIt,
  follows,
  help,
  inHaste,
  instruction,
  joinable,
  key,
  means,
  mention,
  mistyped,
  namesTime,
  namesUs,
  needsNumber,
  needsPlace,
  nextToTypo,
  noContact as noContactWords,
  notKey,
  notThen,
  nounOptOut,
  ofTheirs,
  optIn,
  optOut,
  optingOut,
  ordinary,
  otherNumber,
  otherWords,
  owningWord,
  placeWord,
  preference,
  prepositions,
  realWords,
  removal,
  review,
  rules,
  strong,
  triggers,
  unclear,
  wanted,
  wrongNumber,
  your,
} from './patterns.ts'
import { type Sentence, foldWords, plainWords, sentencesOf } from './plain-words.ts'
import { reactionIn } from './reaction.ts'
import { phrasesOf } from './vocabulary.ts'

/** What an inbound message asks for. Classified before anyone or anything else reads it. */
export interface Classified {
  action: 'opt_out' | 'opt_in' | 'help' | 'wrong_number' | 'review' | 'none'
  /** `exact`: one of the prescribed keywords, alone. `fuzzy`: the same meaning in other words. */
  match: 'exact' | 'fuzzy' | null
  /** For an opt-out: the person wants no contact at all. A later START does not undo this. */
  noContact?: true
}

export interface Circumstances {
  /** The person is opted out now. */
  optedOut: boolean
  /** They wrote to a toll-free number, where YES does not opt in. */
  tollfree?: boolean
  /** What we sent to the person. Four of our words in a row are a quotation of ours, and never the author’s. */
  ours?: readonly string[]
}

/**
 * Classifies an inbound message. The author’s words are separated first: reactions, quotations and signatures are none.
 * Of what remains, a prescribed word counts alone, repeated, or padded; a verb of ending counts if its object is our
 * messages. A question about it, or an ending at certain times, goes to a person as `review`. In doubt, a request is an
 * opt-out, but never for a quotation of ours.
 */
export function classifyInbound(
  text: string,
  { optedOut, tollfree = false, ours = [] }: Circumstances,
): Classified {
  if (reactionIn(text) !== undefined) return none
  const own = ownWords(text, ours)
  const isAside = own.includes('§') && own.split('§').some((one) => optOut.has(plainWords(one)))
  if (isAside) return { action: 'opt_out', match: 'fuzzy' }
  const judged = judge(own, optedOut, tollfree)
  // Words of the author around a run of ours: perhaps all of them are the author's.
  const isMixed = sentencesOf(own).some(({ words }) => words.includes('§') && /[a-z]/.test(words))
  return judged.action === 'none' && isMixed && judge(ownWords(text), optedOut, tollfree).action === 'opt_out'
    ? { action: 'review', match: 'fuzzy' }
    : judged
}

function judge(own: string, optedOut: boolean, tollfree: boolean): Classified {
  const plain = plainWords(own)
  const exact = exactly(plain, optedOut && !tollfree)
  if (exact !== undefined) return exact
  const sentences = sentencesOf(inWords(own))
    .slice(0, mostSentences)
    .map((one) => ({
      ...one,
      words: corrected(one.words),
      clauses: one.clauses.map(corrected),
    }))
  const joinedWords = sentences.map(({ words }) => words).join(' ')
  const whole = sentences.some(({ words }) => instruction.test(`${words} `))
    ? undefined
    : paddedAction(joinedWords)
  if (whole !== undefined) return whole
  const found = sentences.map((one) => meaningOf(one, sentences.length === 1))
  if (endsIt.test(joinedWords) && namesUs.test(joinedWords)) found.push({ action: 'opt_out' })
  const optOuts = found.filter(({ action }) => action === 'opt_out')
  if (
    optOuts.length > 0 &&
    found.some(({ prefers }) => prefers) &&
    optOuts.every(({ mayPrefer }) => mayPrefer)
  )
    return { action: 'review', match: 'fuzzy' }
  const takesBack = optOuts.length === 0 || byAccident.test(plain)
  if (takesBack && found.some(({ action }) => action === 'opt_in'))
    return { action: 'opt_in', match: 'fuzzy' }
  if (optOuts.length > 0 && optOuts.every(({ isBare }) => isBare) && delight.test(plain))
    return { action: 'review', match: 'fuzzy' }
  if (optOuts.length > 0)
    return {
      action: 'opt_out',
      match: 'fuzzy',
      ...(optOuts.some(({ noContact }) => noContact) && { noContact: true }),
    }
  if (found.some(({ action }) => action === 'wrong_number')) return { action: 'wrong_number', match: 'fuzzy' }
  if (asksForHelp(sentences)) return { action: 'help', match: 'fuzzy' }
  if (found.some(({ action, isSoft }) => action === 'review' && !(isSoft && ordinary.test(joinedWords))))
    return { action: 'review', match: 'fuzzy' }
  return none
}

const byAccident = /\bby (?:accident|mistake)\b|\baccidentally\b|\bsin querer\b|\bpor error\b/

const none: Classified = { action: 'none', match: null }

/** Whether a text has a word from which a request could follow, so that its quotations of ours must be known. */
export const mayAsk = (text: string): boolean =>
  triggers.test(foldWords(text)) || reactionIn(text) !== undefined

function exactly(plain: string, mayRestart: boolean): Classified | undefined {
  if (optOut.has(plain)) return { action: 'opt_out', match: 'exact' }
  if (optIn.has(plain) || (mayRestart && (plain === 'yes' || plain === 'si')))
    return { action: 'opt_in', match: 'exact' }
  return help.has(plain) ? { action: 'help', match: 'exact' } : undefined
}

/** Corrects a typo of `stop` or `cancel` before what could be ended, and of `opt out`. */
function corrected(words: string): string {
  const spelled = inHaste.reduce((text, [pattern, meant]) => text.replaceAll(pattern, meant), words)
  const tokens = spelled.split(' ')
  return tokens
    .map((word, at) => {
      const next = tokens[at + 1] ?? ''
      if (
        isOneSlip(word, 'stop') &&
        word !== 'stop' &&
        (realWords.has(word) ? certain : nextToTypo).test(next)
      )
        return 'stop'
      if (isOneSlip(word, 'cancel') && !realWords.has(word) && nextToTypo.test(next)) return 'cancel'
      if (/^(?:otp|opy|pot|ot|op|optt|opr|oot)$/.test(word) && /^(?:out|oyt|otu)$/.test(next)) return 'opt'
      return word
    })
    .map((word, at, corrections) => {
      const next = corrections[at + 1] ?? ''
      if (word.length < 5 || notKey.has(word)) return word
      const meant =
        key.find((one) => isOneSlip(word, one)) ??
        (next.length === 1 ? key.find((one) => isOneSlip(word + next, one)) : undefined)
      const isWhole =
        meant === undefined || word.startsWith(meant) || (meant.startsWith(word) && next.length !== 1)
      return isWhole ? word : meant
    })
    .join(' ')
    .replaceAll(/\bopt (?:oyt|otu|ot)\b/g, 'opt out')
}

/** Writes out what stands for a word: `S.T.O.P`, `st0p`, `stoppp`, 🛑. */
function inWords(text: string): string {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((one) => one !== '')
  const joined = words.join('')
  const isSpelled =
    words.length > 1 &&
    (words.every((word) => word.length === 1) || (words.length < 6 && joinable.has(joined.toLowerCase())))
  const spelled = isSpelled ? joined : text
  const isShort = words.length <= 5
  return spelled
    .replaceAll(/(\p{L})\1{2,}/gu, '$1')
    .replaceAll(/\bst0p/gi, 'stop')
    .replaceAll(/🛑|⛔/gu, isShort ? '. stop . ' : ' ')
}

type Kind = 'stop' | 'weak' | 'start' | 'help' | 'polite' | 'padding'

const kindOf = new Map<string, Kind>(
  (['padding', 'polite', 'help', 'start', 'weak', 'stop'] as const).flatMap((kind) =>
    phrasesOf(kind).map((phrase) => [phrase, kind] as const),
  ),
)

/** People ask first, so the rest of a long text is not read. */
const mostSentences = 40

const longestPhrase = 8

const mostPadded = 30

/** The request that words are, if they are nothing but prescribed words and what people put around them. */
function paddedAction(words: string): Classified | undefined {
  const tokens = words.split(' ')
  if (words === '' || tokens.length > mostPadded) return undefined
  const kinds = new Set<Kind>()
  const others: string[] = []
  let isNoContact = false
  for (let at = 0; at < tokens.length;) {
    let length = Math.min(longestPhrase, tokens.length - at)
    while (length > 0 && !kindOf.has(tokens.slice(at, at + length).join(' '))) length--
    const phrase = tokens.slice(at, at + Math.max(length, 1)).join(' ')
    const kind = kindOf.get(phrase)
    if (kind === undefined) others.push(phrase)
    else kinds.add(kind)
    isNoContact ||= kind === 'stop' && noContactWords.test(phrase)
    at += Math.max(length, 1)
  }
  const [other, another] = others
  const isOnly = other === undefined || (another === undefined && isMistyped(other))
  if (!isOnly) return undefined
  if (kinds.has('stop') || other !== undefined)
    return { action: 'opt_out', match: 'fuzzy', ...(isNoContact && { noContact: true }) }
  if (kinds.has('padding')) return undefined
  if (kinds.has('weak')) return { action: 'opt_out', match: 'fuzzy' }
  if (kinds.has('start') && !kinds.has('help')) return { action: 'opt_in', match: 'fuzzy' }
  return kinds.has('help') && !kinds.has('start') ? { action: 'help', match: 'fuzzy' } : undefined
}

interface Meaning extends Pick<Classified, 'action' | 'noContact'> {
  /** The sentence says how the person wants to be reached instead. */
  prefers?: boolean
  /** The opt-out only ends a way of reaching the person, so a preference takes its place. */
  mayPrefer?: boolean
  /** The opt-out is only a prescribed word, without an object. */
  isBare?: boolean
  /** The person turns something down, which may be one home and not us. */
  isSoft?: boolean
}

function meaningOf(sentence: Sentence, alone: boolean): Meaning {
  const { words, clauses, isQuestion } = sentence
  const prefers = preference.test(words)
  const plain = wanted.reduce((rest, pattern) => rest.replaceAll(pattern, ' ~ '), words)
  const rest = namesTime.test(plain)
    ? notThen.reduce((one, pattern) => one.replaceAll(pattern, ' ~ '), plain)
    : plain
  const isAbout =
    !demand.test(words) &&
    ((isQuestion && ([words, ...clauses].some((one) => about.test(one)) || means.test(words))) ||
      aboutWithoutMark.test(words))
  const asked = plain.replaceAll(elsewhere, ' ~ ')
  if (isAbout)
    return {
      action: mention.test(asked) || optOutIn(asked, true) !== undefined ? 'review' : reviewOf(plain),
      prefers,
    }
  const isInstruction = instruction.test(`${words} `)
  const isPaddedClause =
    !isInstruction &&
    clauses.some((clause) => paddedAction(clause)?.action === 'opt_out' && strong.test(clause))
  if (again.test(plain) && !/\b(?:dont|do not|never)\b|\bno (?:quiero|me)\b/.test(plain))
    return { action: 'opt_in' }
  const padded = isInstruction ? undefined : paddedAction(words)
  const rule = optOutIn(rest, isQuestion)
  if (padded?.action === 'opt_out' || isPaddedClause || rule !== undefined)
    return {
      action: 'opt_out',
      prefers,
      isBare: rule === undefined,
      mayPrefer: rule?.mayPrefer === true && !isPaddedClause && padded === undefined,
      ...((noContactWords.test(rest) || padded?.noContact) && { noContact: true }),
    }
  const isAboutQuote = /\b(?:want|like|need|please|wish|quiero|choose|i|we|yo)\b(?: to)? §/.test(words)
  const isWrong = wrongNumber.test(plain) && !isQuestion && !otherNumber.test(plain)
  if (isWrong) return { action: 'wrong_number', prefers }
  if (rest !== plain || isAboutQuote || (isInstruction && !isQuestion && alone))
    return { action: 'review', prefers }
  return { action: reviewOf(plain), isSoft: true, prefers }
}

const reviewOf = (words: string): 'review' | 'none' =>
  (review.test(words) || unclear.test(words)) && !ordinary.test(words) ? 'review' : 'none'

/** A cry for help about our messages, and not about a home. */
const asksForHelp = ([first, ...more]: readonly Sentence[]): boolean =>
  first !== undefined &&
  [first.clauses[0], first.words].some(
    (one) => one !== undefined && /^(?:help|help me|info|ayuda|ayudame|ayudeme)$/.test(one),
  ) &&
  /\b(?:what is this|whats this|this service|service|who is|who are|servicio|que es esto|quien es|no entiendo|these messages|estos mensajes)\b/.test(
    [first, ...more].map(({ words }) => words).join(' '),
  )

function optOutIn(words: string, isQuestion: boolean): Ending | undefined {
  if (instruction.test(`${words} `)) return undefined
  if (isRemoval(words) || isOptingOut(words) || hasMistyped(words)) return { pattern: strong }
  return rules.find(({ pattern, notIfAsked }) => !(isQuestion && notIfAsked === true) && pattern.test(words))
}

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
  const object = tokens[at]
  return object === undefined || placeWord.test(object) || (at > 0 && follows.has(object)) || object === '~'
}

function isRemoval(words: string): boolean {
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

const isMistyped = (word: string): boolean =>
  !word.includes(' ') &&
  !realWords.has(word) &&
  !otherWords.has(word) &&
  mistyped.some((meant) => isOneSlip(word, meant))

const hasMistyped = (words: string): boolean =>
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
