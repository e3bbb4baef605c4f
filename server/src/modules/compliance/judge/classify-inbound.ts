/** What an inbound message asks for. Classified before anyone or anything else reads it. */
export interface Classified {
  action: 'opt_out' | 'opt_in' | 'help' | 'wrong_number' | 'review' | 'none'
  /** `exact`: one of the keywords that carriers prescribe. `fuzzy`: the same meaning in other words. */
  match: 'exact' | 'fuzzy' | null
  /** For an opt-out: the person wants no contact at all. A later START does not undo this. */
  noContact?: true
}

/** `optedOut`: the person is opted out now. `tollfree`: they wrote to a toll-free number, where YES does not opt in. */
export interface Circumstances {
  optedOut: boolean
  tollfree?: boolean
}

const words = (text: string) => new Set(text.split(', '))

const optOut = words(
  'stop, stopall, stop all, unsubscribe, cancel, end, quit, revoke, optout, opt out, remove, arret, alto, para, parar, basta',
)
const optIn = words('start, unstop')
const help = words('help, info')

/** A single word that is one typo away from one of these counts as that word. */
const mistyped = ['stop', 'stopall', 'unsubscribe', 'cancel', 'revoke', 'optout']

/** Real words that are just as close. These do not count as typos. */
const ownWords = words('shop, slop, step, atop, stow, swop, top, sop, strop, cancer, evoke')

const contact =
  '(?:text|texts|texting|message|messages|messaging|msg|msgs|contact|contacting|call|calls|calling|email|emails|emailing|send|sending|write|writing|bother|bothering|spam|spamming|harass|harassing)'
const anyContact = '(?:contact|contacting|call|calls|calling|bother|bothering|harass|harassing)'
const doNotCallList = '\\b(?:do not|dont|don t|no) (?:call|contact) (?:list|registry)\\b'
const not = '(?:do not|dont|don t|never|no longer|please not)'

const optOutPhrases = [
  '^(?:(?:please|pls|plz|just|ok|okay|hey|hi|no) )*stop(?: (?:it|this|now|please|pls|already|all|thanks|thank you|everything))*$',
  `\\bstop (?:all )?(?:the |these |this |your |my )?${contact}\\b`,
  `\\bquit ${contact}\\b`,
  '\\btake (?:me|us|my number|this number|my name) off\\b',
  '\\b(?:remove|delete|erase) (?:me|us|my number|this number|my name|my info|my information|my contact)\\b',
  `\\b${not} (?:ever )?${contact} (?:to )?(?:me|us|this number|here|anymore|any more|again)\\b`,
  `\\b${not} (?:ever )?want (?:any more |any |more |your |these |to get |to receive )*${contact}\\b`,
  `\\b${not} (?:ever )?want to be (?:contacted|called|texted|messaged|emailed|bothered)\\b`,
  '\\bno more contact\\b',
  doNotCallList,
  '\\bno more (?:texts?|messages?|msgs?|calls?|emails?|spam)\\b',
  '\\b(?:revoke|revoking|withdraw|withdrawing|rescind) (?:my |all )?(?:consent|permission)\\b',
  '\\b(?:opt|opting|opted) (?:me |us )?out\\b',
  '\\bunsubscribe\\b',
  '\\bleave (?:me|us) alone\\b',
  '\\blose (?:my|this) number\\b',
  // Spanish and French, without accents.
  '\\b(?:deja|deje|dejen|para|pare|paren) de (?:enviar|mandar|escribir|llamar|contactar|molestar)',
  '\\bno (?:me|nos) (?:escrib|mand|envi|contact|llam|molest)\\w*',
  '\\bno (?:quiero|queremos) (?:mas |recibir )+(?:mensajes|textos|llamadas|correos)?',
  '\\bno mas (?:mensajes|textos|llamadas|correos)\\b',
  '\\b(?:quiten?|borren?|eliminen?|saquen?)(?:me|nos)\\b',
  '\\barretez?\\b',
].map((source) => new RegExp(source))

