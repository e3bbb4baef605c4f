/** So much of an email is read for what it asks for: what people ask for, they write first. */
const maxCharacters = 5000
const maxLines = 10

/** Where the text begins that an email responds to, a signature, or what a program adds. Of each the first counts. */
const endsOfOwnText = [
  /^[ \t]*>/m,
  /^(?:on|am|el|le) [^\n]{0,300}(?:\n[^\n]{0,300}){0,2}(?:wrote|escribió|a écrit|schrieb[^\n]{0,100}) ?: *$/im,
  /^ *-{2,} ?(?:original message|forwarded message|ursprüngliche nachricht|mensaje original|message d'origine)/im,
  /^(?:from|sent|von|gesendet|de|enviado|envoyé) ?: /im,
  /^_{10,} *$/m,
  /^-- ?$/m,
  /^(?:sent from|get outlook for|enviado desde|von meinem|envoyé de) /im,
  /^\[Attachment: /m,
]

/**
 * What the author of an email wrote, as it is read for what they ask for: the first paragraph, then the first lines. The text that
 * it responds to and a signature are left out. Where nothing remains, it is the subject, unless that is the one of a response.
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
