import { quotation } from './our-texts.ts'
import type { Sentence } from './plain-words.ts'
import { either } from './vocabulary.ts'

const w = { polite: either('polite') }

/** Not from the list of somebody else. */
const fromOthers =
  '(?! from (?:the |my |that |all the |every )?(?!you|your|ur|this|these|here|it|list|text|message|email|mailing|newsletter|alert|notification)\\w)'

/** Asks about an ending, and not for it. */
const about = new RegExp(
  `^(?:${w.polite} |wait |and |so |but |quick question |question |just curious |curious |hmm |sorry )*(?:how do i(?! (?:get|make) (?:you|this|it|these|yall))|how do we|how can i|how could i|how to|como hago|como puedo|como me|como se|como le hago|what does|what do you mean|what did|whats|what is|what happens|what if|what would|what will|how does|does|do i have to|do i need to|do we have to|do we need to|did i|did you|did we|did he|did she|did my|is|if i|if we|if my|am i|have i|should i|should we|will i|will it|would i|would it|can i still|will this|why does|why do i|why did i|why did you|why would|why am i|when i|who|are there|has|can you explain|que significa|que quiere decir|que pasa|que pasaria|si mando|si escribo|si respondo|si contesto|si pongo|si digo|si me doy|tengo que|hay que|debo|para que|por que me|me di|es|sirve|como funciona|que es)\\b`,
)

const aboutWithoutMark = new RegExp(
  `^(?:${w.polite} |wait |and |so |but |hmm |sorry )*(?:how do i(?! (?:get|make) (?:you|this|it|these|yall))|how do you unsubscribe|where do i|where can i|what do i (?:have to )?(?:text|send|type|reply|write|say|do)|que tengo que (?:poner|hacer|mandar|escribir|enviar)|donde me doy|how can i|como hago para|what does|what do you mean by|what happens|whats|do i have to|do i need to|how does|did i|does|que significa|que pasa si|que quiere decir|why does it say|why did i|why (?:did|have|would) (?:you|u|yall|they) (?:stop|quit|remove|take|taken|unsubscribe|cancel|drop|delete|removed|stopped)|(?:will|can|do|would|could) i still|will i (?:lose|be|get|miss))\\b`,
)

const demand = new RegExp(
  '\\b(?:how many times|be possible|possible to|have to (?:tell|say|ask|repeat|do to (?:get|make|stop))|need to (?:do|say|text|type) to (?:get|make|be|stop)|what part|which part|make (?:you|u|this|these|it) stop|get (?:you|u) to stop|did (?:you|u|yall) not|didnt (?:you|u|i|we|yall)|when (?:does|will) (?:this|it|you|these|the texts) (?:\\w+ )?(?:stop|end)|going to stop|gonna stop|ever stop|ever going|still (?:texting|calling|messaging|sending|getting|receiving))\\b',
)

const means = new RegExp('\\b(?:mean|means|meaning|significa|signifies|quiere decir)\\b')

const elsewhere = new RegExp(
  '\\bunsubscri\\w{1,5} from (?:the |my |that |all the |every )?(?!you|your|ur|this|these|here|it|all|every|list|text|message|email|mailing|newsletter|alert|notification)\\w+',
  'g',
)

/** Words of ending that a question or a quotation may be about. */
const mention = new RegExp(
  `\\b(?:unsubscri\\w{1,5}\\b${fromOthers}|unsub|no recibir|dejar de recibir|stop (?:these|getting|receiving|this)|opt ?out(?! of)|opting out(?! of)|opted out(?! of)|opt me out|baja de|darme de baja|desuscri\\w{1,8}|(?:reply|replying|replied|text|texting|type|typing|say|saying|send|sending|word|press|write|mean|means|responder|respondo|responda|mando|mandar|escribo|escribir|envio|pongo|palabra|significa|digo|says|said|contesto|texto) (?:\\w+ ){0,3}(?:stop|alto|baja|cancelar|parar|end|quit|cancel)|(?:does|will|would|did|is|if) (?:i |typing |saying |my )?(?:stop|alto) (?!the|by|at|for)|(?:stop|alto) (?:\\w+ ){0,3}(?:mean|means|word|work|works|right|correct|affect|option|keyword|command|texts|messages|emails|calls))\\b|${quotation}`,
)

/** A sentence of ours that tells what to reply, without the message that it was in. */
const instruction =
  /^(?:\w+ ){0,3}(?:to|para) (?:unsubscribe|opt out|stop|end|cancel|quit|be removed|dejar de recibir|cancelar|darse de baja) (?:\w+ ){0,4}(?:reply|text|respond|send|responda|responde|envie|mande)\b|^(?:\w+ ){0,3}(?:reply|text|respond|send|type|txt|responda|responde|envie|envia|escriba|mande|conteste|repondez|antworte) (?:back )?(?:with |con )?(?:the word |la palabra )?(?:stop|alto|baja|unsubscribe|end|cancel|quit|parar|cancelar) (?:to|for|para|pour|2|if|at any|any) /

/** A report of what our text tells people to reply: `Your text says reply STOP`. */
const report =
  /\b(?:texts?|messages?|msgs?|it|email|footer|line|that|this|they|mensajes?|texto|correo) (?:\w+ ){0,2}(?:says?|said|reads?|states?|tells?|told|dice|decia|pone) (?:me |us |to |that |i |can |should |que |just |you ){0,3}(?:reply|text|respond|send|type|txt|responda|responde|envie|envia|escriba|mande|conteste) (?:back )?(?:with |con )?(?:the word |la palabra )?(?:stop|alto|baja|unsubscribe|end|cancel|quit|parar|cancelar)(?: (?:to|for|para|if|at any)\b.*)?$|\b(?:texts?|messages?|msgs?|email|footer|mensajes?|texto) (?:\w+ ){0,2}(?:ends?|ended|starts?|says|said|dice|termina) (?:with |con |que )?(?:stop|alto|baja|unsubscribe) (?:to|for|para)\b/

/** Whether a sentence instructs, or reports an instruction, what to reply. */
export const isInstruction = (words: string): boolean => instruction.test(`${words} `) || report.test(words)

/** Whether a sentence asks about an ending, and not for it. */
export const isAbout = ({ words, clauses, isQuestion }: Sentence): boolean =>
  !demand.test(words) &&
  ((isQuestion && ([words, ...clauses].some((one) => about.test(one)) || means.test(words))) ||
    aboutWithoutMark.test(words))

/** Whether words mention an ending of our messages. */
export const mentionsEnding = (words: string): boolean => mention.test(words)

/** The words without the lists of others. */
export const withoutOthers = (words: string): string => words.replaceAll(elsewhere, ' ~ ')
