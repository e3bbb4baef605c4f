import type { Calls } from '../calls.ts'
import { type Behavior, behaviorOf } from '../failing-numbers.ts'
import { fetchSentMedia } from '../fetch-media.ts'
import type { PhoneLines } from '../lines.ts'
import type { CarriedMessage, MessageLog } from '../message-log.ts'
import { type Served, json } from '../served.ts'
import type { BusinessNumber } from './number.ts'
import { lineOf, newMediaId, newMessageId } from './numbers.ts'
import { digitsOf, metaFault, statusValue } from './payloads.ts'
import type { Webhooks } from './webhooks.ts'

export interface WhatsAppSending {
  calls: Calls
  log: MessageLog
  lines: PhoneLines
  webhooks: Webhooks
  now: () => Date
  deliveryMs: number
}

interface SentFile {
  link?: unknown
  caption?: unknown
  filename?: unknown
}

/** The possible content of a request. Nothing is validated yet. */
export interface MessageRequest {
  messaging_product?: unknown
  to?: unknown
  type?: unknown
  biz_opaque_callback_data?: unknown
  text?: { body?: unknown }
  image?: SentFile
  document?: SentFile
  template?: { name?: unknown; language?: { code?: unknown }; components?: { parameters?: unknown }[] }
}

/** Takes or rejects a message, depending on its recipient's number. */
export function createWhatsAppMessage(
  sending: WhatsAppSending,
  number: BusinessNumber,
  draft: MessageRequest,
): Served {
  const to = `+${digitsOf(String(draft.to))}`
  const body = wordsOf(draft)
  const code = faultIn(draft, to, body)
  if (code !== undefined) return metaFault(400, code, `${to}: ${body}`)
  const behavior = behaviorOf(to)
  if (behavior.rejected) return metaFault(...behavior.rejected.whatsapp, to)
  if (behavior.response === 'hang') return 'hang'
  const message: CarriedMessage = {
    id: newMessageId(),
    account: number.id,
    direction: 'outbound',
    from: lineOf(number.id),
    to,
    body,
    status: 'accepted',
    errorCode: null,
    createdAt: sending.now(),
    sentAt: null,
  }
  sending.log.add(message)
  deliver(sending, number, message, behavior, { data: draft.biz_opaque_callback_data, link: linkOf(draft) })
  if (behavior.response === 'reset') return 'reset'
  return json(200, {
    messaging_product: 'whatsapp',
    contacts: [{ input: draft.to, wa_id: digitsOf(to) }],
    messages: [{ id: message.id, message_status: 'accepted' }],
  })
}

/** The message's text. For a template, whose text the carrier doesn't have, its name and variables. */
function wordsOf({ type, text, template, ...files }: MessageRequest): string {
  if (type === 'image' || type === 'document') return String(files[type]?.caption ?? '')
  if (type !== 'template') return typeof text?.body === 'string' ? text.body : ''
  const parameters = [template?.components ?? []].flat().flatMap((one) => one.parameters)
  const variables = parameters.map((one) => (one as { text?: unknown } | undefined)?.text)
  return [`[${template?.name}]`, ...variables].join(' · ')
}

const linkOf = ({ type, ...files }: MessageRequest): string | undefined =>
  type === 'image' || type === 'document' ? String(files[type]?.link) : undefined

function faultIn(draft: MessageRequest, to: string, body: string): number | undefined {
  const { messaging_product, type = 'text', template, biz_opaque_callback_data: data } = draft
  if (messaging_product !== 'whatsapp' || !['text', 'template', 'image', 'document'].includes(String(type)))
    return 100
  if (data !== undefined && (typeof data !== 'string' || data.length > 512)) return 100
  if (!/^\+[1-9]\d{6,14}$/.test(to)) return 131009
  if (type === 'template')
    return typeof template?.name === 'string' && typeof template.language?.code === 'string'
      ? undefined
      : 131008
  if (type === 'image' || type === 'document')
    return /^https?:\/\//.test(linkOf(draft) ?? '') && body.length <= 1_024 ? undefined : 131008
  return body === '' || body.length > 4_096 ? 100 : undefined
}

/** Sends, delivers, and reads the message, each after a delay, or fails it. Webhooks go out one after another. */
function deliver(
  { calls, webhooks, lines, now, deliveryMs }: WhatsAppSending,
  number: BusinessNumber,
  message: CarriedMessage,
  { undelivered, callbacks: manner, writesBack }: Behavior,
  { data, link }: { data: unknown; link: string | undefined },
): void {
  const { id, to } = message
  // A message whose file cannot be read fails.
  const fetched = fetchSentMedia(calls, link === undefined ? [] : [link]).then((files) => {
    message.media = (files ?? []).map((one) => ({ id: newMediaId(), ...one }))
    const failed = files === undefined ? 131_053 : (undelivered?.whatsapp ?? null)
    return { failed, statuses: failed === null ? ['sent', 'delivered', 'read'] : ['failed'] }
  })
  const isReversed = manner === 'doubled and reversed'
  webhooks.run(async () => {
    const { failed, statuses } = await fetched
    for (const status of statuses) {
      message.status = status
      message.errorCode = failed
      message.sentAt ??= now()
      await webhooks.pause(deliveryMs)
    }
    if (writesBack !== undefined)
      lines.get(lineOf(number.id))?.receive({ from: to, to: '', body: writesBack })
  })
  if (manner === 'none') return
  webhooks.run(async () => {
    const { failed, statuses } = await fetched
    for (const status of isReversed ? statuses.toReversed() : statuses) {
      const one = { id, status, to, at: now(), data, errorCode: failed }
      await webhooks.send(number, statusValue(number, isReversed ? [one, one] : [one]))
      await webhooks.pause(deliveryMs)
    }
  })
}
