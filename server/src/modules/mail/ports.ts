/** A mail to one person: text, and nothing else. */
export interface Mail {
  /** An e-mail address, without a name. */
  to: string
  subject: string
  text: string
}

export interface Letter extends Mail {
  /** The same at every attempt, so that whoever gets a mail twice can tell. */
  id: string
  writtenAt: Date
}

/** What came of handing a mail to a mail server. */
export interface Handover {
  /** It has taken the mail; it never will; or it may at another time. */
  kind: 'taken' | 'refused' | 'later'
  /** In its own words, or what kept it from speaking. May quote the recipient and the text. */
  answer: string
  /** The number or the name of the answer, such as 451 or ETIMEDOUT; fit for a log. */
  code: string
}

/** Hands a mail over, within a minute. Throws only where Gable itself is at fault. */
export type SendMail = (letter: Letter) => Promise<Handover>
