import { type Email, addressParser } from 'postal-mime'
import { mailLimits } from './mail-limits.ts'

type Headers = Pick<Email, 'headers'>

/** All values of a header, in order of appearance. */
export const headerValues = ({ headers }: Headers, name: string): string[] =>
  headers.filter(({ key }) => key === name).map(({ value }) => value)

/** The addresses in these headers, without names. */
const addressesIn = (mail: Headers, ...names: string[]): string[] =>
  names
    .flatMap((name) => headerValues(mail, name))
    .flatMap((value) => addressParser(value, { flatten: true }).flatMap(({ address }) => address ?? []))
    .filter((address) => address.length <= 320)

/** The recipients in the headers, including the envelope recipient, for which mail servers use different headers. */
export const recipientsOf = (mail: Headers): string[] =>
  [
    ...new Set(
      addressesIn(mail, 'delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to', 'to', 'cc'),
    ),
  ].slice(0, mailLimits.recipients)

/** The author, or undefined unless there is exactly one. */
export function authorOf(mail: Headers): { address: string; name: string } | undefined {
  const [value, another] = headerValues(mail, 'from')
  if (value === undefined || another !== undefined) return undefined
  const [author, second] = addressParser(value, { flatten: true })
  if (second !== undefined || !author?.address || author.address.length > 320) return undefined
  return { address: author.address, name: author.name }
}

const messageId = /<[^<>\s]{3,250}>/g

export const messageIdOf = (mail: Headers): string | undefined =>
  headerValues(mail, 'message-id').flatMap((value) => value.match(messageId) ?? [])[0]

/** The Message-IDs that the mail responds to, nearest first. */
export function respondedTo(mail: Headers): string[] {
  const idsIn = (name: string) => headerValues(mail, name).flatMap((value) => value.match(messageId) ?? [])
  const all = [...idsIn('in-reply-to'), ...idsIn('references').toReversed()]
  return [...new Set(all)].slice(0, mailLimits.references)
}

/**
 * Whether a machine sent the mail: it is marked as automatic (RFC 3834), comes from a list or in bulk, is a report, has
 * an empty Return-Path, or comes from a mail system's address.
 */
export function isAutomatic(mail: Headers): boolean {
  const first = (name: string) => headerValues(mail, name)[0]?.trim().toLowerCase()
  const submitted = first('auto-submitted')
  if (submitted !== undefined && !/^no\b/.test(submitted)) return true
  if (/^(bulk|list|junk|auto_reply)\b/.test(first('precedence') ?? '')) return true
  if (/^<\s*>$/.test(first('return-path') ?? '')) return true
  const contentType = first('content-type') ?? ''
  if (contentType.startsWith('multipart/report')) return true
  return ofMachines.some((name) => first(name) !== undefined) || ofSystem.test(authorOf(mail)?.address ?? '')
}

const ofMachines = [
  'list-id',
  'list-post',
  'list-unsubscribe',
  'x-autoreply',
  'x-autorespond',
  'x-autoresponder',
  'x-autoreply-from',
]

const ofSystem = /^(mailer-daemon|postmaster)@/i
