import type { Dependencies } from '#kernel/module.ts'
import type { CaughtMail } from './dispatch-mail.ts'

/** A plain-text mail to one person. */
export interface Mail {
  /** An email address, without a name. */
  to: string
  subject: string
  text: string
  /** An invitation: an object of iCalendar with its METHOD. */
  calendar?: string
}

export interface Letter extends Mail {
  /** The same at every attempt, so that duplicates can be recognized. */
  id: string
  writtenAt: Date
}

/** The outcome of handing a mail to a mail server. */
export interface Handover {
  /** Accepted; rejected for good; or rejected for now. */
  kind: 'taken' | 'rejected' | 'later'
  /** The server's reply, or why there is none. May quote the recipient and the text. */
  answer: string
  /** The reply's code, such as 451 or ETIMEDOUT; safe to log. */
  code: string
}

/** Hands a mail over within a minute. Throws only for defects of Gable itself. */
export type SendMail = (letter: Letter) => Promise<Handover>

export interface MailDependencies extends Dependencies {
  /** Undefined where no mail server is configured: the mail catcher keeps every mail. */
  readonly sendMail: SendMail | undefined
  /** Whether the pages of the mail catcher are served. */
  readonly showsCaughtMail: boolean
  /** Called with every mail that is caught, its text included: for a person's eyes, never for a log. */
  readonly onCaught: ((mail: CaughtMail) => void) | undefined
}
