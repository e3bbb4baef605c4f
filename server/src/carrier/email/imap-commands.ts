import type { KeptMail, Mailbox, Mailboxes } from './mailboxes.ts'

/** The state of a client's session. */
export interface ImapSession {
  account: string | undefined
  box: Mailbox | undefined
}

/** The lines of a response, with literals between them, except the tagged line that ends it. */
export interface ImapReply {
  untagged: (string | Buffer)[]
  /** The text after the tag. */
  result: string
}

const ok = (name: string, untagged: ImapReply['untagged'] = []): ImapReply => ({
  untagged,
  result: `OK ${name} completed`,
})
const bad = (text: string): ImapReply => ({ untagged: [], result: `BAD ${text}` })
const no = (text: string): ImapReply => ({ untagged: [], result: `NO ${text}` })

export const capability = 'CAPABILITY IMAP4rev1'

/**
 * The part of IMAP that a mailbox reader needs (RFC 3501). Any name and password is an account, with one folder, INBOX,
 * that is read-only.
 */
export function execute(
  mailboxes: Mailboxes,
  session: ImapSession,
  [name = '', ...args]: readonly string[],
): ImapReply {
  const command = name.toUpperCase()
  switch (command) {
    case 'CAPABILITY':
      return ok(command, [capability])
    case 'NOOP':
      return ok(command)
    case 'LOGOUT':
      return ok(command, ['BYE'])
    case 'LOGIN':
      if (!args[0] || !args[1]) return no('[AUTHENTICATIONFAILED] A name and a password are required')
      session.account = args[0]
      return ok(command)
    default:
      return session.account === undefined ? no('Sign in first') : inAccount(session.account)
  }

  function inAccount(account: string): ImapReply {
    switch (command) {
      case 'LIST':
      case 'LSUB':
        return ok(command, [`${command} (\\HasNoChildren) "/" ${args[1] === '' ? '""' : 'INBOX'}`])
      case 'SELECT':
      case 'EXAMINE':
        if (args[0]?.toUpperCase() !== 'INBOX') return no('[NONEXISTENT] There is only INBOX')
        session.box = mailboxes.open(account)
        return { ...ok(command, opened(session.box)), result: `OK [READ-ONLY] ${command} completed` }
      case 'CLOSE':
      case 'UNSELECT':
        session.box = undefined
        return ok(command)
      case 'UID':
        return session.box === undefined ? bad('Select a mailbox first') : byUid(session.box, args)
      default:
        return bad('Unknown command')
    }
  }
}

const opened = ({ mails, uidNext, uidValidity }: Mailbox) => [
  `${mails.length} EXISTS`,
  '0 RECENT',
  'FLAGS (\\Seen)',
  `OK [UIDVALIDITY ${uidValidity}] UIDs valid`,
  `OK [UIDNEXT ${uidNext}] Predicted next UID`,
]

function byUid(box: Mailbox, [name = '', ...args]: readonly string[]): ImapReply {
  if (name.toUpperCase() === 'SEARCH') {
    const found = box.mails.filter(matching(box, args)).map(({ uid }) => ` ${uid}`)
    return ok('SEARCH', [`SEARCH${found.join('')}`])
  }
  if (name.toUpperCase() !== 'FETCH') return bad('Unknown command')
  const wanted = inSet(box, args[0] ?? '')
  const items = args.slice(1).join(' ')
  return ok(
    'FETCH',
    box.mails.flatMap((mail, index) => (wanted(mail) ? fetched(mail, index + 1, items) : [])),
  )
}

/** Supports UID and SINCE. Other criteria match every mail. */
function matching(box: Mailbox, [key = 'ALL', value = '']: readonly string[]): (mail: KeptMail) => boolean {
  if (key.toUpperCase() === 'UID') return inSet(box, value)
  const day = Date.parse(`${value} UTC`)
  if (key.toUpperCase() === 'SINCE') return ({ arrivedAt }) => arrivedAt.getTime() >= day
  return () => true
}

/** Matches a sequence set such as `3,5:7,9:*`, where `*` is the highest UID. */
function inSet({ mails }: Mailbox, text: string): (mail: KeptMail) => boolean {
  const newest = mails.at(-1)?.uid ?? 0
  const numberOf = (part: string) => (part === '*' ? newest : Number(part))
  const ranges = text.split(',').map((range) => {
    const [from = '', to = from] = range.split(':')
    return [numberOf(from), numberOf(to)].toSorted((a, b) => a - b)
  })
  return ({ uid }) => ranges.some(([low = 0, high = 0]) => low <= uid && uid <= high)
}

function fetched({ uid, arrivedAt, raw }: KeptMail, place: number, items: string): (string | Buffer)[] {
  const date = /INTERNALDATE/i.test(items) ? ` INTERNALDATE "${dateTime(arrivedAt)}"` : ''
  const [, body, , from = '0', length] = /BODY(\.PEEK)?\[\](<(\d+)\.(\d+)>)?/i.exec(items) ?? []
  const head = `${place} FETCH (UID ${uid}${date}`
  if (!/BODY/i.test(items) && body === undefined) return [`${head})`]
  const cut = raw.subarray(Number(from), length === undefined ? undefined : Number(from) + Number(length))
  const origin = length === undefined ? '' : `<${from}>`
  return [`${head} BODY[]${origin} {${cut.length}}\r\n`, cut, ')']
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function dateTime(date: Date): string {
  const day = String(date.getUTCDate()).padStart(2, ' ')
  const time = date.toISOString().slice(11, 19)
  return `${day}-${months[date.getUTCMonth()]}-${date.getUTCFullYear()} ${time} +0000`
}
