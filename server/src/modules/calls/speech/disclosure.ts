const speaker = '(?:assistant|agent|receptionist|concierge|caller|voice|helper|representative|system)'
const hablante = '(?:asistente|agente|recepcionista|voz|ayudante|representante|sistema)'

const any = (...patterns: string[]) => new RegExp(patterns.map((one) => `(?:${one})`).join('|'), 'giu')

/** Names for a talking machine. Virtual tours, automated valuations, and a woman named Ai must not match. */
const machines = [
  /(?<![\p{L}\p{N}])(?:AI|A\.I\.|IA|I\.A\.)(?![\p{L}\p{N}])(?![- ](?:powered|generated|driven|based|enhanced))/gu,
  any(
    String.raw`\b(?:an?|the|by) a\.?i\b(?![- ](?:powered|generated|driven|based|enhanced))`,
    String.raw`\ba\.?i\.? ${speaker}\b`,
    String.raw`\bartificial intelligence\b`,
    String.raw`\binteligencia artificial\b`,
    String.raw`\b(?:automated|virtual|digital|artificial|computer[- ]generated) (?:\p{L}+ ){0,2}?${speaker}\b`,
    String.raw`\b(?:automated|robotic) (?:phone )?(?:call|message)\b`,
    String.raw`\b${hablante} (?:\p{L}+ ){0,2}?(?:virtual|digital|artificial|automatizad[oa]|autom[aá]tic[oa])`,
    String.raw`\b(?:llamada|mensaje) (?:automatizad[oa]|autom[aá]tic[oa])`,
    String.raw`\b(?:chatbot|robot|bot)\b`,
  ),
]

/** Words that, before a machine's name in the same clause, deny it or mean that it does something other than talk. */
const others = any(
  String.raw`\b(?:not|never|nunca|ni|without|sin|rather than|instead of|en vez de|us(?:e|es|ing)|usamos|ask|try|tried)\b`,
  String.raw`n['’]t\b`,
  String.raw`\bno (?:soy|es|somos|le habla|habla|hablas|est[aá]s?|an?|human|AI|IA|robot|bot)\b`,
)

/** Words that introduce the speaker. */
const introduces = any(
  String.raw`\b(?:I am|I['’]m|this is|this call is|my name is|(?:speaking|talking|chatting) (?:with|to)|calling|here)\b`,
  String.raw`\b(?:soy|somos|le habla|les habla|habla con|hablando con|me llamo|mi nombre es|esta es)\b`,
)

const found = (pattern: RegExp, text: string) =>
  text.search(new RegExp(pattern, pattern.flags.replace('g', ''))) >= 0

/**
 * Whether a text discloses, in English or Spanish, that the speaker is an AI. A denial, a question about an AI, and a
 * mention of something that an AI made don't count.
 */
export const disclosesAi = (text: string): boolean =>
  (text.match(/(?:[^.?!…]|\.(?=\p{L}\.?))+[.?!…]*/gu) ?? []).some((sentence) =>
    sentence
      .split(/[,;:–—]| - |\b(?:but|pero|sino)\b/iu)
      .some((clause) =>
        machines
          .flatMap((pattern) => [...clause.matchAll(pattern)])
          .some(
            ({ index }) => !found(others, clause.slice(0, index)) && isSaid(sentence, clause.slice(0, index)),
          ),
      ),
  )

/** A question counts only if it also introduces the speaker. */
const isSaid = (sentence: string, before: string): boolean =>
  !sentence.includes('?') || found(introduces, before) || found(introduces, sentence)
