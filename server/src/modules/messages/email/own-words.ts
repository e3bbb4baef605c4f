/** How much of an email is searched for requests: people write what they ask for first. */
const maxCharacters = 5000
const maxLines = 10

/**
 * Patterns that begin a quoted email, a signature, or text that a program adds. The first match of any of them ends the
 * author's own text.
 */
const endsOfOwnText = [
  /^[ \t]*>/m,
  /^(?:on|am|el|le) [^\n]{0,300}(?:\n[^\n]{0,300}){0,2}(?:wrote|escribió|a écrit|schrieb[^\n]{0,100}) ?: *$/im,
  /^ *-{2,} ?(?:original message|forwarded message|ursprüngliche nachricht|mensaje original|message d'origine)/im,
  /^(?:from|sent|von|gesendet|de|enviado|envoyé) ?: /im,
  /^_{10,} *$/m,
  /^-- ?$/m,
  /^(?:sent from|get outlook for|enviado desde|von meinem|envoyé de) /im,
  /^\[(?:Attachment: |The (?:text|rest) of this email could not be read)/m,
]

/**
 * The texts of an email to search for requests: the first paragraph, then the first lines. They leave out the quoted
 * email and the signature. If nothing remains, it is the subject, unless that is the subject of a response or a
 * forwarded email.
 */
export function ownWords({ subject, body }: { subject: string | null; body: string | null }): string[] {
  const begin = (body ?? '').slice(0, maxCharacters)
  const ends = endsOfOwnText.flatMap((one) => one.exec(begin)?.index ?? [])
  const own = begin.slice(0, Math.min(begin.length, ...ends)).trim()
  if (own === '') return subject === null || isResponse.test(subject) ? [] : [subject]
  const [paragraph = ''] = own.split(/\n[ \t]*\n/)
  const lines = own.split('\n').filter((line) => line.trim() !== '')
  return [paragraph, lines.slice(0, maxLines).join('\n')]
}

const isResponse = /^\s*(?:re|aw|sv|antw|rv|tr|fwd?|wg)\s*:/i
