import type { KeptMail, Mailbox, Mailboxes } from './mailboxes.ts'

/** What a client has said so far. */
export interface ImapSession {
  account: string | undefined
  box: Mailbox | undefined
}

/** Lines, and literals between them, without the last one, which ends the command. */
export interface ImapReply {
  untagged: (string | Buffer)[]
  /** What comes after the tag. */
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
 * What a reader of a mailbox needs of IMAP (RFC 3501): any name and password are an account, which has one folder, INBOX, that no
 * command changes.
 */
export function carryOut(
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

/** Of the criteria those that are known; of others every mail fits. */
function matching(box: Mailbox, [key = 'ALL', value = '']: readonly string[]): (mail: KeptMail) => boolean {
  if (key.toUpperCase() === 'UID') return inSet(box, value)
  const day = Date.parse(`${value} UTC`)
  if (key.toUpperCase() === 'SINCE') return ({ arrivedAt }) => arrivedAt.getTime() >= day
  return () => true
}

/** A set such as `3,5:7,9:*`. Its last number stands for a star. */
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
