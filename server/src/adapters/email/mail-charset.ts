import type { Email } from 'postal-mime'

/** What remains of bytes in a charset that a mail does not name: replacement characters, or the escapes of ISO-2022-JP. */
const undecoded = /\ufffd|\u001b[$(]/

/** Whether every character of a mail's text and main headers was decoded. */
export const isDecoded = ({ text, html, subject, from }: Email): boolean =>
  [text, html, subject, from?.name].every(
    (one) => one === undefined || !undecoded.test(one) || isDamaged(one),
  )

const isDamaged = (text: string) =>
  !text.includes('\u001b') &&
  (text.match(/[^\0-\x7f\ufffd]/gu)?.length ?? 0) >= text.split('\ufffd').length - 1

/**
 * The mail with the charset that its bytes are in, for mails that name none, or a wrong one: ISO-2022-JP by its escapes,
 * else windows-1252, in which old programs write. Headers become UTF-8. `unnamed`: only for parts that name none.
 */
export function withCharset(raw: Uint8Array, which: 'unnamed' | 'all'): Uint8Array {
  const mail = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  const latin = mail.toString('latin1')
  const charset = escapes.test(latin) ? 'iso-2022-jp' : 'windows-1252'
  const end = /\r?\n\r?\n/.exec(latin)?.index ?? latin.length
  const head =
    isUtf8(mail.subarray(0, end)) && charset !== 'iso-2022-jp'
      ? mail.toString('utf8', 0, end)
      : new TextDecoder(charset).decode(mail.subarray(0, end))
  const named = /^content-type:/im.test(head)
    ? withName(head, charset, which)
    : `Content-Type: text/plain; charset=${charset}\r\n${head}`
  return Buffer.concat([
    Buffer.from(named),
    Buffer.from(withName(latin.slice(end), charset, which), 'latin1'),
  ])
}

/** The charset by its label; if it is unknown, UTF-8 if the bytes are, else windows-1252. */
export function knownCharset(label: string, bytes: Buffer): string {
  try {
    return new TextDecoder(label).encoding
  } catch {
    return isUtf8(bytes) ? 'utf-8' : 'windows-1252'
  }
}

/** The mail with UTF-8 for the charsets that no one knows, if its bytes are UTF-8. */
export function withKnownCharsets(raw: Uint8Array): Uint8Array {
  const mail = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  const text = mail.toString('latin1')
  const unknown = text
    .match(textType)
    ?.flatMap((field) => parameter.exec(field)?.[1] ?? [])
    .filter((label) => knownCharset(label, utf8) === 'utf-8' && knownCharset(label, latin) !== 'utf-8')
  if (unknown === undefined || unknown.length === 0 || !isUtf8(mail)) return raw
  return Buffer.from(withName(text, 'utf-8', unknown), 'latin1')
}

const utf8 = Buffer.from('é')
const latin = Buffer.from([0xe9])

const escapes = /\x1b(?:\$[@B]|\([BJI])/

/** A field and the lines that continue it. */
const textType = /^content-type:[ \t]*text\/(?:plain|html)[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*/gim

/** Names that say nothing about bytes over 127. */
const unnamed =
  /^(?:us-ascii|ascii|ansi_x3\.4-1968|unknown|unknown-8bit|x-unknown|x-user-defined|default|default_charset|8bit)?$/i
const parameter = /;[ \t\r\n]{0,4}charset="?([^";\s]{0,40})"?/i

/** `which`: all parts, those that name no charset, or those that name one of these. */
const withName = (text: string, charset: string, which: 'unnamed' | 'all' | readonly string[]): string =>
  text.replaceAll(textType, (field) => {
    const named = parameter.exec(field)?.[1] ?? ''
    const isOther = which === 'unnamed' ? !unnamed.test(named) : which !== 'all' && !which.includes(named)
    return isOther ? field : `${field.replace(parameter, '')}; charset=${charset}`
  })

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
