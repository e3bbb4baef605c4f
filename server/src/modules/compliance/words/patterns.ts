import { quotation } from './own-words.ts'
import { either, phrasesOf } from './vocabulary.ts'

const listOf = (words: string) => words.split(', ')

const setOf = (words: string) => new Set(listOf(words))

/** The patterns below see plain words, so a person’s words are written in them as they remain: `dont`, `manana`. */
const re = (source: string) => new RegExp(source)

const all = (source: string) => new RegExp(source, 'g')

const w = {
  thing: either('thing'),
  doing: either('doing'),
  do: either('do'),
  whom: either('whom'),
  between: either('between'),
  ending: either('ending'),
  not: either('not'),
  wanting: either('wanting'),
  wished: either('wished'),
  wish: either('wish'),
  polite: either('polite'),
}

export const optOut = setOf(
  'stop, stopall, stop all, unsubscribe, unsub, cancel, end, quit, revoke, optout, opt out, remove, arret, alto, para, parar, basta, cancelar, baja',
)

export const optIn = new Set(phrasesOf('start'))

export const help = new Set(phrasesOf('help'))

/** How people write words in haste, in both languages. */
export const inHaste: readonly (readonly [RegExp, string])[] = [
  [/\bd\b/g, 'de'],
  [/\b(?:q|k)\b/g, 'que'],
  [/\b(?:xfa|xfavor|x favor|pf|pfa|porfas)\b/g, 'por favor'],
  [/\bkit(?=[aeo])/g, 'quit'],
  [/\bsak(?=e)/g, 'saqu'],
  [/\bsak(?=a)/g, 'sac'],
  [/\bkier/g, 'quier'],
  [/\bscrib/g, 'escrib'],
  [/\bmensag/g, 'mensaj'],
  [/\b(?:msj|msjs|mjs|sms s)\b/g, 'mensajes'],
  [/\byam(?=[ae])/g, 'llam'],
  [/\bplz+\b/g, 'please'],
  [/\bcancle\b/g, 'cancel'],
  [/\b(?:nomore|nmore|nomor|no mor)\b/g, 'no more'],
  [/\bescriv/g, 'escrib'],
  [/\bcansel/g, 'cancel'],
  [/\bvorr/g, 'borr'],
  [/\bvaja\b/g, 'baja'],
  [/\b(?:qiut|qut|quti|quitt|quite) (?=text|messag|call|contact|send|email|bother|bug)/g, 'quit '],
  [/\b(?:stpo|sotp|spto|tsop|stp|sttop|stoop) (?=text|messag|call|contact|send|email|bother|bug)/g, 'stop '],
  [/\boutt+\b/g, 'out'],
  [/\b(?:ples|pleas|plese|plase|pease)\b/g, 'please'],
  [/\b(?:w|wit|wth|wiht)\b/g, 'with'],
  [/\bda\b/g, 'the'],
  [/\b(text|send|call|messag|email|spam|harass|contact|annoy|bugg|writ|bother|hitt|blow|ring)in\b/g, '$1ing'],
]

export const nextToTypo = re(`^(?:${either('doing')}|${either('thing')}|these|the|all|your|this|sending)$`)

/** Words of requests that are long enough to be recognized with a typo, and words that are close to them. */
export const key = listOf(
  'remove, delete, unsubscribe, texting, messages, message, sending, contacting, mensajes, escriban, cancelar, messaging',
)

export const notKey = setOf(
  'removed, remover, remote, deleted, massage, massages, testing, vending, bending, lending, mending, spending, escriben, cancelara, cancelas, message, mensaje, tending, fending, pending, ending, passages, seending, texting, texing, exiting, deletes, removal, resting, nesting, remodel',
)

export const certain = re(`^(?:${either('doing')}|messages|texts|emails)$`)

export const joinable = setOf('stop, stopall, unsubscribe, optout, cancelar, basta, alto')

/** What the person does not want to end: `don’t stop`, `no pares`; and complaints that nobody called. */
export const wanted = [
  // A limit of what is sent, not of sending
  all(
    `\\b(?:stop|quit|dont|do not|no) (?:send|sending|text|texting|show|showing) (?:me |us )?(?:any |the |those )?(?:anything|stuff|homes?|houses?|listings?|places?|ones) (?:over|under|above|below|outside|near|with|without|north|south|east|west|in (?!the\\b|my\\b|this\\b|general\\b))\\b`,
  ),
  all(
    `\\b(?:stop|quit) (?:send|sending|show|showing) (?:me |us )?(?:the |any )?(?:\\w+ )?(?:condos?|townhouses?|townhomes?|duplex(?:es)?|apartments?|fixer uppers?|land|lots|rentals?|ones)\\b`,
  ),
  all(
    `(?:^|\\b(?:please|pls|and|but|just|so|ok|also|porfavor|por favor|por|si|y) )(?:dont|don t|do not|never|non|no) (?:you |ever |me |please )?(?:stop|quit|unsubscribe|unsub|opt|cancel|remove|delete|take me|pares|pare|paren|dejes|deje|dejen|cancelen?|canceles|me quiten?|me quites|me borren?|me den de baja|me saquen?)\\b`,
  ),
  all(
    `\\b(?:i|we|me) (?:\\w+ )?(?:cant|dont|do not|wont|will not|didnt|did not|couldnt|never|wouldnt) (?:\\w+ )?(?:mean |want |wanna |try |ask |intend |wish |meant |wanted )?(?:you |them |it |this |these |the \\w+ |your \\w+ )?(?:to )?(?:stop|quit|unsubscribe|unsubscribed|opt out|opted out|cancel|be removed|be taken)\\b`,
  ),
  all(
    `\\b(?:never|dont|do not|hope|wouldnt) (?:want|wish|ever want|you never)? ?(?:\\w+ ){1,5}to (?:stop|end)\\b`,
  ),
  all(
    `\\btold (?!(?:you|your|yall|u|them|people|him|her)\\b)\\w+ (?:to )?(?:stop|unsubscribe|quit)\\b(?! ${w.doing}(?: (?:me|us|this number)|$))`,
  ),
  all(
    `\\bno (?:quiero|queremos|quise|queria) (?:que )?(?:parar|paren?|pares|cancel\\w{0,6}|dejar|dejen|darme de baja|dar de baja|desuscrib\\w{0,6})\\b`,
  ),
  all(
    `\\b(?:you|u|they|he|she|nobody|no one|none|people|agents?|realtors?|ever|somebody) (?:guys )?(?:never|didnt|did not|havent|have not|hasnt|has not|dont ever) (?:even )?(?:call|called|text|texted|contact|contacted|message|messaged|email|emailed|write|wrote|sent|send)(?: me| us)?(?: back)?\\b`,
  ),
  all(`\\b(?:nobody|no one|none of you|nadie) (?:ever )?(?:call|text|contact|email|message|me )\\w{0,6}\\b`),
  all(
    `\\bwhy (?:dont|didnt|cant|wont|do you not|havent) (?:you|u|we|they) (?:ever )?(?:just )?(?:call|text|email|message|contact)\\b`,
  ),
  all(`\\b(?:dont|do not|didnt|never) (?:hesitate|forget|be afraid|be shy) to \\w+\\b`),
  all(
    `\\b(?:dont|do not|didnt|havent|have not|not|never|no) (?:yet |really |even |currently |still )?(?:have|got|found|find|bought|buy|hired|sold|sell|tengo|tenemos|compre|compramos|encontramos|encontre) (?:an? |the |our |my |un |una )?(?!right|consent|permission|authorization|my|any|to)\\w+\\b`,
  ),
  all(
    `\\b(?:tenants?|sellers?|owners?|they|he|she|husband|wife|son|daughter|mom|mother|dad|father|kids|agent|neighbors?|buyers?|landlord|inquilinos|dueno) (?:\\w+ )?(?:dont|do not|doesnt|does not|never|no longer|no) (?:want|like|need|quieren?)\\b(?! (?:${w.wished} ){0,4}(?:${w.thing}|contacted|texted|called)(?: (?:from you|anymore|again|please)|$))`,
  ),
  all(
    `\\b(?:tell|ask|get|make|have|want|need|told|asked) (?:the |my |his |her )?(?!(?:that|to|it|this|these|those|them|you|u|your|ur|yall|people|everyone|everything|someone|all|me|texts?|messages?|calls?)\\b)\\w+ (?:\\w+ )?(?:to )?(?:stop|quit)\\b(?! ${w.doing}(?: (?:me|us|this number)|$))`,
  ),
  all(
    `\\b(?:buyers?|sellers?|they|he|she|tenants?|owners?|residents|homeowners?|anyone|borrowers?|members) (?:\\w+ ){0,3}opt(?:s|ed|ing)? ?out\\b`,
  ),
  all(
    `\\b(?:quit ?claim|bus stops?|stop signs?|stop lights?|stop payments?|stop loss|stop order|pit stop|non ?stop|full stop|one stop|next stop|first stop|last stop|truck stop|stop by|stop in|stop over|stop at|stop off|stop through|rest stop|train stop|short stop|stop work)\\b`,
  ),
]

