import { createHash } from 'node:crypto'
import PostalMime, { type Email } from 'postal-mime'
import type { InboundEmail, InboundMessage, ReceivedMail } from '../../modules/messages/ports.ts'
import { authorOf, isAutomatic, messageIdOf, recipientsOf, respondedTo } from './mail-headers.ts'
import { mailLimits } from './mail-limits.ts'
import { mailReportOf } from './mail-report.ts'
import { mailText } from './mail-text.ts'
import { authenticationOf } from './sender-authentication.ts'

/**
 * Parses any raw mail within `mailLimits`. The ID is its Message-ID, or else a hash of its bytes, so that the same mail
 * always gets the same ID. `authservIds`: see `authenticationOf`. Never rejects.
 */
export async function parseMail(
  raw: Uint8Array,
  receivedAt: Date | null,
  authservIds: readonly string[],
): Promise<ReceivedMail> {
  const mail = await parse(raw)
  const report = mailReportOf(mail, receivedAt)
  if (report !== undefined) return { report }
  return { message: messageOf(mail, raw, receivedAt, authenticationOf(mail, authservIds)) }
}

function messageOf(
  mail: Email,
  raw: Uint8Array,
  receivedAt: Date | null,
  authentication: InboundEmail['authentication'],
): InboundMessage {
  const author = authorOf(mail)
  const recipients = recipientsOf(mail)
  return {
    providerMessageId: messageIdOf(mail) ?? `sha256:${createHash('sha256').update(raw).digest('hex')}`,
    channel: 'email',
    from: author?.address ?? null,
    to: recipients[0] ?? '',
    subject: mail.subject?.replaceAll(/\s+/g, ' ').trim().slice(0, mailLimits.subject) ?? null,
    body: mailText(mail),
    bodyHtml: null,
    name: author?.name || null,
    receivedAt,
    providerResponds: false,
    email: { recipients, references: respondedTo(mail), automatic: isAutomatic(mail), authentication },
  }
}

const limits = {
  maxHeadersSize: mailLimits.headerBytes,
  maxNestingDepth: mailLimits.depth,
  maxRfc822NestingDepth: mailLimits.forwardedDepth,
}

/** Reads only the headers of a mail that exceeds the limits. */
async function parse(raw: Uint8Array): Promise<Email> {
  const bounded = withinParts(withinLines(raw.subarray(0, mailLimits.bytes)))
  try {
    return await PostalMime.parse(bounded, limits)
  } catch {
    return headersOnly(bounded)
  }
}

async function headersOnly(raw: Uint8Array): Promise<Email> {
  const text = Buffer.from(raw.subarray(0, mailLimits.headerBytes - 1024)).toString('latin1')
  const end = /\r?\n\r?\n/.exec(text)?.index ?? text.length
  // Without a Content-Type, the mail has no parts.
  const head = text.slice(0, end).replaceAll(/^content-(?=[\w-]+:)/gim, 'x-content-')
  try {
    return { ...(await PostalMime.parse(Buffer.from(head, 'latin1'), limits)), text: unreadable }
  } catch {
    return { headers: [], headerLines: [], attachments: [], text: unreadable }
  }
}

const unreadable = '[The text of this email could not be read.]'

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
