import type { Sentence } from './plain-words.ts'
import { between, either } from './vocabulary.ts'

const w = {
  do: either('do'),
  doing: either('doing'),
  thing: either('thing'),
  not: either('not'),
  ending: either('ending'),
  between,
}

/** What the person does not want to end: `don’t stop`, `no pares`; and complaints that nobody called. */
const wanted = [
  // A limit of what is sent, not of sending
  `\\b(?:stop|quit|dont|do not|no) (?:\\w+ ){0,5}?(?:anything|stuff|homes?|houses?|listings?|places?|ones) (?:over|under|above|below|outside|near|with|without|north|south|east|west|in (?!the\\b|my\\b|this\\b|general\\b))\\b`,
  `\\b(?:stop|quit) (?:send|sending|show|showing) (?:me |us )?(?:the |any )?(?:\\w+ )?(?:condos?|townhouses?|townhomes?|duplex(?:es)?|apartments?|fixer uppers?|land|lots|rentals?|ones)\\b`,
  `(?:^|\\b(?:please|pls|and|but|just|so|ok|also|porfavor|por favor|por|si|y) )(?:dont|don t|do not|never|non|no) (?:you |ever |me |please )?(?:stop|quit|unsubscribe|unsub|opt|cancel|remove|delete|take me|lose|loose|forget|block|drop|erase|pares|pare|paren|dejes|deje|dejen|cancelen?|canceles|me quiten?|me quites|me borren?|me den de baja|me saquen?)\\b`,
  `\\b(?:i|we|me) (?:\\w+ )?(?:cant|dont|do not|wont|will not|didnt|did not|couldnt|never|wouldnt) (?:\\w+ )?(?:mean |want |wanna |try |ask |intend |wish |meant |wanted )?(?:you |them |it |this |these |the \\w+ |your \\w+ )?(?:to )?(?:stop|quit|unsubscribe|unsubscribed|opt out|opted out|cancel|be removed|be taken)\\b`,
  `\\b(?:never|dont|do not|hope|wouldnt) (?:want|wish|ever want|you never)? ?(?:\\w+ ){1,5}to (?:stop|end)\\b`,
  `\\btold (?!(?:you|your|yall|u|them|people|him|her)\\b)\\w+ (?:to )?(?:stop|unsubscribe|quit)\\b(?! ${w.doing}(?: (?:me|us|this number)|$))`,
  `\\bno (?:quiero|queremos|quise|queria) (?:que )?(?:parar|paren?|pares|cancel\\w{0,6}|dejar|dejen|darme de baja|dar de baja|desuscrib\\w{0,6})\\b`,
  `\\b(?<!\\b(?:sure|that|hope|if|rather|prefer|wish|appreciate) )(?:you|u|they|he|she|nobody|no one|none|people|agents?|realtors?|ever|somebody) (?:guys )?(?:never|didnt|did not|havent|have not|hasnt|has not|dont ever) (?:even )?(?:call|called|text|texted|contact|contacted|message|messaged|email|emailed|write|wrote|sent|send)(?: me| us)?(?: back)?\\b`,
  `\\b(?:nobody|no one|none of you|nadie) (?:ever )?(?:call|text|contact|email|message|me )\\w{0,6}\\b`,
  `\\bwhy (?:dont|didnt|cant|wont|do you not|havent) (?:you|u|we|they) (?:ever )?(?:just )?(?:call|text|email|message|contact)\\b`,
  `\\b(?:dont|do not|didnt|never) (?:hesitate|forget|be afraid|be shy) to \\w+\\b`,
  `\\b(?:dont|do not|didnt|havent|have not|not|never|no) (?:yet |really |even |currently |still )?(?:have|got|found|find|bought|buy|hired|sold|sell|tengo|tenemos|compre|compramos|encontramos|encontre) (?:an? |the |our |my |un |una )?(?!right|consent|permission|authorization|my|any|to)\\w+\\b`,
  `\\b(?:tenants?|sellers?|owners?|they|he|she|husband|wife|son|daughter|mom|mother|dad|father|kids|agent|neighbors?|buyers?|landlord|inquilinos|dueno) (?:\\w+ )?(?:dont|do not|doesnt|does not|never|no longer|no) (?:want|like|need|quieren?)\\b(?! (?:${w.between} ){0,4}(?:${w.thing}|hear|hear from|from|contacted|texted|called)(?: (?:from you|you|your|u|anymore|again|please)|$))`,
  `\\b(?:tell|ask|get|make|have|want|need|told|asked) (?:the |my |his |her )?(?!(?:that|to|it|this|these|those|them|you|u|your|ur|yall|people|everyone|everything|someone|all|me|texts?|messages?|calls?|for|about|off|out|no)\\b)\\w+ (?:\\w+ )?(?:to )?(?:stop|quit)\\b(?! ${w.doing}(?: (?:me|us|this number)|$))`,
  `\\b(?:buyers?|sellers?|they|he|she|tenants?|owners?|residents|homeowners?|anyone|borrowers?|members) (?:\\w+ ){0,3}opt(?:s|ed|ing)? ?out\\b`,
  `\\b(?:quit ?claim|bus stops?|stop signs?|stop lights?|stop payments?|stop loss|stop order|pit stop|non ?stop|full stop|one stop|next stop|first stop|last stop|truck stop|stop by|stop in|stop over|stop at|stop off|stop through|rest stop|train stop|short stop|stop work)\\b`,
  `\\bstop me if\\b`,
  `\\bno (?:pierd|borr|elimin|olvid|quit)\\w{1,4} (?:mi|nuestro)\\b(?: \\w+)?|\\b(?:el|la|mi|los|mis) \\w+ no dejan? de\\b.*$`,
  // What the person does, or would not like to do
  `\\b(?:i|we) ?(?:ll|will|wont|can|cant|could|should|am going to|m going to|gotta) (?:not |never |just |now |definitely )*(?:stop|quit|${w.do})\\b(?: ${w.doing})?(?: (?:you|u|again|now|them|him|her))*`,
  `\\b(?:dont|do not|didnt|never) (?:want to|wish to|like to|wanna|mean to|need to) (?:miss|lose|bother|disturb|annoy|${w.do})\\b(?! (?:me|us|from)\\b)`,
  `\\bno (?:quiero|queria|queremos|quisiera) (?:molestar|llamar|escribir|mandar|enviar|perder\\w{0,3})\\b`,
  `\\b(?:deje|deja\\w{1,3}|dejo|dejado|dejamos) de (?:recib|lleg)\\w{1,5}\\b|\\bdej(?:aron|aste|o|ado) de \\w+\\b|\\bbasta con (?:\\d|un|una|dos|\\w+r\\b)`,
  `\\b(?:neighbors?|kids?|they|he|she|dog|tenants?) (?:should|must|needs? to|has to|have to|will|would) (?:leave|stop|quit)\\b.*$`,
  // What others do
  `\\b(?:other|previous|old|last|competing) (?:\\w+ )?(?:keeps?|kept|wont|never|still) .*$`,
  `\\b(?:dog|cat|baby|kids?|kid|ex|boss|neighbors?|lender|bank|competitors?|competition|zillow|redfin|opendoor|scammers?|telemarketers?|wife|husband|son|daughter|mom|mother|dad|father|tenants?|landlord|seller|buyer) (?:wont|will not|doesnt|does not|never) (?:leave|stop|quit)\\b.*$`,
  `\\b(?:dont|do not) (?:${w.do}) my (?:wife|husband|mom|mother|dad|father|son|daughter) about\\b`,
].map((source) => new RegExp(source, 'g'))