const times =
  'before|until|till|while|during|between|after (?:\\d|work|dinner|hours|dark|midnight|noon|five|six|seven|eight|nine|ten|lunch)|at (?:\\d|work|night|home|dinner|this hour|this time|midnight|all hours|school|odd hours|lunch|church|my job)|on (?:sun|mon|tue|wed|thu|fri|sat|week|holiday|the weekend|my day|vacation)\\w{0,7}|weekends|this (?:early|late)|so (?:early|late|often|much|many times)|too (?:early|late|often|much)|in the (?:morning|afternoon|evening|middle)|every (?:hour|morning|night|single|day|week)|more than|past \\d|when im|when i am|during|antes de|hasta|mientras|durante|despues de|en la (?:manana|noche|tarde|madrugada)|por la (?:manana|noche|tarde)|en las (?:mananas|noches|tardes)|por las (?:mananas|noches|tardes)|de noche|en el trabajo|al trabajo|tan (?:temprano|tarde|seguido|de manana)|muy (?:temprano|tarde|seguido)|los (?:fines|domingos|sabados|lunes|viernes)|a esta hora|a estas horas|cuando|en horas'

const soon =
  'today|tonight|tomorrow|right now|yet|this (?:week|month|weekend|morning|evening|afternoon)|for now|hoy|manana|ahorita|ahora|todavia|aun|esta (?:semana|noche|tarde|manana)|este mes|por ahora|por el momento'

/** Whether a sentence names a time, which the patterns after it take longer to find out. */
export const namesTime = re(`\\b(?:${times}|${soon})\\b`)

/** Not now, or not at certain times. A person must decide whether this revokes consent. */
export const notThen = [
  all(
    `\\b${w.not} (?:ever |please |me |nos )?${w.do}(?: to)?(?: (?:me|us|here|this number|back))? (?:${times}|${soon})\\b`,
  ),
  all(
    `\\b${w.ending} (?:${w.between} ){0,3}(?:${w.doing}|${w.thing})(?: (?:me|us|here|this number))? (?:${times})\\b`,
  ),
]

/** How the person wants to be reached instead. */
export const preference = re(
  `\\b(?:(?:just|only|instead|rather|better|please|but) (?:to )?(?:text|message|whatsapp|txt|msg)(?: me| us|$)|(?:just|only) (?:text|message|whatsapp)s?\\b|(?:texts?|messages?|txt|whatsapp)(?: me| us)? (?:instead|only|is better|works better|work better|is best|works best|is fine|are fine|is ok|are ok|are better|is easier|are easier)|prefer (?:texts?|a text|whatsapp|messages?|to text)|(?:text|message) (?:me )?only|only by text|(?:mejor|solo|prefiero|solamente|nomas) (?:por |un |que |con )?(?:mensajes?|textos?|whatsapp|mandeme|escribame|escribeme|mandame|mande|escriba|escriban|me escriba|me mande))\\b`,
)

export interface Ending {
  pattern: RegExp
  mayPrefer?: boolean
  /** Whether it holds in a question, too. Default true. */
  notIfAsked?: boolean
}

const tail =
  '(?: (?:please|now|already|thanks|thank you|everyone|immediately|asap|it|this|that|all|all of it|ok|okay|today|forever|for good|for real|period|por favor|ya|gracias|altogether|right now|once and for all|completely|me|again|then|bro|man|dude))*'

/** Not from the list of somebody else. */
const fromOthers =
  '(?! from (?:the |my |that |all the |every )?(?!you|your|ur|this|these|here|it|list|text|message|email|mailing|newsletter|alert|notification)\\w)'

/** Not the messages of somebody else. */
const fromUs =
  '(?! (?:from|by) (?:the |my |a |any )?(?!you|u|your|ur|yall|this|these|any|anyone|here|realtors?|agents?|real|people|companies|company|strangers|everyone|all|unknown)\\w)'

