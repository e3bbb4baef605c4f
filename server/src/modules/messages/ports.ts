import type { Cleared } from '../compliance/public.ts'
import type { FileDependencies } from '../files/public.ts'
import type {
  Callback,
  Provider,
  ProviderAccount,
  ProviderTemplate,
  Registration,
  SenderRow,
} from '../senders/public.ts'

export type {
  Callback,
  EmailAccount,
  Provider,
  ProviderAccount,
  ProviderTemplate,
  Registration,
} from '../senders/public.ts'

/** What Gable passes to a provider about a sender to get its registration. */
export type AskedSender = Pick<SenderRow, 'kind' | 'address'>

/** A message that is ready to be sent. */
export interface OutgoingMessage {
  /** Identifies this attempt only. The provider's callbacks name it. */
  attemptId: string
  channel: 'sms' | 'whatsapp' | 'email'
  from: string
  to: string
  subject: string | null
  body: string | null
  bodyHtml: string | null
  template: { name: string; language: string; variables: readonly string[] } | null
  /** Null on other channels. */
  email: OutgoingEmail | null
  /** The pictures and files, by links from which the provider reads them within a day. */
  media?: readonly { url: string; contentType: string; name: string }[]
}

/** What only emails have. All of it but `bounceTo` is the same for each attempt to send the email. */
export interface OutgoingEmail {
  /** With angle brackets, as in the header. */
  messageId: string
  /** The Message-IDs of the thread before this email, oldest first. The email responds to the last one. */
  references: readonly string[]
  /** The name of the sender. */
  fromName: string
  replyTo: string
  /** The envelope sender, to which mail servers send bounces. It identifies this attempt. */
  bounceTo: string
  writtenAt: Date
  /** What marketing must carry: the gates block marketing without it. Null for other emails. */
  marketing: { unsubscribeUrl: string | null; postalAddress: string | null } | null
  /** An invitation: an iCalendar object with a METHOD. */
  calendar: string | null
}

/** Opens a cleared message to send it now. Throws if it was not cleared, was opened before, or its clearance has expired. */
export type OpenCleared = (cleared: Cleared<OutgoingMessage>, now: Date) => OutgoingMessage

/** Why a message was not delivered, in codes that do not depend on the provider. */
export type FailureCode =
  | 'recipient_invalid'
  | 'recipient_unreachable'
  | 'recipient_opted_out'
  | 'filtered'
  | 'sender_not_registered'
  | 'window_closed'
  | 'template_rejected'
  | 'credentials_rejected'
  | 'provider_unavailable'
  | 'not_connected'
  | 'rejected'

export interface Failure {
  code: FailureCode
  /** The provider's own code. */
  carrierCode: string | null
  /** What the provider says, without the content of the message. */
  message: string
}

/**
 * The outcome of handing a message to a provider. `later`: surely not taken, may be retried. `unknown`: it may have
 * been taken, so Gable does not send it again, except an email once; see `clarify`.
 */
export type SendOutcome =
  | { kind: 'taken'; providerMessageId: string | null }
  | { kind: 'rejected'; failure: Failure }
  | { kind: 'later'; failure: Failure; retryAfterMs: number | null }
  | { kind: 'unknown'; message: string }

/** A provider's report about a message of ours. */
export interface StatusReport {
  attemptId: string | null
  providerMessageId: string | null
  status: 'sent' | 'delivered' | 'read' | 'failed' | 'undelivered'
  failure: Failure | null
  at: Date | null
}

/** A message that a person wrote to a sender of ours. */
export interface InboundMessage {
  providerMessageId: string
  channel: OutgoingMessage['channel']
  /** The person's number or address; null if the provider hides it. */
  from: string | null
  to: string
  subject: string | null
  body: string
  bodyHtml: string | null
  /** The name that the person chose. */
  name: string | null
  receivedAt: Date | null
  /** Whether the provider itself responds to words such as STOP. */
  providerResponds: boolean
  /** What the provider itself says that the person asks for. It comes before the words. */
  asked?: 'opt_out' | 'opt_in' | 'help'
  /** Whether the person tapped a button, whose words are ours. */
  tapped?: true
  /** Only for an email. */
  email?: InboundEmail
  /** The pictures and other files, in order. */
  media?: readonly InboundMedia[]
}

/** A person’s choice in the provider’s app whether to get marketing from an address of ours. */
export interface Preference {
  channel: OutgoingMessage['channel']
  from: string
  to: string
  wanted: boolean
  at: Date | null
}

export interface InboundMedia {
  /** Where the provider has it, in its own terms; null if that is at no address of the provider. */
  source: string | null
  contentType: string
  /** The file name, if the author chose one. */
  name: string | null
}

/** The content of a file, or why there is none: it is larger than Gable stores, or the provider no longer has it. */
export type MediaReply = AsyncIterable<Buffer> | 'too_large' | 'gone'

export interface InboundEmail {
  /** The addresses that it was written or delivered to, as they appear in it. One may have a token of ours. */
  recipients: readonly string[]
  /** The Message-IDs that it responds to, nearest first. */
  references: readonly string[]
  /** Whether a machine sent it, such as an out-of-office reply or a mailing list. Gable does not respond to it. */
  automatic: boolean
  /** What it responds to an invitation (RFC 5546). */
  response?: { uid: string; status: 'accepted' | 'declined' | 'tentative' }
  /** Whether our own mail server authenticated the author. `none`: the email does not say. */
  authentication: 'pass' | 'fail' | 'none'
}

/** A mail server's report about an email of ours. It counts only if one of the addresses has our token of an attempt. */
export interface MailReport {
  kind: 'bounced' | 'delayed' | 'delivered' | 'complaint'
  addresses: readonly string[]
  /** For a bounce or a delay. */
  failure: Failure | null
  at: Date | null
}

