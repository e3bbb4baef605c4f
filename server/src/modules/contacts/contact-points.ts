import { type EmailAddress, toEmailAddress } from './email.ts'
import { type E164, toDialable, toE164 } from './phone.ts'

/** A number or an address at which a person can be reached, in its normalized form. */
export type Point = { type: 'phone'; value: E164 } | { type: 'email'; value: EmailAddress }

/** A point of a contact. */
export type ContactPoint = Point & {
  contact_id: string
  /** The contact's own phone or email, or one that only its leads brought. */
  source: 'contact' | 'lead'
  /** When the contact stopped having it; null for a present one. */
  former_since: string | null
  /**
   * Whether it belongs to another contact: a present one is another's own phone or email and only came with this contact's
   * leads; a former one is some other contact's now.
   */
  elsewhere: boolean
}

/** The points of a phone and an email as they were written; none for a text that is neither. */
export function pointsOf({ phone, email }: { phone: string | null; email: string | null }): Point[] {
  const number = phone === null ? undefined : toE164(phone)
  const address = email === null ? undefined : toEmailAddress(email)
  return [
    ...(number === undefined ? [] : [{ type: 'phone' as const, value: number }]),
    ...(address === undefined ? [] : [{ type: 'email' as const, value: address }]),
  ]
}

/** Where a message on this channel reaches a contact; undefined if nowhere. */
export function pointFor(
  { phone, email }: { phone: string | null; email: string | null },
  channel: 'SMS' | 'WHATSAPP' | 'EMAIL',
): Point | undefined {
  const number = channel === 'EMAIL' || phone === null ? undefined : toDialable(phone)
  if (number !== undefined) return { type: 'phone', value: number }
  const address = channel !== 'EMAIL' || email === null ? undefined : toEmailAddress(email)
  return address && { type: 'email', value: address }
}
