import { quotation, withoutOurs } from './our-texts.ts'

/** How much of a text is searched for requests: people write what they ask for first. */
const maxCharacters = 5000
const maxLines = 10

/**
 * The author’s own words in a text or email. It leaves out what is marked as quoted, signatures, and what programs add;
 * quotations of `ours`, the texts that we sent to the author, become a `§`. A quotation can stand
 * anywhere: the author may write above, below, or between its lines.
 */
export function ownWords(text: string, ours: readonly string[] = []): string {
  const own = ownLines(
    text
      .replaceAll(/\r\n?/g, '\n')
      .slice(0, 10 * maxCharacters)
      .split('\n'),
  )
    .map((line) => withoutSignature(line).replaceAll(linked, ' '))
    .filter((line) => line.trim() !== '')
  return withoutOurs(withoutInstructions(own.slice(0, maxLines).join('\n').slice(0, maxCharacters)), ours)
}

/** A line that begins a quoted email which programs do not mark line by line, or a signature. */
const endsAll = [
  /^\s*-{2,} ?(?:original message|forwarded message|original-nachricht|ursprüngliche nachricht|mensaje original|mensaje reenviado|message d'origine|mensagem original|messaggio originale)/i,
  /^_{10,}\s*$/,
  /^-- ?$/,
  /^\[(?:Attachment: |The (?:text|rest) of this email could not be read)/,
]

/** The headers of a quoted email. Two in a row, or one with an address, begin it. */
const header =
  /^\s*\*?(?:from|sent|to|date|subject|von|gesendet|an|de|enviado|para|asunto|envoyé|da|inviato)\*? ?: ?\S/i

/** The verbs with which mail programs introduce a quotation, in several languages. */
const introduces =
  /(?:^|[ >\d,.])(?:wrote|escribió|escribio|escreveu|a écrit|schrieb|ha scritto|schreef|skrev|napisał|написал)[^:\p{L}][^:]{0,80}: *$|(?:^|[ >\d,.])(?:wrote|escribió|escribio|escreveu|a écrit|schrieb|ha scritto|schreef|skrev|napisał|написал): *$/iu

const beginsIntroduction = /^\s*\*?(?:on|am|el|le|em|il|op|den|w dniu|\d{4}-|\d{1,2}[./])\b/i

function ownLines(lines: readonly string[]): string[] {
  const own: string[] = []
  for (const [index, line] of lines.entries()) {
    if (line.trimStart().startsWith('>')) continue
    if (endsAll.some((pattern) => pattern.test(line)) || isHeader(lines, index)) break
    if (!isIntroduction(lines, index)) {
      own.push(line)
      continue
    }
    own.length = beginOfIntroduction(own, line)
    // What follows is the author’s only if the program marks the lines that are not.
    if (!isMarked(lines, index + 1)) break
  }
  return own
}

function isIntroduction(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? ''
  const before = `${lines[index - 2] ?? ''} ${lines[index - 1] ?? ''} ${line}`
  return (
    line.length <= 300 &&
    introduces.test(` ${line.trim()}`) &&
    !/\bi wrote\b/i.test(line) &&
    /[\d@<]/.test(before)
  )
}

/** How many of the author’s lines remain before an introduction that may have begun up to two lines earlier. */
function beginOfIntroduction(own: readonly string[], line: string): number {
  if (beginsIntroduction.test(line)) return own.length
  for (const back of [1, 2])
    if (beginsIntroduction.test(own.at(-back) ?? '') && (own.at(-back) ?? '').length <= 300)
      return own.length - back
  return own.length
}

const isMarked = (lines: readonly string[], from: number): boolean =>
  lines
    .slice(from)
    .find((line) => line.trim() !== '')
    ?.trimStart()
    .startsWith('>') === true

const isHeader = (lines: readonly string[], index: number): boolean => {
  const line = lines[index] ?? ''
  return header.test(line) && (line.includes('@') || header.test(lines[index + 1] ?? ''))
}

const sentFrom = '(?:sent|enviado|envoyé|inviato|gesendet|verzonden|this message was sent)'
const signatures = [
  /^\s*(?:get|obtener|obtenez|téléchargez|descarga|descargar|hol dir) outlook\b.{0,60}$/i,
  new RegExp(
    String.raw`^\s*[([*_-]?\s*${sentFrom} (?:from|via|using|with|on|by|desde|con|por|do|de|da|depuis|vanaf|mit|von|outlook|iphone|android|samsung)\b.{0,80}$`,
    'i',
  ),
  new RegExp(
    String.raw`[([]\s*${sentFrom} (?:from|via|using|with|desde|con|do|de|da|von) [^)\]\n]{1,60}[)\]]\s*$`,
    'i',
  ),
  /\b(?:sent from my|enviado desde mi|enviado do meu|envoyé de mon|inviato dal mio|von meinem) [\w ]{1,40}\b\.?\s*$/i,
]

/** The text of a link, as an email’s footer has it. */
const linked =
  /\b(?:unsubscribe|opt[ -]out|manage preferences|darse de baja|cancelar (?:la )?suscripci[oó]n)(?: here)?:? ?[<([]?(?:https?:\/\/|mailto:)[^\s]{1,1000}/gi

const withoutSignature = (line: string): string =>
  line.length > 400 ? line : signatures.reduce((rest, pattern) => rest.replace(pattern, ''), line)

/** A quotation in which someone is told what to reply. */
const instructs =
  /\b(?:reply|text|respond|send|txt|responda|responde|envíe|envia|escriba|mande|conteste)\s+(?:back\s+)?(?:with\s+|con\s+)?["'“‘]?(?:stop|alto|baja|unsubscribe|end|cancel|quit|parar|cancelar)\b/i

const withoutInstructions = (text: string): string =>
  text.replaceAll(/["“«„][^"“”«»„]{10,1000}["”»“]/gu, (quoted) =>
    instructs.test(quoted) ? quotation : quoted,
  )
