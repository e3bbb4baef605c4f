import type { Dependencies } from '#kernel/module.ts'

/** A plain-text mail to one person. */
export interface Mail {
  /** An email address, without a name. */
  to: string
  subject: string
  text: string
  /** An invitation: an iCalendar object with a METHOD. */
  calendar?: string
}

export interface Letter extends Mail {
  /** The same at every attempt, so that duplicates can be recognized. */
  id: string
  writtenAt: Date
}

/** The outcome of handing a mail to a mail server. */
export interface Handover {
  /** `taken`: accepted. `rejected`: rejected permanently. `later`: not accepted, but a retry may succeed. */
  kind: 'taken' | 'rejected' | 'later'
  /** The server's reply, or why there is none. May quote the recipient and the text. */
  answer: string
  /** The reply's code, such as 451 or ETIMEDOUT; safe to log. */
  code: string
}

/** Hands a mail to the mail server. Settles within a minute, and throws only because of a bug in Gable. */
export type SendMail = (letter: Letter) => Promise<Handover>

/** A mail that is kept because no mail server is configured. */
export interface CaughtMail extends Mail {
  id: string
  /** The URL of its page in the mail catcher; undefined if the catcher's pages are not served. */
  page: string | undefined
  /** The links to this server. */
  links: string[]
}

export interface MailDependencies extends Dependencies {
  /** Undefined if no mail server is configured. The mail catcher then keeps every mail. */
  readonly sendMail: SendMail | undefined
  /** Whether the pages of the mail catcher are served. */
  readonly showsCaughtMail: boolean
  /** Called for every caught mail. Its text may be shown to a person, but must not be logged. */
  readonly onCaught: ((mail: CaughtMail) => void) | undefined
}