/** A mail in a mailbox: a message, or a report about a message of ours. */
export type ReceivedMail = { message: InboundMessage } | { report: MailReport }

/**
 * A mail and the position of the mailbox after it. `mail` is null if there is nothing to record. The first entry of a
 * mailbox that was never read may only have its position.
 */
export interface MailboxEntry {
  mail: ReceivedMail | null
  position: string
}

/**
 * The content of a callback, after its signature has been verified. `response`: the response body, if the provider
 * requires one.
 */
export interface CallbackReport {
  statuses: readonly StatusReport[]
  messages: readonly InboundMessage[]
  preferences?: readonly Preference[]
  response: { type: string; body: string } | null
}

export interface AccountTest {
  result: 'accepted' | 'rejected' | 'unknown_account' | 'unreachable'
  /** What the provider said, for the operator; null if it accepts them. */
  said: string | null
}

/** Where a provider sends what a sender receives. */
export interface InboundUrl {
  /** Null if it is sent nowhere, or if the provider does not say. */
  actual: string | null
  /** Whether the provider has no way to say it. */
  isUnsaid?: true
  /** Gable's. */
  expected: string
  /** Where at the provider it is set, in its words. */
  setting: string
}

/** A provider that carries messages. The adapter implements its protocol. */
export interface Carrier {
  /** Opens the message and hands it to the provider, once. Never throws, and settles within 10 seconds. */
  send(account: ProviderAccount, cleared: Cleared<OutgoingMessage>): Promise<SendOutcome>
  /**
   * Looks for a message that the provider may have taken. Returns undefined if it is not found, or the provider has no
   * way to find it. Throws only for a search with `until`, if the provider cannot be reached.
   */
  find(account: ProviderAccount, sought: SoughtMessage): Promise<StatusReport | undefined>
  /** Reads a callback. Returns undefined if the provider did not sign it. */
  readCallback(
    account: ProviderAccount,
    callback: Callback,
  ): CallbackReport | undefined | Promise<CallbackReport>
  /**
   * Messages received since then, to find what no callback delivered. Throws if the provider cannot be reached; the error's
   * `status` is 401 or 403 if it rejects the credentials.
   */
  listInbound(account: ProviderAccount, since: Date): Promise<readonly InboundMessage[]>
  /**
   * Replaces `listInbound` for a mailbox. Yields what it received after a position, oldest first; or since a time, if
   * there is no position or it is no longer valid. An empty position is never valid. Changes nothing in the mailbox.
   * Throws if it cannot be read; the error's `status` is 401 if the server rejects the credentials.
   */
  readMailbox?(
    account: ProviderAccount,
    after: { position: string | null; since: Date },
  ): AsyncIterable<MailboxEntry>
  /**
   * Makes the provider send to Gable what an address of ours receives. Returns false if the account does not have the
   * address, or the provider cannot be reached. The method is missing if there is nothing to set.
   */
  connectSender?(account: ProviderAccount, address: string): Promise<boolean>
  /**
   * Reads a file of a received message. `source`: as the provider reported it. A longer file than `maxBytes` ends with an
   * error. Rejects if a retry may work. The method is missing if messages have no files.
   */
  fetchMedia?(account: ProviderAccount, source: string, maxBytes: number): Promise<MediaReply>
  /**
   * Removes the content of a message from the provider's records. Returns true if nothing of it is left there. The
   * method is missing if the provider has no such call.
   */
  forget?(account: ProviderAccount, providerMessageId: string): Promise<boolean>
  /**
   * Reads the status of a message of ours. Returns undefined if the provider does not have it. Throws if the provider
   * cannot be reached. The method is missing if the provider has no such call.
   */
  readStatus?(account: ProviderAccount, providerMessageId: string): Promise<StatusReport | undefined>
  /**
   * Reads the states of a sender from the provider. Leaves out states that it does not report. Throws if the provider
   * cannot be reached. For the same `account` object, asks only once for what several senders share.
   */
  readRegistration?(account: ProviderAccount, sender: AskedSender): Promise<Registration>
  /** Whether the provider accepts the credentials. Never throws. The method is missing if `VoiceCarrier.test` does it. */
  test?(account: ProviderAccount): Promise<AccountTest>
  /**
   * Where the provider sends what a sender receives. Undefined if the account does not have the sender. Throws if the
   * provider cannot be reached. The method is missing if providers of this kind call back nowhere.
   */
  readInboundUrl?(account: ProviderAccount, sender: AskedSender): Promise<InboundUrl | undefined>
  /** The templates of the account that Gable can send. Throws if the list cannot be read to its end. */
  listTemplates?(account: ProviderAccount): Promise<readonly ProviderTemplate[]>
}

/** The carriers, by provider. */
export type Carriers = Readonly<Partial<Record<Provider, Carrier | undefined>>>

/** An attempt to send a message. */
export interface SentAttempt {
  workspaceId: string
  attemptId: string
}

/** A message that the provider may have. */
export interface SoughtMessage extends Pick<OutgoingMessage, 'attemptId' | 'from' | 'to' | 'body'> {
  /** When the attempt began; with `until`, the attempt may have begun at any time in between. */
  since: Date
  until?: Date
  /** Whether the provider’s message is known as another one of ours. */
  isTaken?(providerMessageId: string): Promise<boolean>
}

/** The last attempt that began here, outside of the database: a database that does not know it is an older one. */
export interface LastSent {
  save(attempt: SentAttempt): Promise<void>
  find(): Promise<SentAttempt | undefined>
}

export interface MessageDependencies extends FileDependencies {
  readonly carriers: Carriers
  readonly lastSent: LastSent
}
