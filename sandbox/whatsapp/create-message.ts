import { type Behavior, behaviorOf } from '../failing-numbers.ts'
import type { PhoneLines } from '../lines.ts'
import type { CarriedMessage, MessageLog } from '../message-log.ts'
import { type Served, json } from '../served.ts'
import type { BusinessNumber } from './number.ts'
import { lineOf, newMessageId } from './numbers.ts'
import { digitsOf, metaFault, statusValue } from './payloads.ts'
import type { Webhooks } from './webhooks.ts'

export interface WhatsAppSending {
  log: MessageLog
  lines: PhoneLines
  webhooks: Webhooks
  now: () => Date
  deliveryMs: number
}

/** The possible content of a request. Nothing is validated yet. */
export interface MessageRequest {
  messaging_product?: unknown
  to?: unknown
  type?: unknown
  biz_opaque_callback_data?: unknown
  text?: { body?: unknown }
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
  deliver(sending, number, message, behavior, draft.biz_opaque_callback_data)
  if (behavior.response === 'reset') return 'reset'
  return json(200, {
    messaging_product: 'whatsapp',
    contacts: [{ input: draft.to, wa_id: digitsOf(to) }],
    messages: [{ id: message.id, message_status: 'accepted' }],
  })
}

/** The message's text. For a template, whose text the carrier doesn't have, its name and variables. */
function wordsOf({ type, text, template }: MessageRequest): string {
  if (type !== 'template') return typeof text?.body === 'string' ? text.body : ''
  const parameters = [template?.components ?? []].flat().flatMap((one) => one.parameters)
  const variables = parameters.map((one) => (one as { text?: unknown } | undefined)?.text)
  return [`[${template?.name}]`, ...variables].join(' · ')
}

function faultIn(draft: MessageRequest, to: string, body: string): number | undefined {
  const { messaging_product, type = 'text', template, biz_opaque_callback_data: data } = draft
  if (messaging_product !== 'whatsapp' || !['text', 'template'].includes(String(type))) return 100
  if (data !== undefined && (typeof data !== 'string' || data.length > 512)) return 100
  if (!/^\+[1-9]\d{6,14}$/.test(to)) return 131009
  if (type === 'template')
    return typeof template?.name === 'string' && typeof template.language?.code === 'string'
      ? undefined
      : 131008
  return body === '' || body.length > 4_096 ? 100 : undefined
}

/** Sends, delivers, and reads the message, each after a delay, or fails it. Webhooks go out one after another. */
function deliver(
  { webhooks, lines, now, deliveryMs }: WhatsAppSending,
  number: BusinessNumber,
  message: CarriedMessage,
  { undelivered, callbacks: manner, writesBack }: Behavior,
  data: unknown,
): void {
  const { id, to } = message
  const failed = undelivered?.whatsapp ?? null
  const statuses = failed === null ? ['sent', 'delivered', 'read'] : ['failed']
  const isReversed = manner === 'doubled and reversed'
  webhooks.run(async () => {
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
    for (const status of isReversed ? statuses.toReversed() : statuses) {
      const one = { id, status, to, at: now(), data, errorCode: failed }
      await webhooks.send(number, statusValue(number, isReversed ? [one, one] : [one]))
      await webhooks.pause(deliveryMs)
    }
  })
}
