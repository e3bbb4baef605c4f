import type { Dependencies } from '#kernel/module.ts'
import type { Cleared } from '../compliance/public.ts'
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

/** A sender, as a provider is asked about it. */
export type AskedSender = Pick<SenderRow, 'kind' | 'address'>

/** A message as it leaves. */
export interface OutgoingMessage {
  /** Of this attempt, and no other; the provider's callbacks name it. */
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
}

/** What only an email has. All of it but `bounceTo` is the same at each attempt to send it. */
export interface OutgoingEmail {
  /** In angle brackets, as in its header. */
  messageId: string
  /** The Message-IDs of the thread before it, oldest first. It responds to the last one. */
  references: readonly string[]
  /** The name that it comes from. */
  fromName: string
  replyTo: string
  /** The sender of its envelope, whom mail servers send bounces to. It names this attempt. */
  bounceTo: string
  writtenAt: Date
  /** What marketing must carry: the gates let none leave without it. Null for other emails. */
  marketing: { unsubscribeUrl: string | null; postalAddress: string | null } | null
  /** An invitation: an object of iCalendar with its METHOD. */
  calendar: string | null
}

/** Opens a message to send it now. Throws if it was not cleared, was opened before, or its clearance has expired. */
export type OpenCleared = (cleared: Cleared<OutgoingMessage>, now: Date) => OutgoingMessage

/** Why a message was not delivered, in the words of no provider. */
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
  | 'rejected'

export interface Failure {
  code: FailureCode
  /** The provider's own code. */
  carrierCode: string | null
  /** What the provider says, without what the message says. */
  message: string
}

/**
 * What became of handing a message over. `later`: surely not taken, may be tried again. `unknown`: it may have been taken, so
 * it is not sent again.
 */
export type SendOutcome =
  | { kind: 'taken'; providerMessageId: string | null }
  | { kind: 'rejected'; failure: Failure }
  | { kind: 'later'; failure: Failure; retryAfterMs: number | null }
  | { kind: 'unknown'; message: string }

/** What a provider reports of a message of ours. */
export interface StatusReport {
  attemptId: string | null
  providerMessageId: string | null
  status: 'sent' | 'delivered' | 'read' | 'failed' | 'undelivered'
  failure: Failure | null
  at: Date | null
}

/** What a person wrote to a sender of ours. */
export interface InboundMessage {
  providerMessageId: string
  channel: OutgoingMessage['channel']
  /** Theirs; null where the provider hides it. */
  from: string | null
  to: string
  subject: string | null
  body: string
  bodyHtml: string | null
  /** The name that they gave themselves. */
  name: string | null
  receivedAt: Date | null
  /** Whether the provider itself responds to words such as STOP. */
  providerResponds: boolean
  /** What only an email says. */
  email?: InboundEmail
}

export interface InboundEmail {
  /** The addresses that it was written or delivered to, as they stand in it. One may have a token of ours. */
  recipients: readonly string[]
  /** The Message-IDs that it responds to, the nearest first. */
  references: readonly string[]
  /** Whether a machine sent it, such as an out-of-office reply or a mailing list. It gets no response. */
  automatic: boolean
}

/** What a mail server reports of an email of ours. It counts only where one of the addresses has our token of an attempt. */
export interface MailReport {
  kind: 'bounced' | 'delayed' | 'delivered' | 'complaint'
  addresses: readonly string[]
  /** Of a bounce, and of a delay. */
  failure: Failure | null
  at: Date | null
}

/** One mail of a mailbox: a message, or a report of a message of ours. */
export type ReceivedMail = { message: InboundMessage } | { report: MailReport }

/**
 * A mail and the position of the mailbox after it; null for what is no mail to record. The first one of a mailbox that was never
 * read may be its position alone.
 */
export interface MailboxEntry {
  mail: ReceivedMail | null
  position: string
}

/** What a callback says once its signature is verified. `response`: its body, where the provider asks for one. */
export interface CallbackReport {
  statuses: readonly StatusReport[]
  messages: readonly InboundMessage[]
  response: { type: string; body: string } | null
}

/** A provider that carries messages. The adapter speaks its protocol. */
export interface Carrier {
  /** Opens the message and hands it over, once. Never throws, and is done within 10 seconds. */
  send(account: ProviderAccount, cleared: Cleared<OutgoingMessage>): Promise<SendOutcome>
  /**
   * Looks for a message of which it is unknown whether it was taken. Undefined if it is not found, or cannot be looked for.
   * `since`: when the attempt began.
   */
  find(
    account: ProviderAccount,
    sought: Pick<OutgoingMessage, 'attemptId' | 'from' | 'to' | 'body'> & { since: Date },
  ): Promise<StatusReport | undefined>
  /** What a callback says, or undefined if its signature is not the provider's. */
  readCallback(account: ProviderAccount, callback: Callback): CallbackReport | undefined
  /** Messages received since then, for what a callback could not bring. Throws where the provider cannot be reached. */
  listInbound(account: ProviderAccount, since: Date): Promise<readonly InboundMessage[]>
  /**
   * In place of `listInbound`, for a mailbox: what it has received since a position, oldest first, or since a time where there
   * is no position that still holds; an empty one holds nowhere. Changes nothing in the mailbox. Throws where it cannot be read.
   */
  readMailbox?(
    account: ProviderAccount,
    after: { position: string | null; since: Date },
  ): AsyncIterable<MailboxEntry>
  /**
   * Has the provider send to us what an address of ours receives. False if the account does not have the address, or the
   * provider cannot be reached. Undefined where there is nothing to set.
   */
  connectSender?(account: ProviderAccount, address: string): Promise<boolean>
  /**
   * Removes what a message said from the provider's records. True if nothing is left of it there. Undefined where the provider
   * has no such call.
   */
  forget?(account: ProviderAccount, providerMessageId: string): Promise<boolean>
  /**
   * The states of a sender that the provider reports; what it does not say is left out. Throws where the provider cannot be
   * reached. Of one object `account` the provider is asked once for what several senders share.
   */
  readRegistration?(account: ProviderAccount, sender: AskedSender): Promise<Registration>
  /** The templates of the account that Gable can send. Throws if the list cannot be read to its end. */
  listTemplates?(account: ProviderAccount): Promise<readonly ProviderTemplate[]>
}

/** Of the providers that carry messages. */
export type Carriers = Readonly<Partial<Record<Provider, Carrier | undefined>>>

export interface MessageDependencies extends Dependencies {
  readonly carriers: Carriers
}
