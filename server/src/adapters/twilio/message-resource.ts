import type {
  InboundMedia,
  InboundMessage,
  ProviderAccount,
  StatusReport,
} from '../../modules/messages/ports.ts'
import { failureOf } from './failures.ts'

/** The fields used from a message in Twilio's API. */
export interface TwilioMessage {
  sid: string
  direction: string
  from: string
  to: string
  body: string
  /** What files came with it, such as `image`. */
  media?: string | undefined
  asked?: InboundMessage['asked'] | undefined
  status: string
  errorCode: string | null
  createdAt: Date
  sentAt: Date | null
  mediaCount: number
}

/** The messages on a page of the list. Throws if the response isn't a list. */
export function messagesOf({ messages }: Record<string, unknown>): TwilioMessage[] {
  if (!Array.isArray(messages)) throw new Error('The response is not a list of messages.')
  return messages.map(twilioMessageOf)
}

export const twilioMessageOf = (one: Record<string, unknown>): TwilioMessage => ({
  sid: String(one['sid']),
  direction: String(one['direction']),
  from: String(one['from']),
  to: String(one['to']),
  body: String(one['body'] ?? ''),
  // The list does not include the types of the files.
  media: Number(one['num_media']) > 0 ? 'attachment' : undefined,
  status: String(one['status']),
  errorCode: typeof one['error_code'] === 'number' ? String(one['error_code']) : null,
  createdAt: new Date(String(one['date_created'])),
  mediaCount: Number(one['num_media'] ?? 0) || 0,
  sentAt: typeof one['date_sent'] === 'string' ? new Date(one['date_sent']) : null,
})

/** Twilio already has the message in every status up to `sent`, so each of them counts as sent. */
const statuses: Readonly<Record<string, StatusReport['status']>> = {
  accepted: 'sent',
  scheduled: 'sent',
  queued: 'sent',
  sending: 'sent',
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  undelivered: 'undelivered',
  failed: 'failed',
  canceled: 'failed',
}

/** The report for a Twilio status, or undefined if the status is unknown. */
export function reportOf(
  sid: string,
  attemptId: string | null,
  { status, errorCode, at }: { status: string; errorCode: string | null; at: Date | null },
): StatusReport | undefined {
  const known = statuses[status]
  if (known === undefined) return undefined
  const failed = known === 'failed' || known === 'undelivered'
  const failure = failed
    ? failureOf(errorCode ?? status, errorCode === null ? `Twilio: ${status}` : undefined)
    : null
  return { attemptId, providerMessageId: sid, status: known, failure, at }
}

export const inboundOf = (
  account: ProviderAccount,
  message: Pick<TwilioMessage, 'sid' | 'from' | 'to' | 'body' | 'media' | 'asked'>,
  receivedAt: Date | null,
  media: readonly InboundMedia[],
): InboundMessage => ({
  providerMessageId: message.sid,
  channel: 'sms',
  from: message.from,
  to: message.to,
  subject: null,
  body: message.body.trim() === '' && message.media !== undefined ? `[${message.media}]` : message.body,
  ...(media.length > 0 && { media }),
  bodyHtml: null,
  name: null,
  receivedAt,
  // Twilio names the keyword that it has responded to.
  providerResponds:
    respondsItself(account, message.to) || (message.asked !== undefined && !account.simulated),
  ...(message.asked !== undefined && { asked: message.asked }),
})

const tollFree = /^\+18(00|33|44|55|66|77|88)/

/**
 * Whether Twilio itself responds to STOP and HELP. It does, unless its support has turned that off, which
 * `settings.keyword_replies: false` records. The toll-free network always responds. The simulated carrier leaves
 * responding to Gable.
 */
const respondsItself = ({ settings, simulated }: ProviderAccount, to: string): boolean =>
  !simulated && (settings['keyword_replies'] !== false || tollFree.test(to))
