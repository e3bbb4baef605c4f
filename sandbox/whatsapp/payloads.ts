import type { CarriedMedia } from '../message-log.ts'
import { type Served, json } from '../served.ts'
import type { BusinessNumber } from './number.ts'

/** A time in Meta's format: seconds, as text. */
const time = (at: Date) => String(Math.floor(at.getTime() / 1000))

/** Meta writes numbers without the plus. */
export const digitsOf = (number: string): string => number.replaceAll(/\D/g, '')

const titles: Readonly<Record<number, string>> = {
  100: 'Invalid parameter',
  190: 'Access token has expired',
  130429: 'Rate limit hit',
  131000: 'Something went wrong',
  131008: 'Required parameter is missing',
  131009: 'Parameter value is not valid',
  131026: 'Message undeliverable',
  131049: 'This message was not delivered to maintain healthy ecosystem engagement.',
  131050: 'Recipient has stopped marketing messages from this business',
  131053: 'Media upload error',
  133010: 'Phone number not registered',
}

/** An error response in Meta's format. Its details quote what was sent. */
export const metaFault = (status: number, code: number, details = ''): Served =>
  json(status, {
    error: {
      message: `(#${code}) ${titles[code] ?? 'Rejected'}`,
      type: 'OAuthException',
      code,
      error_data: { messaging_product: 'whatsapp', details },
      fbtrace_id: 'simulated',
    },
  })

/** The body of a webhook about one number. */
export const webhookOf = (value: object): string =>
  JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: '0', changes: [{ value, field: 'messages' }] }],
  })

const about = ({ id }: BusinessNumber) => ({
  messaging_product: 'whatsapp',
  metadata: { display_phone_number: id, phone_number_id: id },
})

export interface ReportedStatus {
  id: string
  status: string
  to: string
  at: Date
  data: unknown
  errorCode: number | null
}

export const statusValue = (number: BusinessNumber, statuses: readonly ReportedStatus[]): object => ({
  ...about(number),
  statuses: statuses.map(({ id, status, to, at, data, errorCode }) => ({
    id,
    status,
    timestamp: time(at),
    recipient_id: digitsOf(to),
    ...(data !== undefined && { biz_opaque_callback_data: data }),
    ...(errorCode !== null && { errors: [errorOf(errorCode)] }),
  })),
})

const errorOf = (code: number) => ({
  code,
  title: titles[code],
  message: titles[code],
  error_data: { details: titles[code] },
  href: 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/',
})

export const inboundValue = (
  number: BusinessNumber,
  {
    id,
    from,
    body,
    at,
    media,
  }: { id: string; from: string; body: string; at: Date; media?: CarriedMedia | undefined },
): object => ({
  ...about(number),
  contacts: [{ profile: { name: 'Handset' }, wa_id: digitsOf(from) }],
  messages: [{ from: digitsOf(from), id, timestamp: time(at), ...contentOf(body, media) }],
})

function contentOf(body: string, media: CarriedMedia | undefined): object {
  if (media === undefined) return { text: { body }, type: 'text' }
  const kind = media.contentType.split('/', 1)[0] ?? ''
  const type = ['image', 'audio', 'video'].includes(kind) ? kind : 'document'
  const { id, contentType: mime_type, name } = media
  return {
    type,
    [type]: {
      id,
      mime_type,
      ...(type === 'document' && name !== null && { filename: name }),
      ...(body !== '' && { caption: body }),
    },
  }
}