export const rules: readonly Ending[] = [
  // A verb of ending with one word that is not its object
  {
    pattern: re(
      `^(?:(?:please|pls|plz|can|could|would|will|you|u|yall|just|ok|hey|seriously) |who\\w+ is (?:typing|sending|texting|writing) this )*(?:stop|quit)(?: (?!by\\b|at\\b|in\\b|on\\b|for\\b|the\\b|a\\b|an\\b|here\\b|there\\b|and\\b|to\\b|with\\b|off\\b|over\\b|it\\b|lights?\\b|signs?\\b|payments?\\b|job\\b|claim\\b|work\\b|school\\b|today\\b|tonight\\b|tomorrow\\b|later\\b|time\\b|loss\\b|order\\b|after\\b|before\\b|when\\b|if\\b|around\\b|near\\b|next\\b|then\\b|\\w+days?\\b|\\w+ing\\b|\\d)\\w+)?(?: ${w.polite})*$`,
    ),
    notIfAsked: true,
  },
  // What is not said again
  {
    pattern: re(
      `\\b(?:dont|do not|never) (?:please |ever )?${w.do} (?:me |us )?(?:about|regarding|on) (?:it|this|that|us|her|him|them) (?:again|anymore|any more|ever)\\b`,
    ),
    mayPrefer: true,
  },
  {
    pattern: re(
      `\\b(?:(?:dont|do not|never) (?:please )?(?:ask|keep asking)(?: (?:me|us))? (?:again|anymore|any more)\\b|(?:quit|stop|not keep|dont keep) asking(?: (?:me|us))?(?: again| anymore| any more| if (?:i|we) (?:want|wanna|would)| about (?:it|selling|buying|my house|this)| please|$))`,
    ),
  },
  {
    pattern: re(
      `^(?:${w.polite} )*(?:can|could|would|will) (?:you|u|yall|you guys|you people) (?:please |just )?not ${w.do}(?: me| us| this number)?(?: again| anymore| any more| ${w.polite})*$`,
    ),
  },
  { pattern: re(`^(?:(?:and |or )?no (?:more )?(?:${w.thing})(?: |$)){2,}`) },
  {
    pattern: re(
      `\\b(?:stop|quit) send\\w* (?:em|them|these|those|this|that|it|anything|stuff|things)(?: to (?:me|us)| ${w.polite})*$`,
    ),
    mayPrefer: true,
  },
  {
    pattern: re(
      `(?:^|\\b(?:please|pls|and|so|just|minutes) )(?:stop|quit|end) (?:em|these|those)(?: ${w.polite})*$`,
    ),
  },
  // Numbers and lists
  {
    pattern: re(
      `\\b(?:remove|delete|erase|drop|take) (?:both (?:of )?)?(?:her|his|their|my|our|this|these|moms|dads|my moms|my dads|my mothers|my wifes|my husbands) (?:\\w+ )?(?:numbers?|phones?|cell)(?: (?:off|out))?(?: (?:of|from) (?:it|there|here|this|your \\w+|the list))?(?: ${w.polite})*$`,
    ),
  },
  { pattern: re(`\\bnumber (?:\\w+ ){0,4}(?:delete|remove|erase|lose|forget) it\\b`) },
  { pattern: re(`\\btake (?:me|us|my (?:number|name)) off (?:of )?(?:there|here|that|it)\\b`) },
  {
    pattern: re(
      `^(?:${w.polite} |i |we |just )*(?:want|get me|let me|take me|wanna) out of (?:the|this|your|these|all these) (?:\\w+ )?(?:lists?|texts?|messages|thread|chain|group|chat|loop)\\b`,
    ),
  },
  {
    pattern: re(
      `\\b(?:i|we) (?:really |just )?(?:dont|do not|no longer|wont) (?:want|wish|need|care) to (?:receive|get|see|hear|read) (?:them|these|this|those|it|any|any more|anything)(?: any longer| anymore| any more| again| from (?:you|u)| ${w.polite})*$`,
    ),
    mayPrefer: true,
  },
  { pattern: re(`\\b(?:knock it off|cut it out)(?: ${w.polite})*$`) },
  {
    pattern: re(
      `\\bforget (?:that )?(?:you|u) (?:ever )?(?:had|have|got|know|knew) (?:me|us|my number|this number)\\b`,
    ),
  },
  { pattern: re(`^(?:${w.polite} |i |we |just |really )*(?:want|wanna be|get me) off(?: ${w.polite})*$`) },
  { pattern: re(`\\bno more of (?:these|this|those|them|your (?:${w.thing}))\\b`) },
  {
    pattern: re(
      `\\b(?:dont|do not|no longer) (?:want|wish|need|care) to (?:receive|get|see|hear|read) (?:them|these|this|those|it|anything) (?:any longer|anymore|any more|again)\\b`,
    ),
    mayPrefer: true,
  },
  {
    pattern: re(
      `\\b(?:remove|delete|erase|take) it (?:from|off|out of) (?:of )?(?:your|ur|the) (?:system|lists?|records|database|files|contacts|phone)\\b`,
    ),
  },
  // Threats
  {
    pattern: re(
      `\\b(?:any (?:further|more|other)|another|one more) (?:${w.thing}) (?:and|or) (?:i|we|ill|im|my)\\b`,
    ),
  },
  {
    pattern: re(
      `\\b(?:attorney|lawyer|police|ftc|fcc|bbb|attorney general|sue|suing|complaint|legal action|report (?:you|this|it)|reporting (?:you|this))\\b.{0,60}\\b(?:(?:this|it|these|you|they|messages?|texts?|calls?) (?:continues?|keeps?|keep up|dont (?:cease|stop|end|quit)|doesnt (?:cease|stop|end|quit)|persists?)|another (?:text|message|call|one))\\b`,
    ),
  },
  {
    pattern: re(
      `\\bnext (?:text|message|call|one|email) (?:goes|gets|is going|will go|will be (?:sent|reported|forwarded)) (?:straight )?(?:to|forwarded|reported)\\b`,
    ),
  },
  // Spanish
  {
    pattern: re(
      `\\bya no (?:quiero|queremos|deseo) (?:recibir|ver|que me (?:manden|envien|escriban|llegue|lleguen)) (?:esto|eso|nada|mas|estos|estas|mensajes|los|las)?(?: ${w.polite})*$`,
    ),
  },
  {
    pattern: re(
      `\\bme siguen? (?:llegando|mandando|enviando|escribiendo|llamando|molestando)\\b.{0,40}\\bparen?\\b`,
    ),
  },
  {
    pattern: re(
      `\\bdej(?:en?|es|ad|a) de (?:estar )?(?:jod|ching|molest|fastidi|mand|escrib|llam|envi|acos|insist)\\w{1,8}\\b`,
    ),
    mayPrefer: true,
  },
  {
    pattern: re(
      `\\bnunca mas (?:me|nos|vuelvan? a) (?:me )?(?:escrib|llam|mand|envi|contact|molest|busqu|habl)\\w{0,8}\\b`,
    ),
    mayPrefer: true,
  },
  {
    pattern: re(
      `\\b(?:i|we|me|us|my number|number|name) (?:\\w+ ){0,7}(?:to be|be|get|been|was|getting|gotten) (?:removed|unsubscribed|taken off|deleted from|opted out)\\b(?! (?:from|off) (?:the|our|my) (?:title|deed|lease|loan|mortgage|contract|application))`,
    ),
  },
  {
    pattern: re(
      `\\b(?:if|the next time|next time) (?:you|u|i|anyone|yall) (?:\\w+ ){0,4}(?:text|call|message|contact|email|get) (?:\\w+ ){0,3}(?:again|one more|another|anymore)\\b|\\b(?:text|call|message|contact|email) (?:me|us) (?:again|one more time) (?:and|or) (?:i|we)\\b`,
    ),
  },
  {
    pattern: re(
      `\\b(?:rather|prefer|like|love|appreciate|appreciated|great|nice) (?:it |to |be |that |you |you to )*(?:not|if you (?:didnt|did not|wouldnt|would not|stopped|would stop|could stop|quit)|you (?:didnt|did not|stopped|not)) ?(?:to )?(?:get|getting|receive|receiving|be|being|have|send|sending|hear|hearing|text|texting|call|calling|contact|contacting|message|bother)?(?: ${w.between}){0,4} (?:${w.thing}|${w.doing}|me|us|contacted|texted|called|from you)\\b`,
    ),
    mayPrefer: true,
  },
  { pattern: re(`\\b(?:knock|cut|cool) it (?:off|out) (?:with|already)\\b`) },
  { pattern: re(`\\bkeep (?:me|us|my number|my name) (?:off|out of|away from)\\b`) },
  {
    pattern: re(
      `^(?:${w.polite} |i |we |really )*(?:dont|do not|no longer) (?:want|need|wanna) (?:these|those|any of (?:these|this)|more of (?:these|this)|any more of (?:these|this)|these things|this stuff|this crap|any of your stuff|anything)(?: ${w.polite})*$`,
    ),
    notIfAsked: true,
  },
  {
    pattern: re(
      `\\b(?:me|nos) (?:puede|pueden|puedes|podria|podrian|podrias|pudiera|pudieran) (?:por favor |ya )?(?:quitar|sacar|borrar|eliminar|remover|retirar|dar de baja)\\b(?! (?:el|la|los|las|un|una|duda) (?!lista))`,
    ),
  },
  {
    pattern: re(
      `\\b(?:que|me|nos) (?:me |nos )?(?:borr|quit|saqu|sac|elimin|retir|remuev)\\w{0,8} (?:de|del) (?:su|sus|tu|tus|la|las|el|esta|este|vuestra|vuestro|vuestras|aqui|ahi|todo|toda) ?(?:lista|listas|base|sistema|registro|registros|contactos|agenda|grupo|directorio|$)`,
    ),
  },
  {
    pattern: re(
      `\\b(?:olvid|borr|elimin|quit|pierd|saqu)\\w{0,6} (?:de |a )?(?:mi|este|nuestro) (?:numero|telefono|celular|contacto|correo)\\b`,
    ),
  },
  {
    pattern: re(
      `\\bno (?:seguir|sigan?|sigas|continuar|continuen?|continues|me sigan?|me sigas|andar|anden?) (?:\\w+ )?\\w{2,12}(?:ando|iendo|andome|iendome|andonos)\\b`,
    ),
    mayPrefer: true,
  },
  { pattern: re(`\\b(?:stop|quit|no more|cancel|end) (?:${w.between} ){0,4}listings(?: ${w.polite})*$`) },
  {
    pattern: re(
      `\\b(?:my|this|our) (?:\\w+ )?(?:number|name|info|information|contact|email|data|phone) (?:\\w+ )?(?:be )?(?:deleted|removed|erased|taken off|unsubscribed|taken out)\\b`,
    ),
  },
  {
    pattern: re(
      `(?:^|\\b(?!(?:i|we|they|he|she|you|people|kids|tenants)\\b)\\w+ )(?:do not|dont) (?:contact|text|call|message)(?: back| further)?(?: ${w.polite})*$`,
    ),
    mayPrefer: true,
  },
  {
    pattern: re(
      `\\b(?:turn|shut|switch|cut) (?:these|them|those|this|it all|all of (?:this|these)|all this) (?:\\w+ )?off\\b`,
    ),
  },
  {
    pattern: re(
      `\\b(?:stop|quit|cut) (?:it )?(?:with|out) (?:the|these|this|all|your|those) ?(?:${w.thing}|${w.doing}|$)`,
    ),
  },
  {
    pattern: re(
      `\\b(?:no more|stop|quit|enough|end|cancel|halt|cease) (?:(?!(?:and|but|or|to|until|if|so|i|we|for|from|in|at|by|because|send|use|text|call|check|read|just|than|when|is|are|do|have|get)\\b)\\w+ ){0,6}(?:texts|messages|msgs|alerts|emails|notifications|newsletters|mensajes|textos|robocalls)\\b${fromUs}`,
    ),
    mayPrefer: true,
  },
  {
    pattern: re(
      `\\b(?:let|make|makes?|be|have) (?:this |it |that |be |sure )*(?:the |your |my )last (?:text|message|call|email|one|time you|contact)\\b|\\bultim[oa] (?:mensaje|llamada|texto|vez que)\\b`,
    ),
  },
  {
    pattern: re(
      `^(?:${w.polite} )*(?:off|out) (?:of )?(?:the|this|your|ur|these) (?:lists?|mailing list|texts?|messages|text list)\\b`,
    ),
  },
  {
    pattern: re(
      `\\b(?:lose|forget|delete|erase|trash|remove|drop) the (?:number|digits|contact)\\b|\\bget rid of (?:my|this|the) (?:number|phone|contact|info|name)\\b`,
    ),
  },
  {
    pattern: re(
      `\\b(?:dont|do not) (?:text|call|message|write|reply|respond|email) back(?:$| (?:or|and|please|again|i)\\b)`,
    ),
  },
  {
    pattern: re(
      `\\b(?:prefiero|preferiria|preferimos|quisiera|me gustaria|agradeceria) (?:mejor |ya |que )?(?:no|dejar de) (?:me |ya )?(?:recib\\w{1,4}|ser |que me |envi\\w{1,6}|mand\\w{1,6}|escrib\\w{1,6}|llam\\w{1,6}|contact\\w{1,6})`,
    ),
    mayPrefer: true,
  },
  {
    pattern: re(
      `\\b(?:cancelacion|eliminacion|baja|supresion|borrado|remocion) de (?:mis|mi|este|nuestros?) (?:datos|numero|telefono|celular|contacto|correo|suscripcion|nombre|informacion|registro)\\b`,
    ),
  },
  {
    pattern: re(
      `\\b(?:que|q) (?:ya )?(?:me|nos) (?:borr|quit|saqu|elimin|retir)\\w{1,6}(?:$| (?:ya|por favor|de|del|porfa)\\b)`,
    ),
  },
  {
    pattern: re(
      `\\bya no (?:escrib|llam|mand|envi|molest|contact|texte|insist|fastidi)(?:an?|en?|es|as|eis|ais|ar|ir)\\b(?! (?:el|la) )`,
    ),
    mayPrefer: true,
  },
  {
    pattern: re(
      `\\bno (?:me|nos) (?:escrib|llam|mand|envi|molest|contact|texte)(?:ais|eis)\\b|\\bni (?:me )?(?:escrib|llam|mand|envi|molest|contact)(?:ais|eis|an|en|a|e)\\b`,
    ),
    mayPrefer: true,
  },
  {
    pattern: re(
      `(?:^|\\b(?:por favor|favor|porfa|gracias|pero|y|que) )(?:ya )?no (?:escriban?|llamen?|manden?|envien?|molesten?|contacten?|texteen?|insistan?)(?: mas)?(?: (?:por favor|gracias|porfa|a este numero|a mi numero))?$`,
    ),
    mayPrefer: true,
  },
  { pattern: re(`\\b(?:stop|quit) (?:getting|receiving|having) (?:these|those|this|them|your|any of)\\b`) },
  {
    pattern: re(
      `\\b(?:ask|asked|asking|want|like|need|request\\w{0,3}|demand) (?:\\w+ ){0,3}to be (?:taken off|removed|left alone|unsubscribed|deleted|taken out)\\b(?! (?:from|off|of|out) (?:of )?(?:the|our|my) (?:title|deed|lease|loan|mortgage|contract|application|market))`,
    ),
  },
  {
    pattern: re(
      `\\b(?:remove|take|delete|get) (?:me |us )?(?:off|from|out of) (?:the |your |this |ur |all )?(?:lists?|database|mailing list|system|contacts)\\b|^(?:${w.polite} )*off (?:the |your )?lists?\\b`,
    ),
  },
  { pattern: re(`\\breport\\w{0,3} (?:this|your|the|ur) (?:number|texts?|messages?)\\b`) },
  { pattern: re(`\\bleave (?:me|us) out of (?:this|these|it|your)\\b|\\bexclude (?:me|us|my number)\\b`) },
  {
    pattern: re(
      `\\b(?:rather|prefer|better if) (?:that )?(?:you )?(?:not|didnt|did not|dont|do not|no) (?:to )?(?:text|call|contact|message|email|be texted|be called|be contacted|texts|messages|emails|any texts|any messages|more texts|more messages)\\b`,
    ),
    mayPrefer: true,
  },
  {
    pattern: re(
      `\\b(?:texts?|text messages|messages|calls|contact|solicitation|solicitations|emails) (?:are|is) (?:not welcome|unwelcome|unwanted|not wanted|not appreciated|not allowed)\\b|\\bno (?:right|permission|business) (?:to )?(?:text|texting|contact|contacting|call|calling|message|messaging|email)\\w{0,3}\\b|\\bconsent (?:is |has been |hereby )*(?:revoked|withdrawn|rescinded)\\b`,
    ),
  },
  {
    pattern: re(
      `\\b(?:molest|mensaj|llamad|acos|spam|texto)\\w{0,8} (?:\\w+ ){0,4}?(?:paren|pare|basta|detengan|dejen|parenle|ya)$`,
    ),
  },
  {
    pattern: re(
      `\\b(?:parar|pare|paren|cancelar|cancelen|cancele|cancela|detener|terminar|eliminar|quitar|bloquear|suspender) (?:los |las |mis |sus |estos |estas |todos los |todas las )?(?:mensajes|alertas|textos|notificaciones|correos|llamadas|sms|avisos|promociones|anuncios)\\b`,
    ),
    mayPrefer: true,
  },
  {
    pattern: re(
      `^(?:${w.polite} )*(?:la |mi |una )?baja (?:del|de) (?:servicio|la lista|lista|sistema|mensajes|este servicio|sus mensajes|los mensajes)\\b`,
    ),
  },
  {
    pattern: re(
      `^(?:\\w+ ){0,3}?(?!(?:i|we|they|he|she|it|will|wont|cant|dont|doesnt|didnt|never|not|to|the|a|an|bus|train|next|first|last|one|pit|rest|full|truck|non|my|our|your|this|quick|every|each|should|could|would|let|lets|when|where|no|and|or|can|did|does|do|may|might|must|each|another|final|only|\\d+(?:st|nd|rd|th)|second|third|rail|light|coffee|metro|subway|tram|shuttle|school)\\b)\\w+ (?:stop|unsubscribe)$`,
    ),
    notIfAsked: true,
  },
  {
    pattern: re(
      `^(?:${w.polite} )*stop (?:(?!(?:by|at|in|for|to|the|and|over|off|on|when|if)\\b)\\w+ ){1,2}${w.doing}\\b`,
    ),
    mayPrefer: true,
  },
  {
    pattern: re(
      `\\b(?:if|want|wish|like|need|appreciate|grateful|please|hope) (?:\\w+ ){0,5}(?:texts|messages|emails|calls|contact|communication) (?:to )?(?:be )?(?:stop|stopped|end|ended|cease|ceased)\\b`,
    ),
  },
  { pattern: re(`^(?:${w.polite} )*(?:remove|erase|delete) (?:it|this|them)(?: ${w.polite})*$`) },
  {
    pattern: re(
      `\\b(?:never|didnt|did not|dont remember) (?:\\w+ )?(?:agree|agreed|sign|signed|subscribe|subscribed|ask|asked|opt|opted|consent|consented|request|requested) (?:up |in |to |for )*(?:this|these|any of this|any of these|your list)$`,
    ),
  },
  {
    pattern: re(
      `\\b(?:get|gtfo|stay|keep) (?:the \\w+ )?(?:off of|off|out of|away from)? ?my (?:phone|inbox|line|cell)\\b`,
    ),
    notIfAsked: true,
  },
  {
    pattern: re(
      `\\b${w.not} (?:\\w+ )?(?:${w.wanting}) (?:to )?(?:get|getting|receive|receiving|see|seeing) (?:these|this|those|them|any of these|any|anything)(?: ${w.polite})*$`,
    ),
  },
  {
    pattern: re(
      `^(?:${w.polite} )*(?:end|stop|cancel|halt|kill) (?:these|those|all of (?:this|these)|all (?:this|these))(?: ${w.polite})*$`,
    ),
  },
  {
    pattern: re(
      `\\b(?:dont|do not|never) (?:ever )?(?:send|text|mail|message|email) (?:me |us )?(?:anything|nothing)\\b`,
    ),
  },
  { pattern: re(`\\bnot (?:authorized|allowed|permitted|welcome|supposed) to (?:${w.do})\\b`) },
  {
    pattern: re(
      `\\b(?:favor de|por favor|pido que|pedirle que|pedirles que|agradeceria que) (?:ya )?no (?:me |nos )?(?:${w.do})\\b(?! (?:al|a la|a los|a mi|el|la|los|las) )`,
    ),
    mayPrefer: true,
  },
  {
    pattern: re(
      `\\bque (?:ya )?(?:paren|pare|dejen|basta)$|\\banul\\w{1,4} (?:la |mi |esta )?suscripcion\\b`,
    ),
  },
  {
    pattern: re(
      `\\b(?:want|like|need|wish) (?:all )?(?:these|this|those|${w.thing}) (?:to )?(?:all )?(?:end|stop|be over|cease)$`,
    ),
  },
  {
    pattern: re(
      `\\bno (?:me |nos )?(?:manden?|mandes|envien?|envies|escriban?|escribas) nada\\b|\\bno (?:me|nos) vuelv\\w{1,3} a (?:marcar|hablar|escribir|llamar|mandar|enviar|contactar|molestar|buscar|textear)\\b`,
    ),
    mayPrefer: true,
  },
  {
    pattern: re(
      `^(?:${w.polite} )*(?:detengan?|detenga|paren|pare|dejen|deje|terminen|alto) (?:con |de |a )?(?:esto|eso|todo esto)(?: ${w.polite})*$`,
    ),
  },
  {
    pattern: re(
      `\\bno need (?:to (?:keep|continue) (?:${w.doing}|${w.do})|for (?:any |more |further |additional |any more |these |the |your )*${w.thing})\\b`,
    ),
    mayPrefer: true,
  },
  { pattern: re(`\\b(?:salir|salirme|fuera) de (?:la|su|esta|tu|sus|estas) (?:lista|listas|base|grupo)\\b`) },
  {
    pattern: re(
      `\\bno (?:me|nos) (?:escribier|mandar|enviar|contactar|llamar|molestar|volvier)(?:a|an|as|ais)\\b`,
    ),
    mayPrefer: true,
  },
  {
    pattern: re(
      `\\bstop (?:asking|begging|pushing|pressuring|pestering)(?:$| (?:me|us|please|to|if|about|already)\\b)`,
    ),
  },
  {
    pattern: re(
      `\\b(?:me|nos) (?:saquen?|quiten?|borren?|eliminen?|retiren?|remuevan?|saques|quites|borres|elimines) (?:de|del|ya|por favor)\\b`,
    ),
  },
  {
    pattern: re(
      `\\b(?:no|nunca) (?:vuelvan?|vuelvas|sigan?|sigas) (?:a )?(?:escrib|mand|envi|contact|llam|molest|text)\\w{0,8}\\b`,
    ),
    mayPrefer: true,
  },
  // An ending, and our messages or calls as its object.
  {
    pattern: re(`\\b${w.ending} (?:${w.between} ){0,5}(?:${w.thing}|${w.doing})\\b${fromUs}`),
    mayPrefer: true,
  },
  {
    pattern: re(
      `\\b(?:end|ending|cancel|cancelling|canceling) (?:${w.between} ){0,4}(?:texts?|messages|text messages|msgs|subscriptions?|emails|notifications|alerts|newsletters?|mailings?|sms|communications?|all contact|contact|spam|suscripcion|suscripciones|mensajes|notificaciones|correos|alertas)\\b`,
    ),
  },
  {
    pattern: re(
      `\\bcancel\\w{0,6} (?:la |mi |el |mis |los )?(?:suscripcion|suscripciones|mensajes|notificaciones|envio|envios|servicio de mensajes|registro)\\b`,
    ),
  },
  {
    pattern: re(
      `^(?:${w.polite} )*stop (?!calling it|calling me (?:babe|baby|honey|sir|maam|sweetie|dear|mr|mrs)|showing)\\w+ing (?:to |at |on |with |for )?(?:me|us|my|this number|our|people)\\b`,
    ),
    mayPrefer: true,
  },
  // A negation, and our messages or calls.
  {
    pattern: re(
      `\\b${w.not} (?:(?:ever|please|you|you ever|want you to|need to|have to|try to|even|you dare|dare|just|bother to|me|nos|me vuelvan? a|me vuelvas a|nos vuelvan a|vuelvan? a|vuelvas a|me sigan?|sigan?|sigas|quiero que|quiero que me|queremos que|deseo que me|necesito que me|you people|allowed to|permitted to|want u to|wish for you to) ){0,3}${w.do}(?: to| with| at| on)?(?: ${w.between}){0,4} (?:${w.whom}|${w.thing}|it$|any ?more(?:$| (?:please|thanks|or|and|i|we|you|thank|because|at|por)\\b))(?:$| |\\b)${fromUs}`,
    ),
    mayPrefer: true,
  },
  {
    pattern: re(
      `\\b(?:ya |por favor |favor de |que |y |pero )?(?:no|ya no|nunca) (?:me|nos) (?:vuelvan? a |vuelvas a |sigan? |sigas |esten? |estes |quiero que )?(?:escrib(?:an?|as|ir|iendo)|(?:mand|envi)(?:en?|es|ar|ando)(?=$| (?:mas|ya|por|nada|ningun|ninguna|mensajes?|textos?|correos?|publicidad|promociones|propaganda|informacion|estos|estas|esto|tantos|tantas|otra|otro|de|gracias|porfa|pls|please|nunca|a|sus|tus|y|ni|o|cosas|spam)\\b)|contact(?:en?|es|ar|ando)|llam(?:en?|es|ar|ando)|molest(?:en?|es|ar|ando)|text(?:een?|ees|ear|eando)|notifiqu(?:en?|es)|busqu(?:en?|es)|fastidi(?:en?|es|ar|ando)|habl(?:en?|es|ar|ando)|marqu(?:en?|es))\\b(?! (?:el|la|los|las|un|una) (?!mensaje|texto|correo|llamada|publicidad|promocion|oferta))(?! (?:mas )?(?:de|en|por) (?!est|es[ao]|su|tu|la |favor|nuevo|nada|ninguna|propaganda|publicidad)\\w)`,
    ),
    mayPrefer: true,
  },
  {
    pattern: re(`^(?:${w.polite} )*${w.not} (?:please |ever |you |ever )*${w.do}(?: ${w.polite})*$`),
    mayPrefer: true,
  },
  {
    pattern: re(
      `^(?:${w.polite} )*(?:no|zero) (?:more )?(?:texting|calling|messaging|emailing|contacting|spamming|texts|messages|text messages|calls|emails|spam|contact|solicit\\w{0,8}|msgs|phone calls|mensajes|llamadas|correos|textos|publicidad|promociones|sms)(?: (?:or|and|ni|y|o) ${w.thing})?(?: ${w.polite})*$`,
    ),
    mayPrefer: true,
    notIfAsked: true,
  },
  {
    pattern: re(
      `\\b(?:ya )?${w.not} (?:\\w+ )?(?:${w.wanting}) (?:${w.wished} ){0,6}(?:${w.thing}|${w.doing}|${w.wish})\\b${fromUs}`,
    ),
    mayPrefer: true,
  },
  {
    pattern: re(
      `\\b(?:not|no|aint) (?:longer )?(?:interested in|interest in|a fan of|ok with|okay with|comfortable with) (?:${w.wished} ){0,5}(?:${w.thing}|${w.doing}|${w.wish})\\b`,
    ),
    mayPrefer: true,
  },
  {
    pattern: re(
      `\\bno (?:quiero|queremos|deseo|deseamos) (?:mas|recibir|recibir mas|recibir nada|recibir nada mas|seguir recibiendo|mas nada|nada|nada mas|ser parte de esto|saber nada|saber nada mas|saber mas de \\w+)(?: (?:por favor|gracias|de \\w+))?$`,
    ),
  },
  {
    pattern: re(
      `\\b(?:never|not|dont|do not|wish to not|prefer not|rather not|want not) (?:to )?(?:want to )?(?:be|receive|get|hear)(?: (?:contacted|called|texted|messaged|emailed|bothered|from you|from yall|anything from you|these|any more|your texts|your messages|any of these))+\\b`,
    ),
    mayPrefer: true,
  },
  {
    pattern: re(
      `\\b(?:want|need|demand|request|would like|id like|wish|ask|like|please) (?:${w.thing} |all |this |it |these |the |your |all of |for |that |to |you |be |me |my |number |u )*(?:stopped|removed|unsubscribed|opted out|off (?:the|this|your|ur) (?:list|lists|mailing list|text list|call list)|taken off|deleted from|put on (?:the|your) do not call|out of (?:this|these|your) (?:lists?|texts|messages|system|chat|thread|group|database|phone))\\b`,
    ),
  },
  {
    pattern: re(
      `\\b(?:get|getting|want|be|am|put|getting me|me|us|i want|number) off (?:of )?(?:the|this|your|ur|these|that|all|any|my) (?:\\w+ )?(?:lists?|texts?|text|messages?|emails?|calls?|thread|chain)\\b`,
    ),
  },
  // Consent taken back.
  {
    pattern: re(
      `\\b(?:revok\\w{1,3}|withdraw|withdrawing|withdrew|withdrawn|rescind\\w{0,3}|retract\\w{0,3}|take back|taking back) (?:my |all |any |the |prior |previous |express |written |of |our |this )*(?:consent|permission|authorization|opt in)\\b`,
    ),
  },
  {
    pattern: re(
      `\\b(?:do not|dont|never|didnt|did not|no longer|not|dont even|havent|have not) (?:have |give |gave |given |you |had |has |my |any |our |our |anyone |express |written )*(?:consent|permission|authorization)(?:$| (?:to|for|and|please|so|from|thank|you)\\b(?! (?:enter|sell|show|use|list|park|build|list|access|share|drive|run|pull)))`,
    ),
  },
  {
    pattern: re(
      `\\b(?:revoco|retiro|revocar|retirar|quito|cancelo) (?:mi |el |todo |todo mi |cualquier )*(?:consentimiento|permiso|autorizacion)\\b|\\bno (?:tienen?|doy|di|les doy|le doy|les di|tienes|hay) (?:mi )?(?:permiso|consentimiento|autorizacion)\\b`,
    ),
  },
  {
    pattern: re(
      `\\b(?:never|didnt|did not|dont remember|do not recall|dont recall) (?:ever )?(?:agree|agreed|agreeing|sign|signed|signing|subscribe|subscribed|ask|asked|asking|opt|opted|consent|consented|request|requested|authorize|authorized|requested) (?:up |in |to |for |on |you to |be |get |receive |getting |receiving )*(?:any |these |this|your |all |of |the |to |marketing |text |automated |spam|being )*(?:${w.thing}|contacted|texted|called|messaged|from you|$)`,
    ),
  },
  // Unsubscribing by name.
  {
    pattern: re(
      `\\b(?:unsubscribe|unsubscribing|unsubscribed${fromOthers}|unsub|un subscribe|unsuscribe|unsubcribe|unsubscibe|unscribe|unsubscrib|unsuscribed|de subscribe|desuscri\\w{1,8}|desubscri\\w{1,8}|desinscri\\w{1,8})\\b`,
    ),
  },
  {
    pattern: re(
      `\\b(?:darme|darnos|dadme|dadnos|denme|deme|dame|dennos|den|dar|darse|quiero|solicito|pido|tramitar|me den|me de|me doy|ponganme|dar a mi numero) (?:la |mi |de |una |me )*baja(?:$| (?:por|de (?:la|su|sus|esta|este|estos|los|las|tu|el) (?:\\w+ )?(?:lista|servicio de|mensajes?|base|sistema|textos?|notificaciones|promociones|correos?|grupo)|del (?:sistema|servicio de|grupo)|mi numero|este numero|gracias|ya|inmediatamente|ahora|en la lista|en su lista|mi suscripcion|a mi numero)\\b)`,
    ),
  },
  // Being left alone.
  {
    pattern: re(
      `\\b(?:leave|leaving|let) (?:me|us|my family|this number|my phone|my number|him|her) (?:the \\w+ |tf |alone |all |be)*(?:alone\\b|be$)|\\bleave me be\\b`,
    ),
  },
  {
    pattern: re(
      `\\b(?:lose|loose|forget|burn|trash|throw away|toss|delete|erase|discard) (?:my|this|our) (?:number|phone number|contact|info|information)\\b`,
    ),
  },
  {
    pattern: re(
      `\\b(?:deja|deje|dejen|dejas|dejame|dejeme|dejenme|dejenos|dejennos|dejanos)(?:me|nos)? (?:ya |vivir )?(?:en paz|tranquil[oa]s?|de una vez|ya)\\b`,
    ),
  },
  {
    pattern: re(
      `^(?:${w.polite} |just |you |yall )*(?:go away|get lost|fuck off|f off|fk off|eff off|piss off|buzz off|screw off|fuck you|bug off|back off|get out of my phone|drop dead|vete|vayanse|vayase|largate|larguense|chinga tu madre|chinguen a su madre|jodanse|jodete|vete a la mierda|vete al carajo|no jodas|no joda|no jodan|no chingues|no chinguen|no friegues|no molestes|no moleste|no molesten|no insista|no insistan|no insistas)\\b`,
    ),
  },
  {
    pattern: re(
      `\\bdo not (?:call|contact|text) (?:list|registry)\\b|\\b(?:dont|don t|no) (?:call|contact|text) (?:list|registry)\\b|\\bdnc (?:list|registry)\\b|\\blista de no (?:llamar|contactar|molestar)\\b`,
    ),
  },
  {
    pattern: re(
      `\\b(?:report|reported|reporting|marking|marked|flagged|flagging) (?:you|this|it|u|your number|this number|yall|them|these|and blocked)? ?(?:all )?(?:as|for|to) (?:a )?(?:spam|junk|harassment|scam|the ftc|the fcc|ftc|fcc|the attorney|my attorney|attorney|the bbb|bbb|my carrier|the authorities|the police|the state|your broker|your brokerage)\\b|\\b(?:block|blocked|blocking) (?:you|u|this number|your number|yall|and report\\w{0,3})\\b|\\b(?:los|lo|la|te|este numero) (?:voy a |vamos a )?(?:bloquear|bloqueare|bloqueo|reportar|reportare|denunciar|denunciare|reporto|denuncio)\\b`,
    ),
  },
  // `stop` that ends what someone demands, and that a person says they have said before.
  {
    pattern: re(
      `\\b(?:you|u|ya|yall|your|ur|people|asking|beg|said|told|say|saying|please|pls|plz) (?:(?!(?:i|we|when|where|while|until|they|he|she|before|after)\\b)\\w+ ){0,6}(?:stop|stopped)${tail}$`,
    ),
    notIfAsked: true,
  },
  {
    pattern: re(
      `\\b(?:this|these|it|them|texts?|messages?|emails?|calls?|madness|harassment) (?:\\w+ ){0,3}(?:to|must|should|gotta|please|better) (?:be )?(?:stop|stopped)${tail}$`,
    ),
    notIfAsked: true,
  },
  {
    pattern: re(
      `\\b(?:you|u|yall|please|pls|plz|just) (?:(?!(?:i|we|when|where|they|he|she)\\b)\\w+ ){0,2}stop${tail}$`,
    ),
  },
  {
    pattern: re(
      `^(?:${w.polite} |just |seriously |omg |ugh )*stop${tail} (?:or|before|im|i am|ive|i have|i already|i dont|i do not|i do|i was|i will|ill|i|we|were|weve|because|cause|cuz|bc|u|you|yall|fucking|asap|if|unless|wrong|not|no|nobody|thank|thanks|and (?:take|remove|delete|leave|lose|dont|unsubscribe|do not|never)|trying|bother|dont|do not|leave|my|he|she|ya|por|gracias|lo|ok|otherwise|please|remove|take|text|texts|message|msg|unsub|porque|no|los)\\b(?! (?:sign|by|in))`,
    ),
    notIfAsked: true,
  },
  {
    pattern: re(
      `\\b(?:i|we|ive|weve|have|already|been) (?:\\w+ ){0,3}(?:texted|replied|sent|said|typed|written|wrote|responded|messaged|answered|reply|replying|saying|texting|asking|asked|told|texting back|sending|responding|text|hit|typing)(?: with| to| you to| for you to| you| back| u to| yall to)? (?:\\w+ ){0,2}(?:stop|alto|basta|unsubscribe)\\b`,
    ),
  },
  {
    pattern: re(
      `\\b(?:how many times|what part of|what does it take)\\b.{0,80}\\b(?:stop|no|unsubscribe|texting|calling|alto)\\b`,
    ),
  },
  // In doubt, an ending that comes near the person or our messages.
  {
    pattern: re(
      `\\b(?:stop|quit) (?!mowing|looking|renting|paying|worrying|thinking|searching|working|smoking|raining|barking|moving|using|being|going|living|leaking|running|showing|making|taking|buying|selling|building|growing|doing|driving|dreaming|crying|laughing|eating|drinking|overthinking|procrastinating|viewing|hunting|calling it|calling me (?:babe|baby|honey|sir|maam|sweetie|dear|mr|mrs|ms)|talking|waiting|bidding|trying to find|listing|saving|shopping|touring|bringing|checking|refreshing|stressing|something|anything|everything)\\w{2,12}ing\\b (?:\\w+ ){0,2}?(?:me|us|my|this number|people)\\b`,
    ),
    mayPrefer: true,
  },
  {
    pattern: re(
      `\\b(?:me|my|us|our|number|name|number|mi|off|out|removed|deleted) (?:\\w+ ){0,3}(?:off|out of|from) (?:of )?(?:the |your |this |ur |any |all |these |that |whatever |you |you guys |yalls )*(?:(?!wait|wish|guest|price|punch|buyers?|showing|title|open)\\w+ ){0,2}(?:lists?|database|contacts|distribution|rolodex|crm|mailing|texts|messages)\\b`,
    ),
  },
  {
    pattern: re(
      `^(?:\\w+ ){0,4}?(?:dont|do not|no longer|not) (?:\\w+ ){0,2}(?:want|wish|need|care|like) (?:\\w+ ){0,4}?(?:texts|messages|to be texted|to be contacted|to be called|emails|text messages|solicitations|contacted|you contacting|you texting|you calling)\\b${fromUs}`,
    ),
    mayPrefer: true,
  },
  {
    pattern: re(
      `\\b(?:dej|par|bast|ces|detien|deten|evit)\\w{0,5} (?:ya |de |con |por favor |los |las |sus |tus |tantos |tantas |esos |estos |estas )+(?:mensaj|llamad|llamar|texto|textos|texte|correo|escrib|mand|envi|molest|contact|notific|public|promoc|spam|insist|acos|fastid|hostig)\\w{0,9}\\b`,
    ),
    mayPrefer: true,
  },
  {
    pattern: re(
      `\\b(?:ya no|no) (?:quiero|queremos|deseo|necesito|me interesa|quisiera) (?:\\w+ ){0,4}?(?:mensajes?|llamadas?|textos|correos|publicidad|promociones|notificaciones|que me (?:escrib|mand|envi|llam|contact|molest)\\w{0,6})\\b`,
    ),
    mayPrefer: true,
  },
  {
    pattern: re(
      `\\b(?:quit|sac|saqu|borr|elimin|retir|remov|remuev)\\w{0,6} (?:\\w+ ){0,3}?(?:de|del) (?:su|sus|tu|tus|la|las|el|esta|este|esa|toda|todas|ahi|aqui) ?(?:\\w+ )?(?:lista|listas|base|sistema|registro|registros|contactos|agenda|grupo|directorio)\\b`,
    ),
  },
]

