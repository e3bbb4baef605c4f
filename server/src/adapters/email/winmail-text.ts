import { textOfHtml } from '#kernel/text-of-html.ts'
import { mailLimits } from './mail-limits.ts'

/**
 * The text in a `winmail.dat`, the form (TNEF) in which Outlook and Exchange pack a whole mail for each other: its plain
 * text, or else that of its HTML or RTF. Empty if there is none, or if it is damaged.
 */
export function winmailText(content: Uint8Array): string {
  try {
    return textIn(Buffer.from(content.buffer, content.byteOffset, content.byteLength))
  } catch (error) {
    if (error instanceof RangeError) return ''
    throw error
  }
}

const signature = 0x22_3e_9f_78
const attributes = { body: 0x00_02_80_0c, properties: 0x00_06_90_03, codePage: 0x00_06_90_07 }

function textIn(file: Buffer): string {
  if (file.readUInt32LE(0) !== signature) return ''
  let codePage = 1252
  let properties = new Map<number, Property>()
  // Level, id and length before each attribute, and a checksum after it.
  for (let at = 6; at + 9 <= file.length;) {
    const [id, length] = [file.readUInt32LE(at + 1), file.readUInt32LE(at + 5)]
    const data = file.subarray(at + 9, at + 9 + length)
    if (id === attributes.codePage) codePage = data.readUInt32LE(0)
    else if (id === attributes.body && data.length > 1) return unified(decoded(data, codePage))
    else if (id === attributes.properties) properties = propertiesIn(data)
    at += 9 + length + 2
  }
  const textOf = (id: number) => {
    const { type, data } = properties.get(id) ?? { type: types.text, data: Buffer.alloc(0) }
    return decoded(data, type === types.wideText ? 'utf-16le' : codePage)
  }
  const rtf = properties.get(ids.rtf)?.data
  const texts = [
    () => textOf(ids.body),
    () => textOfHtml(textOf(ids.html).slice(0, mailLimits.html)),
    () => (rtf === undefined ? '' : textOfRtf(uncompressed(rtf))),
  ]
  for (const read of texts) {
    const text = unified(read())
    if (text !== '') return text
  }
  return ''
}

const unified = (text: string) => text.replaceAll(/\r\n?/g, '\n').trim()

const encodings: Readonly<Record<number, string>> = { 65_001: 'utf-8' }

/** Without the zeros that end it. */
function ended(text: string): string {
  let end = text.length
  while (text[end - 1] === '\0') end--
  return text.slice(0, end)
}

function decoded(bytes: Uint8Array, codePage: number | string): string {
  const name = typeof codePage === 'string' ? codePage : (encodings[codePage] ?? `windows-${codePage}`)
  try {
    return ended(new TextDecoder(name).decode(bytes))
  } catch {
    return ended(new TextDecoder('windows-1252').decode(bytes))
  }
}

interface Property {
  type: number
  data: Buffer
}

const ids = { body: 0x10_00, rtf: 0x10_09, html: 0x10_13 }
const types = { text: 0x1e, wideText: 0x1f }
const variable = new Set([0x0d, types.text, types.wideText, 0x01_02])
/** Bytes of a value; 4 of any other. */
const lengths: Readonly<Record<number, number>> = { 0x05: 8, 0x06: 8, 0x07: 8, 0x14: 8, 0x40: 8, 0x48: 16 }
const many = 0x10_00

/** The properties of the mail that have a text or bytes, by their ids. */
function propertiesIn(data: Buffer): Map<number, Property> {
  const found = new Map<number, Property>()
  let at = 4
  const number = () => data.readUInt32LE((at += 4) - 4)
  const skip = (length: number) => (at += length + ((4 - (length % 4)) % 4))
  for (let left = data.readUInt32LE(0); left > 0 && at < data.length; left--) {
    const [typed, id] = [data.readUInt16LE(at), data.readUInt16LE(at + 2)]
    const type = typed & ~many
    at += 4
    if (id >= 0x80_00) {
      at += 16
      const isNamed = number() === 1
      const named = number()
      if (isNamed) skip(named)
    }
    const isVariable = variable.has(type)
    for (let values = isVariable || (typed & many) !== 0 ? number() : 1; values > 0; values--) {
      const length = isVariable ? number() : (lengths[type] ?? 4)
      if (at + length > data.length) throw new RangeError('The property is cut off.')
      if (isVariable) found.set(id, { type, data: data.subarray(at, at + length) })
      skip(length)
    }
  }
  return found
}

