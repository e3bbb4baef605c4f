import { endingIn, endsWhatIsNamed, isNoContact, isStrong } from './endings.ts'
import { prefersAnother, replacesWay, withoutTimes, withoutWanted } from './limits.ts'
import {
  asksForHelp,
  isByAccident,
  isDelight,
  isOrdinary,
  isWrongNumber,
  needsReview,
  wantsAgain,
} from './other-requests.ts'
import { ownWords } from './own-words.ts'
import { isAddressed, paddedRequest } from './padded.ts'
import { type Sentence, foldWords, plainWords, sentencesOf } from './plain-words.ts'
import { isAbout, isInstruction, mentionsEnding, withoutOthers } from './questions.ts'
import { reactionIn } from './reaction.ts'
import { isRemoval } from './removals.ts'
import { corrected, writtenOut } from './spelling.ts'
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
  /** What we sent to the person. Four of our words in a row can be a quotation of ours, and never the author’s. */
  ours?: readonly string[]
}

const none: Classified = { action: 'none', match: null }
const review: Classified = { action: 'review', match: 'fuzzy' }

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
  const mayRestart = optedOut && !tollfree
  const own = ownWords(text, ours)
  const parts = own.split('§').map(plainWords)
  if (parts.length === 1) return judge(own, mayRestart)
  if (parts.some((part) => prescribed.has(part)) || own.split('§').some(asksAlone))
    return { action: 'opt_out', match: 'fuzzy' }
  const judged = judge(own, mayRestart)
  if (judged.action !== 'none') return judged
  // Words of the author around a quotation of ours: perhaps all of them are the author's.
  const isMixed = sentencesOf(own).some(({ words }) => words.includes('§') && /[a-z]/.test(words))
  const isPrescribed = prescribed.has(plainWords(text).split(' ')[0] ?? '')
  return isPrescribed || (isMixed && judge(ownWords(text), mayRestart).action === 'opt_out') ? review : none
}

/** Whether one of the sentences beside a quotation is nothing but a prescribed word. */
const asksAlone = (part: string): boolean =>
  sentencesOf(part).some(
    ({ words }) => prescribed.has(words) || (isStrong(words) && paddedRequest(words)?.action === 'opt_out'),
  )

const prescribed: ReadonlySet<string> = new Set(phrasesOf('prescribed'))
const starts: ReadonlySet<string> = new Set(phrasesOf('start'))
const helps: ReadonlySet<string> = new Set(phrasesOf('help'))

/** Whether a text has a word from which a request could follow, so that its quotations of ours must be known. */
export const mayAsk = (text: string): boolean =>
  triggers.test(foldWords(text)) || reactionIn(text) !== undefined

const triggers =
  /stop|st0p|sotp|stpo|unsu|subscri|suscri|cancel|end|quit|revo|opt|remov|delet|take|list|text|txt|messag|msg|call|contact|email|mail|spam|harass|consent|permission|alone|number|more|want|interest|not|no|alto|para|pare|baja|basta|deja|deje|borr|elimin|saqu|saca|mensaj|llam|wrong|equivoc|start|help|info|ayuda|🛑|report|block|already|have|away|off|si|yes|maybe|later/

/** People ask first, so the rest of a long text is not read. */
const mostSentences = 40

