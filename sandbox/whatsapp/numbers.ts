import { randomBytes } from 'node:crypto'
import type { PhoneLines } from '../lines.ts'
import type { MessageLog, SentMedia } from '../message-log.ts'
import type { BusinessNumber } from './number.ts'
import { inboundValue } from './payloads.ts'
import type { Webhooks } from './webhooks.ts'

export type BusinessNumbers = (id: string, token: string) => BusinessNumber | undefined

export const newMessageId = (): string => `wamid.${randomBytes(36).toString('base64url')}`

export const newMediaId = (): string => randomBytes(8).readBigUInt64BE().toString()

/** The account's address in a conversation, for handsets. */
export const lineOf = (id: string): string => `whatsapp:+${id}`

export interface Surroundings {
  log: MessageLog
  lines: PhoneLines
  webhooks: Webhooks
  now: () => Date
}

/**
 * Numbers by ID and token. Each token is an account, which has every number that it asks for. If several accounts share
 * a number, the last one to ask receives. Returns undefined for an invalid ID or without a token.
 */
export function createNumbers({ log, lines, webhooks, now }: Surroundings): BusinessNumbers {
  const numbers = new Map<string, BusinessNumber>()

  /** Each file is a message of its own. The words are the caption of the first. */
  function receive(
    number: BusinessNumber,
    from: string,
    body: string,
    sent: readonly SentMedia[] = [],
  ): void {
    if (sent.length === 0) return receiveOne(number, from, body)
    for (const [index, one] of sent.entries()) receiveOne(number, from, index === 0 ? body : '', one)
  }

  function receiveOne(number: BusinessNumber, from: string, body: string, sent?: SentMedia): void {
    const at = now()
    const id = newMessageId()
    const media = sent === undefined ? [] : [{ id: newMediaId(), ...sent }]
    log.add({
      id,
      account: number.id,
      direction: 'inbound',
      from,
      to: lineOf(number.id),
      body,
      media,
      status: 'received',
      errorCode: null,
      createdAt: at,
      sentAt: at,
    })
    webhooks.run(() => webhooks.send(number, inboundValue(number, { id, from, body, at, media: media[0] })))
  }

  return (id, token) => {
    if (!/^\d{5,40}$/.test(id) || token === '') return undefined
    const key = `${id} ${token}`
    const number = numbers.get(key) ?? { id, token, url: '' }
    numbers.set(key, number)
    lines.set(lineOf(id), { receive: ({ from, body, media }) => receive(number, from, body, media) })
    return number
  }
}