/** Opt-outs from more than texts: internal do-not-call (47 CFR 64.1200(d)). */
const noContactPhrases = [
  `\\b(?:stop|quit) (?:all )?(?:the |these |this |your |my )?${anyContact}\\b`,
  `\\b${not} (?:ever )?(?:contact|call|bother) (?:me|us|this number|here|anymore|any more|again)\\b`,
  `\\b${not} (?:ever )?want (?:any more |any |more |your |these |to get |to receive |to be )*(?:contacted|called|${anyContact})\\b`,
  '\\bno more (?:calls?|contact)\\b',
  doNotCallList,
  '\\bleave (?:me|us) alone\\b',
  '\\blose (?:my|this) number\\b',
  '\\b(?:deja|deje|dejen|para|pare|paren) de (?:llamar|contactar|molestar)',
  '\\bno (?:me|nos) (?:contact|llam|molest)\\w*',
].map((source) => new RegExp(source))

/** Not now, or not at certain times. A person must decide whether this revokes consent. */
const notThen = new RegExp(
  `\\b${not} (?:ever )?${contact} (?:to )?(?:(?:me|us|here|this number) )?(?:before|until|till|while|during|between|after \\d|at (?:\\d|work|night|home)|on (?:sun|mon|tue|wed|thu|fri|sat|week)\\w*|today|tonight|tomorrow|right now|yet|this (?:early|late|week|month)|so (?:early|late)|in the (?:morning|afternoon|evening))\\b`,
  'g',
)

/** `don't stop`, `can't stop`: the person wants what follows. */
const wanted =
  /\b(?:dont|don t|do not|cant|can t|never|please dont|non) (?:you )?(?:stop|unsubscribe|quit|opt)\b/

const wrongNumber =
  /\b(?:wrong (?:number|person|phone|guy|lady|man|woman|contact)|not the (?:right|correct) (?:number|person)|numero equivocado|persona equivocada)\b/

const review =
  /\b(?:not interested|no longer (?:interested|looking)|no thanks?|no thank you|nah thanks|no gracias|no me interesa|no estoy interesad\w|already (?:bought|sold|have an agent|have a realtor|working with))\b/

/**
 * Classifies an inbound message. The keywords that carriers prescribe count only if they are the whole message; phrases that mean the
 * same count anywhere. If in doubt, the result is `review` or `none`, and a person reads the message.
 */
export function classifyInbound(text: string, { optedOut, tollfree = false }: Circumstances): Classified {
  const plain = plainWords(text)
  if (optOut.has(plain)) return { action: 'opt_out', match: 'exact' }
  if (optIn.has(plain) || (plain === 'yes' && optedOut && !tollfree))
    return { action: 'opt_in', match: 'exact' }
  if (help.has(plain)) return { action: 'help', match: 'exact' }
  const rest = plain.replaceAll(notThen, ' ')
  const isOptOut =
    /🛑/u.test(text) ||
    isMistyped(plain) ||
    (!wanted.test(plain) && optOutPhrases.some((phrase) => phrase.test(rest)))
  if (isOptOut)
    return {
      action: 'opt_out',
      match: 'fuzzy',
      ...(noContactPhrases.some((phrase) => phrase.test(rest)) && { noContact: true }),
    }
  if (wrongNumber.test(plain)) return { action: 'wrong_number', match: 'fuzzy' }
  if (review.test(plain) || rest !== plain) return { action: 'review', match: 'fuzzy' }
  return { action: 'none', match: null }
}

/** Lowercases, strips accents and punctuation, and collapses spaces. `don't` becomes `dont`. */
const plainWords = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}'’‘`´]/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const isMistyped = (word: string) =>
  !word.includes(' ') && !ownWords.has(word) && mistyped.some((meant) => isOneSlip(word, meant))

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