function judge(own: string, mayRestart: boolean): Classified {
  const plain = plainWords(own)
  if (prescribed.has(plain)) return { action: 'opt_out', match: 'exact' }
  if (starts.has(plain) || (mayRestart && /^(?:yes|si)$/.test(plain)))
    return { action: 'opt_in', match: 'exact' }
  if (helps.has(plain)) return { action: 'help', match: 'exact' }
  if (isAddressed(own)) return fuzzy('opt_out')
  const sentences = sentencesOf(writtenOut(own))
    .slice(0, mostSentences)
    .map(({ words, clauses, isQuestion }) => ({
      words: corrected(words),
      clauses: clauses.map(corrected),
      isQuestion,
    }))
  const words = sentences.map((one) => one.words).join(' ')
  const padded = sentences.some((one) => isInstruction(one.words)) ? undefined : paddedRequest(words)
  if (padded !== undefined) return fuzzy(padded.action, padded.noContact)
  const found = sentences.map((one) => meaningOf(one, sentences.length === 1))
  const has = (action: Classified['action']) => found.some((one) => one.action === action)
  const optOuts: Meaning[] = found.filter(({ action }) => action === 'opt_out')
  if (endsWhatIsNamed(words)) optOuts.push({ action: 'opt_out' })
  const isOptOut = optOuts.length > 0
  if (isOptOut && found.some(({ prefers }) => prefers) && optOuts.every(({ isWay }) => isWay)) return review
  if ((!isOptOut || isByAccident(plain)) && has('opt_in')) return fuzzy('opt_in')
  if (isOptOut && optOuts.every(({ isBare }) => isBare) && isDelight(plain)) return review
  if (isOptOut)
    return fuzzy(
      'opt_out',
      optOuts.some(({ noContact }) => noContact),
    )
  if (has('wrong_number')) return fuzzy('wrong_number')
  if (asksForHelp(sentences)) return fuzzy('help')
  const isSure = found.some(({ action, isSoft }) => action === 'review' && !(isSoft && isOrdinary(words)))
  return isSure ? review : none
}

const fuzzy = (action: Classified['action'], noContact = false): Classified => ({
  action,
  match: 'fuzzy',
  ...(noContact && { noContact: true }),
})

interface Meaning {
  action: Classified['action']
  noContact?: boolean
  /** The sentence says how the person wants to be reached instead. */
  prefers?: boolean
  /** The opt-out only ends a way of reaching the person, so a preference takes its place. */
  isWay?: boolean
  /** The opt-out is only a prescribed word, without an object. */
  isBare?: boolean
  /** The person turns something down, which may be one home and not us. */
  isSoft?: boolean
}

function meaningOf(sentence: Sentence, isAlone: boolean): Meaning {
  const { words, clauses, isQuestion } = sentence
  const prefers = prefersAnother(sentence)
  const wanted = withoutWanted(words)
  const rest = withoutTimes(wanted)
  const instructs = isInstruction(words)
  if (isAbout(sentence)) {
    const asked = withoutOthers(wanted)
    const asksUs = mentionsEnding(asked) || (!instructs && isEnding(asked, true))
    return { action: asksUs || needsReview(wanted) ? 'review' : 'none', prefers }
  }
  if (wantsAgain(wanted)) return { action: 'opt_in' }
  if (!instructs) {
    const padded = paddedRequest(words)
    const isPadded =
      padded?.action === 'opt_out' ||
      clauses.some((clause) => isStrong(clause) && paddedRequest(clause)?.action === 'opt_out')
    const removes = isRemoval(rest)
    const ending = removes
      ? { isWay: false, isBare: false }
      : endingIn(rest, isQuestion, rest === words ? clauses : [rest])
    if (isPadded || ending !== undefined)
      return {
        action: 'opt_out',
        prefers,
        isBare: ending === undefined || ending.isBare,
        isWay: ending?.isWay === true && !isPadded,
        noContact: isNoContact(rest) || padded?.noContact === true,
      }
  }
  if (!isQuestion && isWrongNumber(wanted)) return { action: 'wrong_number', prefers }
  const isUnclear = rest !== wanted || replacesWay(sentence) || wantsQuoted.test(words)
  if (isUnclear || (instructs && !isQuestion && isAlone)) return { action: 'review', prefers }
  return { action: needsReview(wanted) ? 'review' : 'none', isSoft: true, prefers }
}

const isEnding = (words: string, isQuestion: boolean): boolean =>
  isRemoval(words) || endingIn(words, isQuestion) !== undefined

/** The author wants what a quotation of ours says. */
const wantsQuoted = /\b(?:want|like|need|please|wish|quiero|choose|i|we|yo)\b(?: to)? §/
