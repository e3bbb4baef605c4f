import type { Attachment } from 'postal-mime'

/** A response to an invitation (RFC 5546, METHOD:REPLY). */
export interface CalendarResponse {
  uid: string
  status: 'accepted' | 'declined' | 'tentative'
  summary: string
  /** What the person wrote with it. */
  comment: string
}

const maxCalendar = 64 * 1024
const maxComment = 4000

/** Finds the response to an invitation among the parts of an email. It names one person and their choice. */
export function calendarResponseOf(attachments: readonly Attachment[]): CalendarResponse | undefined {
  const part = attachments.find(
    ({ mimeType }) => mimeType === 'text/calendar' || mimeType === 'application/ics',
  )
  if (part === undefined) return undefined
  const { content } = part
  const text =
    typeof content === 'string'
      ? content
      : new TextDecoder().decode(new Uint8Array(content).subarray(0, maxCalendar))
  return readResponse(text.slice(0, maxCalendar))
}

function readResponse(text: string): CalendarResponse | undefined {
  const lines = text.replaceAll(/\r?\n[ \t]/g, '').split(/\r?\n/)
  const valueOf = (name: string) => {
    const line = lines.find((one) =>
      [`${name}:`, `${name};`].includes(one.slice(0, name.length + 1).toUpperCase()),
    )
    return line === undefined ? '' : line.slice(endOfName(line) + 1).trim()
  }
  if (valueOf('METHOD').toUpperCase() !== 'REPLY') return undefined
  const attendees = lines.filter((line) => /^ATTENDEE[:;]/i.test(line))
  const status = /;PARTSTAT="?([A-Z-]{1,20})/i.exec(attendees[0] ?? '')?.[1]?.toLowerCase() ?? ''
  const uid = valueOf('UID')
  if (uid === '' || attendees.length !== 1 || !isStatus(status)) return undefined
  return {
    uid,
    status,
    summary: plain(valueOf('SUMMARY')).slice(0, 200),
    comment: plain(valueOf('COMMENT')).trim().slice(0, maxComment),
  }
}

/** RFC 5545, 3.3.11. */
const plain = (text: string) =>
  text.replaceAll(/\\([,;\\nN])/g, (_, char: string) => (/n/i.test(char) ? '\n' : char))

const isStatus = (text: string): text is CalendarResponse['status'] =>
  text === 'accepted' || text === 'declined' || text === 'tentative'

/** The colon that ends the name and the parameters of a line. Quoted parameters may contain colons. */
function endOfName(line: string): number {
  let isQuoted = false
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '"') isQuoted = !isQuoted
    else if (line[at] === ':' && !isQuoted) return at
  }
  return line.length
}
