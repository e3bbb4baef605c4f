import { type Attachment, type Email, addressParser } from 'postal-mime'
import type { Failure, FailureCode, MailReport } from '../../modules/messages/ports.ts'
import { headerValues, recipientsOf } from './mail-headers.ts'
import { withoutAddresses } from './smtp-outcome.ts'

/**
 * Reads a delivery report (RFC 3464) or a complaint (RFC 5965); returns undefined for other mail. A report's claims
 * about whom it concerns are not trusted. The addresses returned are its own recipients and the envelope addresses of
 * the original mail.
 */
export function mailReportOf(mail: Email, at: Date | null): MailReport | undefined {
  if (!/^\s*multipart\/report\b/i.test(headerValues(mail, 'content-type')[0] ?? '')) return undefined
  const addresses = [...recipientsOf(mail), ...envelopeOfOriginal(mail.attachments)]
  const complaint = partOf(mail.attachments, /^message\/feedback-report$/)
  if (complaint !== undefined) {
    const [fields = new Map()] = fieldGroups(complaint)
    const all = [...addresses, ...addressesOf(fields.get('original-mail-from') ?? '')]
    return complaintTypes.test(fields.get('feedback-type') ?? '')
      ? { kind: 'complaint', addresses: all, failure: null, at }
      : undefined
  }
  const delivery = partOf(mail.attachments, /^message\/(global-)?delivery-status$/)
  return delivery === undefined ? undefined : deliveryReport(delivery, addresses, at)
}

/** Other types of feedback, such as `not-spam`, are not complaints. */
const complaintTypes = /^(abuse|fraud|virus|other|opt-out)\b/i

/** Uses the first group with an action: each attempt has one recipient. */
function deliveryReport(text: string, addresses: string[], at: Date | null): MailReport | undefined {
  const fields = fieldGroups(text).find((group) => group.has('action'))
  const kind = kinds[fields?.get('action')?.toLowerCase() ?? '']
  if (fields === undefined || kind === undefined) return undefined
  const status = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(fields.get('status') ?? '')?.[0] ?? null
  const words = (fields.get('diagnostic-code') ?? '').replace(/^[\w-]+\s*;\s*/, '')
  const failure = kind === 'delivered' ? null : failureOf(status, words)
  return { kind, addresses, failure, at }
}

const kinds: Readonly<Record<string, MailReport['kind']>> = {
  failed: 'bounced',
  delayed: 'delayed',
  delivered: 'delivered',
}

/** The failure by enhanced status code (RFC 3463). */
function failureOf(status: string | null, words: string): Failure {
  const found = codes.find(([pattern]) => pattern.test(status ?? ''))
  return {
    code: found?.[1] ?? 'rejected',
    carrierCode: status,
    message: withoutAddresses(words).trim() || 'The mail server gives no reason.',
  }
}

const codes: readonly [RegExp, FailureCode][] = [
  // 5.1.7 and 5.1.8 concern the sender's address.
  [/^5\.1\.(0|1|2|3|4|6|10)$/, 'recipient_invalid'],
  [/^[45]\.7\./, 'filtered'],
  [/^[45]\.[234]\.|^4\./, 'recipient_unreachable'],
]

/**
 * The fields of a report, with lowercase names, in one map per block of lines: the message's own fields first, then
 * each recipient's.
 */
function fieldGroups(text: string): Map<string, string>[] {
  const unfolded = text.replaceAll('\r\n', '\n').replaceAll(/\n[ \t]+/g, ' ')
  return unfolded
    .split(/\n\s*\n/)
    .slice(0, maxGroups)
    .map((group) => {
      const fields = new Map<string, string>()
      for (const line of group.split('\n')) {
        const colon = line.indexOf(':')
        const name = line.slice(0, colon).trim().toLowerCase()
        if (colon > 0 && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim())
      }
      return fields
    })
}

const maxGroups = 20
const maxReport = 64 * 1024

function partOf(attachments: readonly Attachment[], type: RegExp): string | undefined {
  const part = attachments.find(({ mimeType }) => type.test(mimeType))
  if (part === undefined) return undefined
  const { content } = part
  return typeof content === 'string'
    ? content.slice(0, maxReport)
    : new TextDecoder().decode(new Uint8Array(content).subarray(0, maxReport))
}

/** The Return-Path of the original mail: its envelope sender. */
function envelopeOfOriginal(attachments: readonly Attachment[]): string[] {
  const original = partOf(
    attachments,
    /^(message\/(rfc822|global)|text\/rfc822-headers|message\/global-headers)$/,
  )
  const [head = new Map<string, string>()] = fieldGroups(original ?? '')
  return addressesOf(head.get('return-path') ?? '')
}

const addressesOf = (text: string): string[] =>
  addressParser(text, { flatten: true }).flatMap(({ address }) => address ?? [])