/** Asks about an ending, and not for it. */
export const about = re(
  `^(?:${w.polite} |wait |and |so |but |quick question |question |just curious |curious |hmm |sorry )*(?:how do i(?! (?:get|make) (?:you|this|it|these|yall))|how do we|how can i|how could i|how to|como hago|como puedo|como me|como se|como le hago|what does|what do you mean|what did|whats|what is|what happens|what if|what would|what will|how does|does|do i have to|do i need to|do we have to|do we need to|did i|did you|did we|did he|did she|did my|is|if i|if we|if my|am i|have i|should i|should we|will i|will it|would i|would it|can i still|will this|why does|why do i|why did i|why did you|why would|why am i|when i|who|are there|has|can you explain|que significa|que quiere decir|que pasa|que pasaria|si mando|si escribo|si respondo|si contesto|si pongo|si digo|si me doy|tengo que|hay que|debo|para que|por que me|me di|es|sirve|como funciona|que es)\\b`,
)

export const aboutWithoutMark = re(
  `^(?:${w.polite} |wait |and |so |but |hmm |sorry )*(?:how do i(?! (?:get|make) (?:you|this|it|these|yall))|how can i|como hago para|what does|what do you mean by|what happens|whats|do i have to|do i need to|how does|did i|does|que significa|que pasa si|que quiere decir|why does it say|why did i)\\b`,
)