const times =
  'before|until|till|while|during|between|after (?:\\d|work|dinner|hours|dark|midnight|noon|five|six|seven|eight|nine|ten|lunch)|at (?:\\d|work|night|home|dinner|this hour|this time|midnight|all hours|school|odd hours|lunch|church|my job)|on (?:sun|mon|tue|wed|thu|fri|sat|week|holiday|the weekend|my day|vacation)\\w{0,7}|weekends|this (?:early|late)|so (?:early|late|often|much|many times)|too (?:early|late|often|much)|in the (?:morning|afternoon|evening|middle)|every (?:hour|morning|night)|more than|past \\d|when im|when i am|during|antes de|hasta|mientras|durante|despues de|en la (?:manana|noche|tarde|madrugada)|por la (?:manana|noche|tarde)|en las (?:mananas|noches|tardes)|por las (?:mananas|noches|tardes)|de noche|en el trabajo|al trabajo|tan (?:temprano|tarde|seguido|de manana)|muy (?:temprano|tarde|seguido)|los (?:fines|domingos|sabados|lunes|viernes)|a esta hora|a estas horas|cuando|en horas'

const soon =
  'today|tonight|tomorrow|right now|yet|this (?:week|month|weekend|morning|evening|afternoon)|for now|hoy|manana|ahorita|ahora|todavia|aun|esta (?:semana|noche|tarde|manana)|este mes|por ahora|por el momento'