/** What the dictionary of compressed RTF begins with (MS-OXRTFCP). */
const dictionary = [
  String.raw`{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0`,
  String.raw`\par \pard\plain\f0\fs20\b\i\u\tab\tx`,
].join('\r\n')
const compressed = 0x75_46_5a_4c

/** RTF without its compression, up to a limit. */
function uncompressed(data: Buffer): string {
  if (data.readUInt32LE(8) !== compressed) return data.toString('latin1', 16, 16 + mailLimits.html)
  const ring = Buffer.alloc(4096, ' ')
  ring.write(dictionary, 'latin1')
  let place = dictionary.length
  const out: number[] = []
  const put = (byte: number) => {
    out.push(byte)
    ring[place] = byte
    place = (place + 1) % ring.length
  }
  for (let at = 16; at < data.length && out.length < mailLimits.html;) {
    const flags = data.readUInt8(at++)
    for (let bit = 0; bit < 8 && at < data.length; bit++) {
      if ((flags & (1 << bit)) === 0) {
        put(data.readUInt8(at++))
        continue
      }
      const reference = data.readUInt16BE(at)
      at += 2
      const from = reference >> 4
      if (from === place) return Buffer.from(out).toString('latin1')
      for (let i = 0; i < (reference & 0xf) + 2; i++) put(ring[(from + i) % ring.length] ?? 0)
    }
  }
  return Buffer.from(out).toString('latin1')
}

/** Groups that hold no text. `\*` marks the others that a reader may leave out. */
const unread = new Set(['fonttbl', 'colortbl', 'stylesheet', 'info', 'pict', 'header', 'footer', 'listtable'])
const breaks: Readonly<Record<string, string>> = { par: '\n', line: '\n', tab: '\t', cell: '\t', row: '\n' }
const signs: Readonly<Record<string, string>> = { '~': ' ', '\\': '\\', '{': '{', '}': '}', _: '-' }
const token = /\\([a-z]+)(-?\d+)? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/gi

/** The text of RTF. If it was made of HTML, which its `htmltag` groups then hold, the text of that. */
function textOfRtf(rtf: string): string {
  const isOfHtml = /\\fromhtml1?/.test(rtf.slice(0, 500))
  const codePage = Number(/\\ansicpg(\d+)/.exec(rtf)?.[1] ?? 1252)
  interface Group {
    isHidden: boolean
    isTwin: boolean
    /** How many characters stand for one of Unicode in programs that do not know it. */
    after: number
  }
  let group: Group = { isHidden: false, isTwin: false, after: 1 }
  const outer: Group[] = []
  let [text, skipped, bytes] = ['', 0, [] as number[]]
  const flush = () => {
    text += bytes.length === 0 ? '' : decoded(Uint8Array.from(bytes), codePage)
    bytes = []
  }
  const write = (written: string) => {
    flush()
    const own = written.slice(skipped)
    skipped = Math.max(0, skipped - written.length)
    if (!group.isHidden && !group.isTwin) text += own
  }
  for (const [, word, parameter, byte, sign, brace, plain] of rtf.matchAll(token)) {
    if (brace === '{') outer.push({ ...group })
    else if (brace === '}') {
      group = outer.pop() ?? group
      skipped = 0
    } else if (sign === '*') group.isHidden = true
    else if (word === 'htmltag') group.isHidden = !isOfHtml
    else if (word === 'htmlrtf') group.isTwin = isOfHtml && parameter !== '0'
    else if (word === 'uc') group.after = Number(parameter ?? 1)
    else if (word === 'u') {
      write(String.fromCharCode(Number(parameter) & 0xff_ff))
      skipped = group.after
    } else if (byte !== undefined) {
      if (skipped > 0) skipped--
      else if (!group.isHidden && !group.isTwin) bytes.push(Number.parseInt(byte, 16))
    } else if (word !== undefined && unread.has(word)) group.isHidden = true
    else if (word !== undefined) write(breaks[word] ?? '')
    else if (sign !== undefined) write(signs[sign] ?? '')
    else if (plain !== undefined) write(plain)
  }
  flush()
  return isOfHtml ? textOfHtml(text.slice(0, mailLimits.html)) : text
}