export const demand = re(
  '\\b(?:how many times|be possible|possible to|have to (?:tell|say|ask|repeat|do to (?:get|make|stop))|need to (?:do|say|text|type) to (?:get|make|be|stop)|what part|going to stop|gonna stop|ever stop|ever going|still (?:texting|calling|messaging|sending|getting|receiving))\\b',
)

export const means = re('\\b(?:mean|means|meaning|significa|signifies|quiere decir)\\b')

export const elsewhere = all(
  '\\bunsubscri\\w{1,5} from (?:the |my |that |all the |every )?(?!you|your|ur|this|these|here|it|all|every|list|text|message|email|mailing|newsletter|alert|notification)\\w+',
)

/** Words of ending that a question or a quotation may be about. */
export const mention = re(
  `\\b(?:unsubscri\\w{1,5}\\b${fromOthers}|unsub|no recibir|dejar de recibir|stop (?:these|getting|receiving|this)|opt ?out(?! of)|opting out(?! of)|opted out(?! of)|opt me out|baja de|darme de baja|desuscri\\w{1,8}|(?:reply|replying|replied|text|texting|type|typing|say|saying|send|sending|word|press|write|mean|means|responder|respondo|responda|mando|mandar|escribo|escribir|envio|pongo|palabra|significa|digo|says|said|contesto|texto) (?:\\w+ ){0,3}(?:stop|alto|baja|cancelar|parar|end|quit|cancel)|(?:does|will|would|did|is|if) (?:i |typing |saying |my )?(?:stop|alto) (?!the|by|at|for)|(?:stop|alto) (?:\\w+ ){0,3}(?:mean|means|word|work|works|right|correct|affect|option|keyword|command|texts|messages|emails|calls))\\b|${quotation}`,
)