const busy =
  '(?:im|i am|i ll be|ill be|we are|were|estoy|estamos) (?:in (?!the market)|at|on (?!the do|a do)|out|busy|driving|working|sleeping|asleep|sick|traveling|away|en|manejando|trabajando|ocupad\\w|durmiendo)|ya (?:llegue|llegamos|voy|estoy|vengo)'

/** Whether a sentence names a time, which the patterns after it take longer to find out. */
const namesTime = new RegExp(`\\b(?:${times}|${soon}|${busy})\\b`)

/** Not now, or not at certain times. A person must decide whether this revokes consent. */
const notThen = [
  `\\b(?:${times}) (?!then)(?:\\w+ ){0,3}?(?:dont|do not|never|no (?:me|nos)) ${w.do}\\b(?: (?:me|us|here))?`,
  `\\b${w.not} (?:ever |please |me |nos )?${w.do}(?: to)?(?: (?:me|us|here|this number|back))? (?:${times}|${soon}|${busy})\\b`,
  `\\b${w.ending} (?:${w.between} ){0,3}(?:${w.doing}|${w.thing})(?: (?:me|us|here|this number))? (?:${times})\\b`,
].map((source) => new RegExp(source, 'g'))

/** How the person wants to be reached instead. */
const preferred = new RegExp(
  `\\b(?:(?:just|only|instead|rather|better|please|but) (?:to )?(?:text|message|whatsapp|txt|msg)(?: me| us|$)|(?:just|only) (?:text|message|whatsapp)s?\\b|(?:texts?|messages?|txt|whatsapp)(?: me| us)? (?:instead|only|is better|works better|work better|is best|works best|is fine|are fine|is ok|are ok|are better|is easier|are easier)|prefer (?:texts?|a text|whatsapp|messages?|to text)|(?:text|message) (?:me )?only|only by text|(?:send|text|email|mail) (?:them|it|those|these|everything) (?:here|to (?!(?:spam|trash|the (?:ftc|fcc)))\\w+)|but (?:keep|continue|still send|do send|do keep)|pero (?:siga|sigan|sigue)|(?:mejor|solo|prefiero|solamente|nomas) (?:por |un |que |con )?(?:mensajes?|textos?|whatsapp|mandeme|escribame|escribeme|mandame|mande|escriba|escriban|me escriba|me mande|llame|llameme|llamame|llamen|me llame|llamadas?))\\b`,
)

/** A channel, alone in its clause, as in `don’t call, text`. */
const channel = new RegExp(
  `^(?:${either('polite')} |just |only |rather |better )*(?:text|txt|message|msg|email|mail|whatsapp|call|phone|texts|emails|calls|mensaje|mensajes|texto|textos|correo|escriba|escribame|escribeme|escriban|llame|llameme|llamame|llamen|manda|mande|mandeme)(?: me| us| only| instead| works| is fine| mensajes?| textos?| correo| ${either('polite')})*$`,
)
const notThat = new RegExp(
  `(?<!\\b(?:i|we) )\\b${w.not} (?:me )?(?:call|calling|calls|phone|ring|text|txt|texts|email|message|llam\\w{1,3}|escrib\\w{1,4}|mensajes|textos|llamadas)(?: me| us| mensajes)?`,
)
const notThatButThis = new RegExp(
  `${notThat.source} (?:just |only |rather |but )?(?:text|txt|email|whatsapp|call|message|escriba|mande|llame)(?: me| us| only| instead| please)*$`,
)

/** Whether a sentence says how the person wants to be reached instead. */
export const prefersAnother = (sentence: Sentence): boolean =>
  preferred.test(sentence.words) ||
  replacesWay(sentence) ||
  (channel.test(sentence.words) && / (?:me|us)\b/.test(sentence.words))

/** Whether a sentence ends one way of reaching the person and names another: `don’t call, text`. */
export const replacesWay = ({ words, clauses }: Sentence): boolean =>
  notThatButThis.test(words) ||
  (clauses.length === 2 &&
    clauses.some((one) => notThat.test(one)) &&
    clauses.some((one) => channel.test(one) && !notThat.test(one)))

/** The words without what the person does not want to end. */
export const withoutWanted = (words: string): string => without(words, wanted)

/** The words without what is only to end today, or at certain times. A person must decide whether this revokes consent. */
export const withoutTimes = (words: string): string =>
  namesTime.test(words) ? without(words, notThen) : words

const without = (words: string, patterns: readonly RegExp[]): string =>
  patterns.reduce((rest, pattern) => rest.replaceAll(pattern, ' ~ '), words)
