import { createHash } from 'node:crypto'
import PostalMime, { type Email } from 'postal-mime'
import type { InboundEmail, InboundMessage, ReceivedMail } from '../../modules/messages/ports.ts'
import { type CalendarResponse, calendarResponseOf } from './calendar-response.ts'
import { joinQuickly } from './joined-blob.ts'
import { isDecoded, withCharset, withKnownCharsets } from './mail-charset.ts'
import { authorOf, isAutomatic, messageIdOf, recipientsOf, respondedTo } from './mail-headers.ts'
import { mailLimits } from './mail-limits.ts'
import { mailReportOf } from './mail-report.ts'
import { mailText } from './mail-text.ts'
import { mendMail } from './mend-mail.ts'
import { authenticationOf } from './sender-authentication.ts'

joinQuickly()

/**
 * Parses any raw mail within `mailLimits`. The ID is its Message-ID, or else a hash of its bytes, so that the same mail
 * always gets the same ID. `authservIds`: see `authenticationOf`. Never rejects.
 */
export async function parseMail(
  raw: Uint8Array,
  receivedAt: Date | null,
  authservIds: readonly string[],
): Promise<ReceivedMail> {
  const bounded = withinParts(withinLines(raw.subarray(0, mailLimits.bytes)))
  const isCut = bounded.length < raw.length || raw.length === mailLimits.bytes
  return mailOf(await parse(mendMail(bounded), isCut), raw, receivedAt, authservIds)
}

/** The same for a mail that takes too long to parse: its headers, and the beginning of its text. */
export const parseBeginning: typeof parseMail = async (raw, ...more) =>
  mailOf(await beginningOf(mendMail(withinParts(withinLines(raw)))), raw, ...more)

/** A mail of which nothing could be read. */
export const unreadableMail = (raw: Uint8Array, receivedAt: Date | null): ReceivedMail => ({
  message: messageOf({ ...nothing, text: unreadable }, raw, receivedAt, authenticationOf(nothing, [])),
})

/** `isCut`: the last attachment may be longer than what was parsed of it. */
interface Parsed extends Email {
  isCut: boolean
}

function mailOf(
  mail: Parsed,
  raw: Uint8Array,
  receivedAt: Date | null,
  authservIds: readonly string[],
): ReceivedMail {
  const report = mailReportOf(mail, receivedAt)
  if (report !== undefined) return { report }
  return { message: messageOf(mail, raw, receivedAt, authenticationOf(mail, authservIds)) }
}

function messageOf(
  mail: Parsed,
  raw: Uint8Array,
  receivedAt: Date | null,
  authentication: InboundEmail['authentication'],
): InboundMessage {
  const author = authorOf(mail)
  const recipients = recipientsOf(mail)
  const response = calendarResponseOf(mail.attachments)
  return {
    providerMessageId: messageIdOf(mail) ?? `sha256:${createHash('sha256').update(raw).digest('hex')}`,
    channel: 'email',
    from: author?.address ?? null,
    to: recipients[0] ?? '',
    subject: mail.subject?.replaceAll(/\s+/g, ' ').trim().slice(0, mailLimits.subject) ?? null,
    body: response === undefined ? mailText(mail) : withResponse(mail, response),
    bodyHtml: null,
    name: author?.name || null,
    receivedAt,
    providerResponds: false,
    email: {
      recipients,
      references: respondedTo(mail),
      automatic: isAutomatic(mail),
      authentication,
      ...(response !== undefined && { response: { uid: response.uid, status: response.status } }),
    },
  }
}

/** The text of a response to an invitation, which many calendars send without one, or only as its comment. */
function withResponse(mail: Parsed, { summary, status, comment }: CalendarResponse): string {
  const words = { accepted: 'Accepted', declined: 'Declined', tentative: 'Tentatively accepted' }[status]
  const attachments = mail.attachments.filter(({ mimeType }) => mimeType !== 'text/calendar')
  const written = mailText({ ...mail, attachments })
  const said = written === '' ? `${words}: ${summary}`.trim() : written
  return comment === '' || bare(said).includes(bare(comment)) ? said : `${said}\n\n${comment}`
}

const bare = (text: string) => text.replaceAll(/\s+/g, ' ')

const limits = {
  maxHeadersSize: mailLimits.headerBytes,
  maxNestingDepth: mailLimits.depth,
  maxRfc822NestingDepth: mailLimits.forwardedDepth,
}