/** Ends something that the message names elsewhere: its number, or our messages. */
export const endsIt = re(
  `\\b(?:please|pls|kindly|favor de|por favor|just|and|can you|must|y) (?:(?:remove|erase|delete|unsubscribe|stop)(?: (?:it|them|this|these)|$)|take (?:it|this) off|(?:deteng|deten|par|cancel|quit|elimin|suspend|remov|borr|saqu|sac)\\w{0,6}(?:los|las|lo))\\b|\\b(?:this shit|this crap|this) take it off\\b|\\b(?:deteng|suspend|cancel)\\w{1,4}(?:los|las) por favor\\b`,
)

export const namesUs =
  /\b(?:number|signing up|phone|cell|sign up|signed up|mensajes?|messages?|texts?|numero|celular|telefono|list)\b/

/** The person wants our messages again. */
export const again = re(
  `\\b(?:start|resume) (?:my |the |those |your )?(?:texts|messages|alerts|emails|updates) (?:again|back up)\\b|\\bunstop (?:me|my|us|this)\\b|\\bsign (?:me |us )?back up\\b|\\bsign up again\\b|^(?:${w.polite} )*alta (?:otra vez|de nuevo|nuevamente)\\b|\\bvuelv(?:a|an|as|e) a (?:inclu|agreg|suscrib|inscrib|anot|mandar|enviar)\\w{0,6}\\b|\\b(?:re ?subscribe|subscribe|sign|opt|add|put|turn) (?:me|us|them|it|my number) (?:back )?(?:again|back|in again|back in|up again|on again|back on)\\b|\\bopt (?:me )?back in\\b|\\b(?:start|resume|restart) (?:texting|sending|messaging|emailing) (?:me |us )?(?:again|\\w+ again|texts again|messages again)\\b|\\b(?:resume|restart) (?:my |the |your )?(?:texts|messages|alerts|emails|subscription)\\b|\\b(?:want|like) (?:to )?(?:get|receive|start getting|start receiving) (?:your |the |these |my )?(?:texts|messages|emails|alerts|updates) again\\b|\\b(?:quiero|quisiera|deseo|me gustaria) (?:volver a |otra vez |de nuevo )(?:recibir|suscribirme)\\b|\\brecibir (?:\\w+ )?(?:mensajes|alertas|correos) (?:otra vez|de nuevo|nuevamente)\\b|\\b(?:suscrib|inscrib|agreg|reactiv|anot)\\w{0,6} (?:me |mi numero |mis mensajes |los mensajes )?(?:otra vez|de nuevo|nuevamente)\\b|\\breactiv(?:e|en|a|ar) (?:mi|mis|los|sus)\\b|\\b(?:stop|unsubscribed?|opted out|opt out) by (?:accident|mistake)\\b.{0,80}\\b(?:back|again|resume|start)\\b`,
)

