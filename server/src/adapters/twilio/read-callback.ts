import type { Callback, CallbackReport, ProviderAccount } from '../../modules/messages/ports.ts'
import { mediaOf } from './media.ts'
import { inboundOf, reportOf } from './message-resource.ts'
import { isSigned } from './signature.ts'

/** Twilio sends any message in the response back to the person: this response has none. */
const noReply = { type: 'text/xml', body: '<Response/>' }

/**
 * Reads a callback: `status/{attemptId}` about a sent message, `inbound` for a received one. Returns undefined if none
 * of the account's tokens signed it.
 */
export function readTwilioCallback(
  account: ProviderAccount,
  { url, path, headers, body }: Callback,
): CallbackReport | undefined {
  const parameters = new URLSearchParams(body.toString())
  if (!isSigned(account.secrets, headers['x-twilio-signature'] ?? '', url, parameters)) return undefined
  const [kind, attemptId = ''] = path.replace(/^\//, '').split('/')
  const sid = parameters.get('MessageSid') ?? ''
  if (sid === '') return nothing
  if (kind === 'status') {
    const report = reportOf(sid, attemptId, {
      status: parameters.get('MessageStatus') ?? '',
      errorCode: parameters.get('ErrorCode'),
      at: null,
    })
    return { ...nothing, statuses: report === undefined ? [] : [report] }
  }
  if (kind !== 'inbound') return nothing
  const message = {
    sid,
    from: parameters.get('From') ?? '',
    to: parameters.get('To') ?? '',
    body: parameters.get('Body') ?? '',
    media: mediaIn(parameters),
    asked: optOutTypes[parameters.get('OptOutType')?.trim().toUpperCase() ?? ''],
  }
  return { ...nothing, messages: [inboundOf(account, message, null, mediaOf(account, parameters))] }
}

/** What Twilio’s own keyword handling found. https://www.twilio.com/docs/messaging/tutorials/advanced-opt-out */
const optOutTypes: Readonly<Record<string, 'opt_out' | 'opt_in' | 'help'>> = {
  STOP: 'opt_out',
  START: 'opt_in',
  HELP: 'help',
}

/** The kind of the first file, in the words that WhatsApp has for them. */
function mediaIn(parameters: URLSearchParams): string | undefined {
  if (!(Number(parameters.get('NumMedia')) > 0)) return undefined
  const type = parameters.get('MediaContentType0')?.toLowerCase() ?? ''
  const [kind = ''] = type.split('/')
  if (['image', 'video', 'audio'].includes(kind)) return kind
  if (type.includes('vcard')) return 'contacts'
  return type.startsWith('application/') ? 'document' : 'attachment'
}

const nothing: CallbackReport = { statuses: [], messages: [], response: noReply }
