import type { Calls } from '../calls.ts'
import { type Behavior, behaviorOf } from '../failing-numbers.ts'
import { fetchSentMedia } from '../fetch-media.ts'
import type { PhoneLines } from '../lines.ts'
import type { CarriedMessage, MessageLog } from '../message-log.ts'
import { type Served, json } from '../served.ts'
import type { Callbacks } from './callbacks.ts'
import { type NumberPlan, newSid } from './numbers.ts'
import { fault, resourceOf } from './resource.ts'

export interface Sending {
  calls: Calls
  log: MessageLog
  lines: PhoneLines
  numbers: NumberPlan
  callbacks: Callbacks
  now: () => Date
  deliveryMs: number
  tokenOf: (account: string) => string
}

/** Takes or rejects a message, depending on its recipient's number. */
export function createMessage(sending: Sending, account: string, form: URLSearchParams): Served {
  const [from, to, body] = ['From', 'To', 'Body'].map((name) => form.get(name) ?? '') as [
    string,
    string,
    string,
  ]
  const code = faultIn(form, from, to, body)
  if (code !== undefined) return fault(400, code, { from, to })
  const behavior = behaviorOf(to)
  if (behavior.rejected) return fault(...behavior.rejected.twilio, { from, to })
  if (behavior.response === 'hang') return 'hang'
  const message: CarriedMessage = {
    id: newSid(form.has('MediaUrl') ? 'MM' : 'SM'),
    account,
    direction: 'outbound',
    from,
    to,
    body,
    status: 'queued',
    errorCode: null,
    createdAt: sending.now(),
    sentAt: null,
  }
  sending.log.add(message)
  // Lets the handset write back.
  sending.numbers.of(account, from)
  deliver(sending, message, behavior, {
    callback: form.get('StatusCallback'),
    mediaUrls: form.getAll('MediaUrl'),
  })
  return behavior.response === 'reset' ? 'reset' : json(201, resourceOf(message))
}

function faultIn(form: URLSearchParams, from: string, to: string, body: string): number | undefined {
  const validity = Number(form.get('ValidityPeriod') ?? 36_000)
  if (!/^\+[1-9]\d{6,14}$/.test(to)) return 21211
  if (!/^(\+[1-9]\d{6,14}|\d{5,6})$/.test(from)) return 21212
  if (body === '' && !form.has('MediaUrl')) return 21602
  if (form.getAll('MediaUrl').length > 10) return 21623
  if (body.length > 1_600) return 21617
  if (!Number.isInteger(validity) || validity < 1 || validity > 36_000) return 21624
  const callback = form.get('StatusCallback')
  return callback === null || /^https?:\/\//.test(callback) ? undefined : 21609
}

/** Sends and then delivers the message, each after a delay. Status callbacks go out one after another. */
function deliver(
  { calls, callbacks, lines, now, deliveryMs, tokenOf }: Sending,
  message: CarriedMessage,
  { undelivered, callbacks: manner, writesBack }: Behavior,
  { callback, mediaUrls }: { callback: string | null; mediaUrls: readonly string[] },
): void {
  const { account, from, to, id } = message
  const isReversed = manner === 'doubled and reversed'
  // A message whose files cannot be read is not delivered.
  const fetched = fetchSentMedia(calls, mediaUrls).then((files) => {
    message.media = (files ?? []).map((one) => ({ id: newSid('ME'), ...one }))
    const errorCode = files === undefined ? 11_200 : (undelivered?.twilio ?? null)
    return { errorCode, statuses: ['queued', 'sent', errorCode === null ? 'delivered' : 'undelivered'] }
  })
  const parametersOf = (status: string, errorCode: number | null) => ({
    AccountSid: account,
    ApiVersion: '2010-04-01',
    From: from,
    MessageSid: id,
    MessageStatus: status,
    SmsSid: id,
    SmsStatus: status,
    To: to,
    ...(status === 'undelivered' && { ErrorCode: String(errorCode) }),
  })
  callbacks.run(async () => {
    const { errorCode, statuses } = await fetched
    for (const status of statuses) {
      message.status = status
      if (status === 'sent') message.sentAt = now()
      if (status === 'undelivered') message.errorCode = errorCode
      await callbacks.pause(deliveryMs)
    }
    if (writesBack !== undefined) lines.get(from)?.receive({ from: to, to: from, body: writesBack })
  })
  if (callback === null || manner === 'none') return
  callbacks.run(async () => {
    const { errorCode, statuses } = await fetched
    const reported = isReversed ? statuses.toReversed().flatMap((one) => [one, one]) : statuses
    for (const status of reported) {
      await callbacks.send(callback, parametersOf(status, errorCode), tokenOf(account))
      await callbacks.pause(deliveryMs)
    }
  })
}