/** `Stop!` as an exclamation of delight. */
export const delight =
  /\b(?:love|loving|gorgeous|amazing|hilarious|beautiful|stunning|cute|adorable|funny|dreamy|perfect|obsessed|wow|haha\w*|lmao|incredible|wild|insane|kidding|dying|dead|crying|blushing|hermos\w|preciosa|encanta|no way)\b/

/** About one home or one way, and not about us. */
export const ordinary = re(
  `\\b(?:keep (?:sending|them coming|looking|me|us|texting)|send (?:me |us |over )?(?:more|others|other|another|some)|what else|show (?:me|us)|(?:the )?others?|anything else|only|interested in (?!selling|buying|moving|listing|your|ur|it|this$|that$|any|anything|talking|working|real|being|getting|receiving|these|texts|what)\\w+|(?:something|anything|algo|one) (?:else|bigger|smaller|closer|cheaper|newer|nicer|mas)|too (?:small|big|far|expensive|old|pricey|high|close|dark|noisy|busy)|muy (?:pequen\\w|car[ao]|lejos|grande|viej[ao])|tiene[ns]? otr[ao]s?|(?:that|this|the first|the second|the other|the last) (?:one|house|home|listing|place|property|condo|area|neighborhood|street|lot)|(?:mand|envi|muestr|ensen)\\w{1,5} (?:mas|otr\\w{1,2})|es[ao](?: casa| una)?|est[ae] casa|otr[ao]s?|but (?:send|show|what|do you|still|please)|pero (?:mand|envi|muestr)\\w{1,5})\\b`,
)

export const nounOptOut =
  /\b(?:an|the|any|of) opt ?out\b|\bopt ?out (?:clause|period|provision|option|form|fee|language|section|deadline|window|date)\b/

export const review = re(
  `\\b(?:(?:not|no longer|isnt|arent|aint|not really|never|not at all|neither) (?:\\w+ )?(?:interested|looking|in the market|buying|selling|house hunting|searching|for sale)|no interest|lost interest|no thanks?|no thank you|no thx|nah thanks|no ty|ill pass|i ll pass|we ll pass|well pass|hard pass|pass on this|not for (?:me|us)|no gracias|no me interesan?|no nos interesa|no estoy interesad\\w|no estamos interesad\\w{1,3}|ya no (?:estoy|estamos) (?:interesad\\w{1,3}|buscando)|ya no (?:busco|buscamos|me interesa)|perdi el interes|already (?:bought|sold|have|has|got|found|under contract|closed|working|signed|own|purchased|rented|leased|listed|hired|using)|(?:have|has|got|found|hired|using|signed with) (?:an?|our own|my own|another|a different) (?:\\w+ )?(?:agent|realtor|broker)|went with (?:another|someone|a different)|working with (?:another|someone|a|an|my)|found (?:a|another|our) (?:house|home|place|apartment|condo)|(?:bought|purchased|sold|rented|closed on) (?:a|our|the|my|another) (?:\\w+ )?(?:house|home|place|condo|apartment|property)|ya (?:compre|compramos|tengo|tenemos|vendi|vendimos|rente|rentamos|encontre|encontramos|conseguimos|consegui) (?:\\w+ )?(?:casa|agente|departamento|una|un|otra|otro|mi|la)|(?:tengo|tenemos) (?:un |una |otro |otra |nuestro |mi |mi propio )?(?:agente|realtor|corredor|corredora)|not (?:right now|now|at this time|at the moment|ready$|ready yet|ready to (?:buy|sell|move|list|talk)|today|this year|yet ready)|maybe (?:later|next year|another time|some other time|in the future|in a few)|some other time|changed (?:my|our) minds?|quizas? (?:mas tarde|despues|luego|otro)|tal vez (?:mas tarde|despues|luego|otro)|ahora no|ahorita no|por ahora no|por el momento no|no por ahora|mas adelante|en otro momento|cambie de opinion|cambiamos de opinion|too many (?:texts?|messages?|emails?|calls?|notifications?)|(?:text|message|email|call|contact|write)(?:ing|s)? (?:me |us )?(?:too (?:much|often)|so much|so often|less|less often|less frequently|once a|a lot less)|(?:fewer|less) (?:texts?|messages?|emails?|calls?|notifications?|frequent)|slow down (?:on|with)|(?:demasiados|muchos|tantos|menos) (?:mensajes|correos|textos|llamadas)|(?:demasiadas|muchas|tantas) llamadas|menos seguido|this is spam|^spam$|^scam$|this is a scam|es spam|es una estafa|harass\\w{0,5}|passed away|is deceased|died|fallecio|murio|hold off|mejor no|olvidelo|olvidalo|forget it|are you kidding me|worst review|what time it is|una verguenza|get off this|double messages|two of every|no lleguen|solo uno por|quien (?:te|le|les|os) dio mi|(?:how|what) (?:do|can|should) i (?:text|send|say|type)|texting policy|who gave you (?:my|this)|how did you get (?:my|this)|where did you get (?:my|this)|quien (?:te|le|les) dio mi numero|como (?:consiguio|consiguieron|obtuvo|obtuvieron) mi numero|take a break|taking a break|need a break|(?:fewer|less) of (?:these|them)|worst (?:agent|realtor|company|service|experience)|ridiculous|unprofessional|disgusting|unbelievable|pathetic|shameful|so rude|(?:lawyer|attorney) will be (?:in touch|contacting|hearing)|from my (?:lawyer|attorney)|legal action|lawsuit|sue you|(?:im|i am|we are|were|were all) (?:so |all )?done$|falta de respeto|que verguenza|a estas horas|at this hour|christmas (?:morning|eve|day)|thanksgiving (?:morning|day)|mi abogado|demanda|demandar|de donde (?:saco|sacaron|sacaste|obtuvo|obtuvieron|tiene|tienen) mi|cancel (?:everything|all|all of it|it all)|cancel\\w{1,3} todo|(?:maybe|perhaps|might|think about|thinking about|quizas|tal vez) (?:\\w+ )?(?:stop|unsubscribe|opt out|pause)|stop for (?:a while|now|a bit)|pause (?:for|the|my|until)|unsure if)\\b`,
)

