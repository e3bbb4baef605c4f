import { type EmailAddress, toEmailAddress } from './email.ts'
import { formsInUse } from './number-forms.ts'
import { type E164, toDialable, toE164 } from './phone.ts'

/** A normalized phone number or email address at which a person can be reached. */
export type Point = { type: 'phone'; value: E164 } | { type: 'email'; value: EmailAddress }

export type ContactPoint = Point & {
  contact_id: string
  /** `contact`: the contact's own phone or email. `lead`: it only came with the contact's leads. */
  source: 'contact' | 'lead'
  /** When the contact stopped having this point; null while it is current. */
  former_since: string | null
  /**
   * Whether the point belongs to another contact. A current point does if it only came with this contact's leads and is
   * another contact's own; a former point does if another contact has it now.
   */
  elsewhere: boolean
}

/** Normalizes a phone and an email to points. Skips a text that is not a valid number or address. */
export function pointsOf({ phone, email }: { phone: string | null; email: string | null }): Point[] {
  const number = phone === null ? undefined : toE164(phone)
  const address = email === null ? undefined : toEmailAddress(email)
  return [
    ...(number === undefined ? [] : formsInUse(number).map((value) => ({ type: 'phone' as const, value }))),
    ...(address === undefined ? [] : [{ type: 'email' as const, value: address }]),
  ]
}

/**
 * The point at which a message on this channel reaches a contact; undefined if there is none. A phone that is not
 * a number is its own text, so that the gates judge what is sent there: `recipient_invalid`.
 */
export function pointFor(
  { phone, email }: { phone: string | null; email: string | null },
  channel: 'SMS' | 'WHATSAPP' | 'EMAIL',
): Point | undefined {
  const number =
    channel === 'EMAIL' || phone === null ? undefined : (toDialable(phone) ?? (phone.trim() as E164))
  if (number !== undefined) return { type: 'phone', value: number }
  const address = channel !== 'EMAIL' || email === null ? undefined : toEmailAddress(email)
  return address && { type: 'email', value: address }
}
