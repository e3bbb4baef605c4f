import type { CarriedMessage } from '../message-log.ts'
import { type Served, json } from '../served.ts'

const words: Readonly<Record<number, string>> = {
  20001: 'Only an empty Body can be set.',
  20003: 'Authenticate',
  20404: 'The requested resource was not found',
  20429: 'Too Many Requests',
  20500: 'An internal server error has occurred',
  21205: 'Url parameter is required.',
  21211: "The 'To' number (to) is not a valid phone number.",
  21212: "The 'From' number (from) is not a valid phone number, shortcode, or alphanumeric sender ID.",
  21602: 'Message body is required.',
  21609: "The 'StatusCallback' URL is not a valid URL.",
  21610: 'Attempt to send to unsubscribed recipient',
  21617: 'The concatenated message body exceeds the 1600 character limit.',
  21623: 'Number of media files exceeds allowed limit',
  21624: 'The ValidityPeriod must be an integer from 1 to 36000.',
}

/** Twilio's status for each way that a call can end. */
export const endStatuses = {
  hung_up: 'completed',
  voicemail: 'completed',
  no_answer: 'no-answer',
  declined: 'busy',
  bad_number: 'failed',
} as const

/** An error in Twilio's format. Its message quotes numbers. */
export const fault = (status: number, code: number, { from = '', to = '' } = {}): Served =>
  json(status, {
    code,
    message: (words[code] ?? 'Rejected').replace('(to)', to).replace('(from)', from),
    more_info: `https://www.twilio.com/docs/errors/${code}`,
    status,
  })

/** A time in Twilio's format: RFC 2822. */
const time = (at: Date | null) => at && at.toUTCString().replace('GMT', '+0000')

/** Twilio's API representation of a message. */
export const resourceOf = (message: CarriedMessage) => {
  const uri = `/2010-04-01/Accounts/${message.account}/Messages/${message.id}`
  return {
    account_sid: message.account,
    api_version: '2010-04-01',
    body: message.body,
    date_created: time(message.createdAt),
    date_sent: time(message.sentAt),
    date_updated: time(message.sentAt ?? message.createdAt),
    direction: message.direction === 'inbound' ? 'inbound' : 'outbound-api',
    error_code: message.errorCode,
    error_message: null,
    from: message.from,
    messaging_service_sid: null,
    num_media: String(message.media?.length ?? 0),
    num_segments: '1',
    price: null,
    price_unit: 'USD',
    sid: message.id,
    status: message.status,
    subresource_uris: { media: `${uri}/Media.json` },
    to: message.to,
    uri: `${uri}.json`,
  }
}
