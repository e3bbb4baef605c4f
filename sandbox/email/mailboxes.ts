import { randomInt } from 'node:crypto'

/** A mail in a mailbox, with its permanent UID (RFC 9051, 2.3.1.1). */
export interface KeptMail {
  uid: number
  arrivedAt: Date
  raw: Buffer
}

export interface Mailbox {
  /** Changes each time the carrier starts, because UIDs then start over. */
  uidValidity: number
  uidNext: number
  mails: readonly KeptMail[]
}

/** In-memory mailboxes by account name. */
export interface Mailboxes {
  deliver(account: string, raw: string): void
  open(account: string): Mailbox
}

/** Each mailbox keeps its latest mails. The least recently opened accounts are dropped. */
const maxMails = 1000
const maxAccounts = 1000

export function createMailboxes(now: () => Date): Mailboxes {
  const boxes = new Map<string, Mailbox & { mails: KeptMail[] }>()
  const uidValidity = randomInt(1, 2 ** 32)

  function open(account: string) {
    const box = boxes.get(account) ?? { uidValidity, uidNext: 1, mails: [] }
    boxes.delete(account)
    boxes.set(account, box)
    const [oldest] = boxes.keys()
    if (boxes.size > maxAccounts && oldest !== undefined) boxes.delete(oldest)
    return box
  }

  return {
    open,
    deliver(account, raw) {
      const box = open(account)
      box.mails.push({ uid: box.uidNext++, arrivedAt: now(), raw: Buffer.from(raw) })
      if (box.mails.length > maxMails) box.mails.shift()
    },
  }
}