/** Of a mail that exceeds the limits, reads the beginning. */
async function parse(raw: Uint8Array, isCut: boolean): Promise<Parsed> {
  const mail = await tryParse(raw)
  if (mail === undefined) return beginningOf(raw)
  if (isEmpty(mail)) {
    const whole = withBoundary(raw)
    const again = whole && (await tryParse(whole))
    if (again !== undefined) return { ...again, isCut }
  }
  const known = withKnownCharsets(raw)
  if (known !== raw) return { ...((await tryParse(known)) ?? mail), isCut }
  if (isDecoded(mail)) return { ...mail, isCut }
  for (const which of ['unnamed', 'all'] as const) {
    const again = await tryParse(withCharset(raw, which))
    if (again !== undefined && isDecoded(again)) return { ...again, isCut }
  }
  return { ...mail, isCut }
}

const isEmpty = ({ text = '', html = '', attachments }: Email): boolean =>
  text.trim() === '' && html === '' && attachments.length === 0

/** A multipart mail with the boundary that its first part has, for mails that name none, or another; else as text. */
function withBoundary(raw: Uint8Array): Uint8Array | undefined {
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('latin1')
  const end = /\r?\n\r?\n/.exec(text)?.index ?? text.length
  const head = text.slice(0, end)
  if (!/^content-type:[ \t\r\n]{0,9}multipart\//im.test(head) || text.slice(end).trim() === '')
    return undefined
  const boundary = /^--([\w'()+,./:=?-]{1,70})[ \t]{0,9}\r?$/m.exec(text.slice(end))?.[1]
  const type = boundary === undefined ? 'text/plain' : `multipart/mixed; boundary="${boundary}"`
  const others = head.replaceAll(/^content-type(?=:)/gim, 'X-Content-Type')
  return Buffer.from(`Content-Type: ${type}\r\n${others}${text.slice(end)}`, 'latin1')
}

const tryParse = (raw: Uint8Array): Promise<Email | undefined> =>
  PostalMime.parse(raw, limits).catch(() => undefined)

/**
 * The headers and the first 2 kB of text, in which people write what they ask for. The parser reads only so many bytes
 * after the headers as it can.
 */
async function beginningOf(raw: Uint8Array): Promise<Parsed> {
  const end = headEnd(raw)
  if (end === undefined) return headersOnly(raw)
  for (const bytes of beginnings) {
    const mail = await tryParse(raw.subarray(0, end + bytes))
    if (mail === undefined) continue
    const text = mailText({ ...mail, attachments: [], isCut: true })
      .slice(0, beginningCharacters)
      .trim()
    return { ...mail, text: text === '' ? unreadable : `${text}\n\n${restUnreadable}`, isCut: true }
  }
  return headersOnly(raw)
}

const beginnings = [64, 16, 4, 2, 1].map((kB) => kB * 1024)
const beginningCharacters = 2000

/** The end of the headers; undefined if they are too long. */
function headEnd(raw: Uint8Array): number | undefined {
  const head = Buffer.from(raw.subarray(0, mailLimits.headerBytes)).toString('latin1')
  return /\n\r?\n/.exec(head)?.index
}

async function headersOnly(raw: Uint8Array): Promise<Parsed> {
  const text = Buffer.from(raw.subarray(0, mailLimits.headerBytes - 1024)).toString('latin1')
  const end = /\r?\n\r?\n/.exec(text)?.index ?? text.length
  // Without a Content-Type, the mail has no parts.
  const head = text.slice(0, end).replaceAll(/^content-(?=[\w-]+:)/gim, 'x-content-')
  return { ...nothing, ...(await tryParse(Buffer.from(head, 'latin1'))), text: unreadable }
}

const nothing = { headers: [], headerLines: [], attachments: [], isCut: true }

const unreadable = '[The text of this email could not be read.]'
const restUnreadable = '[The rest of this email could not be read.]'

/** Cuts the mail off after too many lines: the parser takes ten microseconds for each. */
function withinLines(raw: Uint8Array): Uint8Array {
  let lines = 0
  for (let at = raw.indexOf(lineEnd); at !== -1; at = raw.indexOf(lineEnd, at + 1))
    if (++lines >= mailLimits.lines) return raw.subarray(0, at)
  return raw
}

/** Cuts the mail off after too many lines that could start a part, because each part takes memory. */
function withinParts(raw: Uint8Array): Uint8Array {
  let lines = 0
  for (let at = raw.indexOf(dash); at !== -1; at = raw.indexOf(dash, at + 1)) {
    if (raw[at + 1] !== dash || (at > 0 && raw[at - 1] !== lineEnd)) continue
    if (++lines > mailLimits.partLines) return raw.subarray(0, at)
  }
  return raw
}

const dash = 0x2d
const lineEnd = 0x0a
