import { randomBytes } from 'node:crypto'
import type { PhoneLines } from '../lines.ts'
import type { MessageLog, SentMedia } from '../message-log.ts'
import type { Callbacks } from './callbacks.ts'

/** An account's number. */
export interface IncomingNumber {
  sid: string
  account: string
  phoneNumber: string
  /** The webhook for received texts; empty until the account sets it. */
  smsUrl: string
  /** The webhooks for incoming calls and for their end. */
  voiceUrl: string
  statusCallback: string
}

export interface NumberPlan {
  /**
   * The account's number. An account has every number that it asks for. If several accounts share a number, the last
   * one to ask receives.
   */
  of(account: string, phoneNumber: string): IncomingNumber
  bySid(account: string, sid: string): IncomingNumber | undefined
  /** The numbers that the account has asked for. */
  listOf(account: string): IncomingNumber[]
}

export const newSid = (prefix: string): string => prefix + randomBytes(16).toString('hex')

export function createNumberPlan({
  log,
  lines,
  callbacks,
  now,
  tokenOf,
  answer,
  origin,
}: {
  origin: () => string
  log: MessageLog
  lines: PhoneLines
  callbacks: Callbacks
  now: () => Date
  tokenOf: (account: string) => string
  /** Handles a handset's call to the number. */
  answer: (number: IncomingNumber, from: string) => void
}): NumberPlan {
  const numbers = new Map<string, IncomingNumber>()

  /**
   * Stores a handset's message and calls the account's webhook. Without a webhook, the account can only find the
   * message in the list.
   */
  function receive(
    number: IncomingNumber,
    from: string,
    body: string,
    sent: readonly SentMedia[] = [],
  ): void {
    const { account, phoneNumber: to, smsUrl } = number
    const at = now()
    const id = newSid(sent.length > 0 ? 'MM' : 'SM')
    const media = sent.map((one) => ({ id: newSid('ME'), ...one }))
    log.add({
      id,
      account,
      direction: 'inbound',
      from,
      to,
      body,
      media,
      status: 'received',
      errorCode: null,
      createdAt: at,
      sentAt: at,
    })
    if (smsUrl === '') return
    const parameters = {
      AccountSid: account,
      ApiVersion: '2010-04-01',
      Body: body,
      From: from,
      MessageSid: id,
      NumMedia: String(media.length),
      NumSegments: '1',
      SmsMessageSid: id,
      SmsSid: id,
      SmsStatus: 'received',
      To: to,
      ...Object.fromEntries(
        media.flatMap((one, index) => [
          [`MediaUrl${index}`, `${origin()}/2010-04-01/Accounts/${account}/Messages/${id}/Media/${one.id}`],
          [`MediaContentType${index}`, one.contentType],
        ]),
      ),
    }
    callbacks.run(async () => void (await callbacks.send(smsUrl, parameters, tokenOf(account))))
  }

  return {
    of(account, phoneNumber) {
      const key = `${account} ${phoneNumber}`
      const urls = { smsUrl: '', voiceUrl: '', statusCallback: '' }
      const number = numbers.get(key) ?? { sid: newSid('PN'), account, phoneNumber, ...urls }
      numbers.set(key, number)
      lines.set(phoneNumber, {
        ...lines.get(phoneNumber),
        receive: ({ from, body, media }) => receive(number, from, body, media),
        call: (from) => answer(number, from),
      })
      return number
    },
    listOf: (account) => [...numbers.values()].filter((one) => one.account === account),
    bySid: (account, sid) => [...numbers.values()].find((one) => one.sid === sid && one.account === account),
  }
}
