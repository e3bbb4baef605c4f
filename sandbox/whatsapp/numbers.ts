import { randomBytes } from 'node:crypto'
import type { PhoneLines } from '../lines.ts'
import type { MessageLog } from '../message-log.ts'
import type { BusinessNumber } from './number.ts'
import { inboundValue } from './payloads.ts'
import type { Webhooks } from './webhooks.ts'

export type BusinessNumbers = (id: string, token: string) => BusinessNumber | undefined

export const newMessageId = (): string => `wamid.${randomBytes(36).toString('base64url')}`

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

  function receive(number: BusinessNumber, from: string, body: string): void {
    const at = now()
    const id = newMessageId()
    log.add({
      id,
      account: number.id,
      direction: 'inbound',
      from,
      to: lineOf(number.id),
      body,
      status: 'received',
      errorCode: null,
      createdAt: at,
      sentAt: at,
    })
    webhooks.run(() => webhooks.send(number, inboundValue(number, { id, from, body, at })))
  }

  return (id, token) => {
    if (!/^\d{5,40}$/.test(id) || token === '') return undefined
    const key = `${id} ${token}`
    const number = numbers.get(key) ?? { id, token, url: '' }
    numbers.set(key, number)
    lines.set(lineOf(id), { receive: ({ from, body }) => receive(number, from, body) })
    return number
  }
}