export const wrongNumber = re(
  `\\b(?:wrong (?:number|numbers|person|people|phone|guy|lady|man|woman|num|nbr|girl|dude|recipient|party|phone number)|not the (?:right|correct) (?:number|person)(?! for| to)|(?:dont|do not) (?:have|got) the right (?:number|person)|(?:new|different) owner of this (?:number|phone)|(?:no one|nobody|noone|no body|not anyone) (?:\\w+ )?(?:here |at this number |on this number )?(?:by|named|with) (?:that name|the name|this name|named \\w+|(?!that|the|this|a|an)\\w+$)|nobody named \\w+|no (?:\\w+ )?(?:here |at this number )?(?:by|with) (?:that|this) name|(?:theres|there is|there s) no \\w+ (?:here|at this number|on this number)|no \\w+ (?:here|at this number|lives here)|this (?:is|isnt|is not|aint) (?:not )?(?:the )?\\w+s? (?:number|phone|cell)(?: number)?(?: anymore| any more| any longer)?|(?:no longer|not|isnt|is not|aint) (?:\\w+ )?(?:number|phone)(?: anymore| any more)?|(?:has|had|have) (?:a )?new number|changed (?:his|her|their) number|(?:doesnt|does not|dont|no longer) (?:\\w+ )?(?:has|have|own|owns|use|uses|live|lives|work|works|reside)(?: at)? (?:this number|this phone|here|at this number)(?: anymore)?|(?:dont|do not|dunno|never) (?:know|knew|heard of|met) (?:any |a |anyone named |anybody named |who |no )?(?!(?:when|if|how|what|why|where|whether|yet|about|the|much|anything|it|you|your|that|this)\\b)\\w+$|(?:i am|im) not (?!(?:interested|sure|ready|looking|going|able|available|selling|buying|home|there|in|a|an|the|at|happy|able|feeling|working|moving|free|comfortable|getting|trying|really|too|so|very|that|good|on|your|his|her|opposed|picky|afraid|worried|kidding|gonna|planning|familiar|currently|yet|doing|from|up|his|asking|seeing|convinced|certain|aware|receiving|done|for|to|joking|into|as|allowed|qualified|approved|pre|quite|all|alone|against|even|just|using|signing|paying|renting|dealing|wanting|living|here|near|around|back|coming|stopping|local|rich|married|single|english|over|under|off|one|taking|leaving|changing|answering|responding|sick|hiring|only|with|surprised|impressed|attached|set|budging|willing|waiting|thinking|crazy|fully|much|ok|okay|well|fine|driving|texting|calling|asking|saying|telling|talking|sold|following|understanding|mad|upset|angry|shopping|searching|hearing|concerned|bothered|opting|unsubscribing)\\b)\\w+$|this (?:isnt|is not|aint|not) (?!(?:what|a|an|the|working|fair|right|ok|okay|good|my|our|true|funny|necessary|correct|it|for|about|acceptable|helpful|spam|him|her|legal|possible|urgent|cool|easy|enough|over|fun|in|on|at|an|how|where|why|that|too|so|very|clear|happening|loading|new|really|yet|ready|available)\\b)\\w+(?: \\w+)?$|this (?:isnt|is not) (?:him|her)|meant (?:to (?:text|message|call|reach|contact)|for) (?:someone|somebody|a different|another)\\b|had this number (?:for )?(?:\\w+ ){0,3}(?:years?|months?)|confundi\\w{1,4} de (?:persona|numero)|numero equivocado|persona equivocada|(?:esta|estas|estan|se ha|te has|se) equivoc\\w{1,6}(?: de (?:numero|persona))?|te equivocaste(?: de numero)?|numero (?:incorrecto|erroneo|mal)|no soy (?!(?:yo|el que|la que|dueno|duena|agente|de|muy|un|una|el|la|tan)\\b)\\w+$|no conozco a (?:ningun|ninguna|nadie|ese|esa|esa persona|la|el|\\w+)|no es (?:el|mi|su) numero|(?:este|ese) no es (?:el |su |mi )?(?:numero|telefono|celular)|(?:aqui )?no (?:hay|vive|existe|esta) (?:ningun|ninguna|nadie|ese|esa) \\w+|aqui no (?:hay|vive|es|esta) \\w+|ya no (?:es|tiene|usa) (?:su|este|el|ese) numero|no es la persona)\\b`,
)

/** A wrong number that is not the one we wrote to. */
export const otherNumber =
  /\b(?:wrong (?:number|phone number) (?:of|on|in|for the|listed)|(?:i|we|ive|weve|he|she|they) (?:may |might |just |accidentally |must |have |had |think i )?(?:gave|put|typed|wrote|entered|listed|have|had|called|dialed|texted|got) (?:you |down |in |your |them |him |her )?(?:the |a )?wrong (?:number|phone number)|(?:i|we) (?:gave|put|typed|wrote|entered|called|dialed|texted))\b/

/** An ending without an object, which may be about an appointment. */
export const unclear = re(
  `^(?:${w.polite} )*(?:cancel it|cancel this|cancel that|end it|end this|dont|do not|cancelalo|cancelelo|terminelo|terminalo|cancela esto)(?: ${w.polite})*$`,
)

export const strong =
  /\b(?:stop|stopall|unsubscribe|unsub|alto|basta|remove me|leave me alone|take me off|optout|opt out|no mas|dont text me|do not text me|do not contact|dont contact me|do not contact me|dnc|dejenme en paz|dejame en paz|darme de baja)\b/

/** A sentence of ours that tells what to reply, without the message that it was in. */
export const instruction =
  /^(?:\w+ ){0,3}(?:to|para) (?:unsubscribe|opt out|stop|end|cancel|quit|be removed|dejar de recibir|cancelar|darse de baja) (?:\w+ ){0,4}(?:reply|text|respond|send|responda|responde|envie|mande)\b|^(?:\w+ ){0,3}(?:reply|text|respond|send|type|txt|responda|responde|envie|envia|escriba|mande|conteste|repondez|antworte) (?:back )?(?:with |con )?(?:the word |la palabra )?(?:stop|alto|baja|unsubscribe|end|cancel|quit|parar|cancelar) (?:to|for|para|pour|2|if|at any|any) /

export const prepositions = setOf('off, from, out, of, de, del, fuera')

export const placeWord = re(`^(?:${either('place')}|${either('thing')})$`)

export const owningWord = re(`^${either('owning')}$`)

export const follows = setOf(
  'last, yesterday, twice, weeks, days, months, several, multiple, please, pls, now, thanks, thank, asap, immediately, permanently, and, or, i, im, ive, we, you, so, completely, entirely, right, today, if, because, before, already, ya, por, gracias, inmediatamente, or, ok, also, at, altogether, forever, cuanto, no, y, porque, it, this, not, stop, dont, do, never, lo, ahora, as, que',
)

/** Whether the words of a list that an ending is `of` or `from` are our messages, our records, or nothing. */
export const ofTheirs = setOf(
  'lease, title, deed, offer, contract, schedule, calendar, loan, mortgage, application, waitlist, mind, showing, account, policy',
)

export const your = setOf('your, ur, su, sus, tu, tus, vuestra, vuestro')

export const removal = all(
  `\\b(?:(${either('removing')}) ${either('myself')}|(${either('removesMe')}))\\b((?: [\\w~]+){0,6})`,
)

export const needsPlace = setOf('take, taking, drop, pull, get, strike, keep, clear, removed, discard')

export const needsNumber = setOf('lose, forget, block, olviden, olvide, olvida')

export const optingOut = all(
  '\\bopt(?:s|ed|ing|in)?(?: me| us| myself| my number| this number| my phone| my wife)? ?out\\b((?: [\\w~]+){0,6})',
)

/** Real words that are one typo away from a prescribed word. */
export const realWords = setOf(
  'shop, slop, step, atop, stow, swop, top, sop, strop, cancer, evoke, stops, stoop, store, story, stock, stomp, revoked, cancels, stopped, unstop, stope, spot, post, cancel, cancels, cancela, cancelo',
)

/** A single word that is one typo away from one of these counts as that word. */
export const mistyped = [
  'stop',
  'stopall',
  'unsubscribe',
  'cancel',
  'revoke',
  'optout',
  'alto',
  'cancelar',
  'unsub',
]

export const otherWords = setOf(
  'auto, also, salto, alta, gato, dato, rato, pato, bajo, altos, alton, halt, aldo, santo, asalto',
)

const anyContact =
  '(?:contact|contacting|call|calls|calling|phone calls|bother|bothering|harass|harassing|bugging|llamar\\w{0,3}|contactar\\w{0,3}|molestar\\w{0,3}|llamadas)'

/** Opt-outs from more than texts: internal do-not-call (47 CFR 64.1200(d)). */
export const noContact = re(
  `\\b(?:stop|quit|cease|no more|discontinue) (?:all |the |these |this |your |my |further |any )*${anyContact}\\b|\\b${w.not} (?:ever |you ever |please |to )*(?:contact|call|bother|disturb|harass)(?:$| (?:me|us|this number|here|anymore|any more|again|my))|\\b${w.not} (?:ever |\\w+ )?want (?:any more |any |more |your |these |to get |to receive |to be |you )*(?:contacted|called|bothered|${anyContact})\\b|\\bdo not (?:call|contact) (?:list|registry)\\b|\\b(?:dont|no) (?:call|contact) (?:list|registry)\\b|\\bdnc\\b|\\bleave (?:me|us) (?:the \\w+ |tf )?alone\\b|\\b(?:lose|forget) (?:my|this) number\\b|\\b(?:deja|deje|dejen|dejar|pare|paren) de (?:llamar|contactar|molestar)|\\bno (?:me|nos) (?:vuelvan? a |sigan? |esten? )?(?:contact|llam|molest)\\w{0,6}|\\bno (?:llamar|contactar|molestar|llamen?|molesten?|contacten?)\\b|\\b(?:dejame|dejenme|dejeme|dejennos) en paz\\b|\\bno (?:quiero|deseo) (?:mas |que me |que me sigan |recibir |recibir mas )*(?:llam|contact|molest)\\w{0,6}`,
)

export const triggers =
  /stop|st0p|sotp|stpo|unsu|subscri|suscri|cancel|end|quit|revo|opt|remov|delet|take|list|text|txt|messag|msg|call|contact|email|mail|spam|harass|consent|permission|alone|number|more|want|interest|not|no|alto|para|pare|baja|basta|deja|deje|quit|borr|elimin|saqu|saca|mensaj|llam|wrong|equivoc|start|help|info|ayuda|🛑|report|block|already|have|away|off|si|yes|maybe|later/
