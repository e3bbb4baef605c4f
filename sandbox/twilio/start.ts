import type { Calls } from '../calls.ts'
import type { PhoneLines } from '../lines.ts'
import type { MessageLog } from '../message-log.ts'
import { type CarrierRequest, type Served, json } from '../served.ts'
import type { Switchboard } from '../voice/switchboard.ts'
import { createCallbacks } from './callbacks.ts'
import { type Sending, createMessage } from './create-message.ts'
import { incomingCalls } from './incoming-calls.ts'
import { listCarried } from './list-messages.ts'
import { type IncomingNumber, createNumberPlan } from './numbers.ts'
import { placedCalls } from './placed-calls.ts'
import { registrationsOf } from './registrations.ts'
import { fault, resourceOf } from './resource.ts'
import { voiceApi } from './voice.ts'

/**
 * Twilio's API for texts and calls. An account's first request registers it with that request's auth token. From then
 * on, only that token is accepted, and it signs the callbacks. Accounts have every number that they ask for.
 */
export function twilioApi(options: {
  switchboard: Switchboard
  origin: () => string
  calls: Calls
  log: MessageLog
  lines: PhoneLines
  now: () => Date
  deliveryMs: number
}): (request: CarrierRequest) => Served {
  const { log } = options
  const callbacks = createCallbacks(options.calls)
  const tokens = new Map<string, string>()
  const tokenOf = (account: string) => tokens.get(account) ?? ''
  const answer = incomingCalls({ ...options, callbacks, tokenOf })
  const numbers = createNumberPlan({ ...options, callbacks, tokenOf, answer })
  const voice = voiceApi(options.switchboard, placedCalls({ ...options, callbacks, tokenOf }))
  const sending: Sending = { ...options, numbers, callbacks, tokenOf }

  const loginOf = (authorization: string | undefined) =>
    Buffer.from(authorization?.replace(/^Basic /i, '') ?? '', 'base64')
      .toString()
      .split(':', 2)

  /** Whether the request may act for this account. */
  function isAuthentic(account: string, authorization: string | undefined): boolean {
    const [name, token = ''] = loginOf(authorization)
    if (name !== account || token === '' || account === '') return false
    if (!tokens.has(account)) tokens.set(account, token)
    return tokens.get(account) === token
  }

  return (request) => {
    const { method, path, query, form, headers } = request
    const [version, , named = '', resource = '', item, part, file] = path
    const isOfMessaging = version === 'v1'
    const account = isOfMessaging ? (loginOf(headers.authorization)[0] ?? '') : named.replace(/\.json$/, '')
    // Reject browser requests: a page of another site must not act as a program on this machine.
    if (headers.origin !== undefined || !isAuthentic(account, headers.authorization)) return fault(401, 20003)
    if (isOfMessaging) return registrationsOf(path.slice(1), numbers.listOf(account)) ?? fault(404, 20404)
    const isPost = method === 'POST'
    if (resource === '') return json(200, { sid: account, status: 'active' })
    switch (resource) {
      case 'Messages.json':
        return isPost ? createMessage(sending, account, form) : listCarried(log, account, query)
      case 'Messages':
        if (part !== undefined) return media(account, item, { part, file, isDelete: method === 'DELETE' })
        return message(account, item, isPost ? form : undefined)
      case 'IncomingPhoneNumbers.json': {
        const sought = query.get('PhoneNumber')
        const found = sought === null ? [] : [numberResource(numbers.of(account, sought))]
        return json(200, { incoming_phone_numbers: found })
      }
      case 'IncomingPhoneNumbers':
        return incomingNumber(account, item, isPost ? form : undefined)
      default:
        return voice(account, request) ?? fault(404, 20404)
    }
  }

  /** Returns a message, or blanks its body. */
  function message(account: string, item: string | undefined, change?: URLSearchParams): Served {
    const found = log.find(item?.replace(/\.json$/, '') ?? '')
    if (found?.account !== account) return fault(404, 20404)
    if (change !== undefined && change.get('Body') !== '') return fault(400, 20001)
    if (change !== undefined) found.body = ''
    return json(200, resourceOf(found))
  }

  /** Lists the files of a message, redirects to where one is stored, or deletes it. */
  function media(
    account: string,
    item: string | undefined,
    { part, file, isDelete }: { part: string; file: string | undefined; isDelete: boolean },
  ): Served {
    const found = log.find(item ?? '')
    if (found?.account !== account) return fault(404, 20404)
    const files = found.media ?? []
    if (part === 'Media.json')
      return json(200, {
        media_list: files.map(({ id, contentType }) => ({
          sid: id,
          parent_sid: found.id,
          content_type: contentType,
        })),
      })
    const named = files.find(({ id }) => id === file?.replace(/\.json$/, ''))
    if (named === undefined) return fault(404, 20404)
    if (isDelete) {
      found.media = files.filter((one) => one !== named)
      return { status: 204, headers: {}, body: '' }
    }
    return {
      status: 307,
      headers: { location: `${options.origin()}/stored-media/twilio/${named.id}` },
      body: '',
    }
  }

  function incomingNumber(account: string, item: string | undefined, change?: URLSearchParams): Served {
    const found = numbers.bySid(account, item?.replace(/\.json$/, '') ?? '')
    if (found === undefined) return fault(404, 20404)
    found.smsUrl = change?.get('SmsUrl') ?? found.smsUrl
    found.voiceUrl = change?.get('VoiceUrl') ?? found.voiceUrl
    found.statusCallback = change?.get('StatusCallback') ?? found.statusCallback
    return json(200, numberResource(found))
  }
}

const numberResource = ({ sid, account, phoneNumber, smsUrl, voiceUrl, statusCallback }: IncomingNumber) => ({
  sid,
  account_sid: account,
  phone_number: phoneNumber,
  sms_url: smsUrl,
  sms_method: 'POST',
  voice_url: voiceUrl,
  voice_method: 'POST',
  status_callback: statusCallback,
})
