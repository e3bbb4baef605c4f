import { knownCharset } from './mail-charset.ts'

/**
 * The mail as the parser reads it rightly, where programs and gateways have damaged it: blank lines above the headers,
 * blanks at the end of lines of quoted-printable, and encoded words of names and subjects that are cut or joined wrongly.
 */
export function mendMail(raw: Uint8Array): Uint8Array {
  const mail = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  let start = 0
  while (mail[start] === 0x0d || mail[start] === 0x0a) start++
  if (!startsWithField.test(mail.toString('latin1', start, start + 40))) start = 0
  const text = mail.toString('latin1', start)
  const end = /\r?\n\r?\n/.exec(text)?.index ?? text.length
  const head = text.slice(0, end)
  const mended = head.includes('=?') ? head.replaceAll(wordFields, joinWords) : head
  const body = /quoted-printable/i.test(text)
    ? text.slice(end).replaceAll(blanksAfterBreak, '=')
    : text.slice(end)
  return start === 0 && mended.length + body.length === text.length && mended === head
    ? raw
    : Buffer.from(mended + body, 'latin1')
}

/** A field that a mail may begin with. Without one, a blank line says that the mail has no headers. */
const startsWithField =
  /^(?:from|to|cc|subject|date|message-id|received|return-path|delivered-to|mime-version|content-type|reply-to|sender|dkim-signature|x-[\w-]{1,30}):/i

/** RFC 2045, 6.7: blanks at the end of a line are not of the text. */
const blanksAfterBreak = /=[ \t]{1,200}(?=\r?\n)/g

/** A field with a name or words, and the lines that continue it. */
const wordFields = /^(?:from|sender|reply-to|subject):[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*/gim

/** An encoded word (RFC 2047), also one without its end, which a program has cut off. */
const word =
  /=\?([\w.:-]{1,40})(?:\*[\w-]{0,20})?\?([bq])\?(?:([^?\r\n<]{0,1000})\?=|([^?\s<"]{0,1000})\??(?=[\s"<]|$))/gi

interface Word {
  charset: string
  bytes: Buffer
  /** Base64 that ends in the middle of a group of four. */
  rest: string
}

/**
 * Encoded words that follow each other become one, so that a character may be divided between them, and a comma in one
 * separates nothing. Drops what a cut has left of a character.
 */
function joinWords(field: string): string {
  let joined = ''
  let last: Word | undefined
  let at = 0
  const flush = () => {
    if (last !== undefined) joined += encoded(last)
    last = undefined
  }
  for (const { index, 0: found, 1: charset = '', 2: kind = '', 3: whole, 4: cut = '' } of field.matchAll(
    word,
  )) {
    const between = field.slice(at, index)
    if (between.trim() !== '' || last === undefined || last.charset !== charset.toLowerCase()) {
      flush()
      joined += last === undefined && joined.endsWith('?=') && between.trim() === '' ? '' : between
    }
    const before: Word = last ?? { charset: charset.toLowerCase(), bytes: Buffer.alloc(0), rest: '' }
    last = withWord(before, kind, whole ?? cut)
    at = index + found.length
  }
  flush()
  return joined + field.slice(at)
}

function withWord({ charset, bytes, rest }: Word, kind: string, payload: string): Word {
  if (kind.toLowerCase() === 'q')
    return {
      charset,
      bytes: Buffer.concat([bytes, Buffer.from(rest, 'base64'), unquoted(payload)]),
      rest: '',
    }
  const all = rest + payload.replaceAll(/[^\w+/]/g, '')
  const isPadded = payload.endsWith('=')
  const end = isPadded ? all.length : all.length - (all.length % 4)
  return {
    charset,
    bytes: Buffer.concat([bytes, Buffer.from(all.slice(0, end), 'base64')]),
    rest: all.slice(end),
  }
}

const unquoted = (payload: string): Buffer =>
  Buffer.from(
    payload
      .replaceAll('_', ' ')
      .replaceAll(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replace(/=[\da-f]?$/i, ''),
    'latin1',
  )

function encoded({ charset, bytes, rest }: Word): string {
  const all = Buffer.concat([bytes, Buffer.from(rest, 'base64')])
  const text = new TextDecoder(knownCharset(charset, all)).decode(all).replace(/\uFFFD+$/, '')
  return text === '' ? '' : `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`
}
