import type { Ctx } from '#kernel/context.ts'
import { ReferenceNotFound, ValidationFailed } from '#kernel/errors.ts'
import { maskPhone } from '#kernel/masking/mask-phone.ts'
import { maskText } from '#kernel/masking/mask-text.ts'
import {
  type Contact,
  type ContactPoint,
  type Point,
  findContact,
  listContactPoints,
  pointFor,
  toDialable,
  toE164,
  toEmailAddress,
} from '../contacts/public.ts'

/** The recipient of a message: the number or address, and the contact that the caller named. */
export interface MessageRecipient {
  to: Point
  contact: Contact | undefined
}

/**
 * Finds the recipient of a message or call. Throws 400 for an invalid number or address, and for one that is not the
 * contact's; 404 for a contact out of reach. A credential that sees only masked values names a contact's number by its
 * mask alone, if the number is `isFromCaller`.
 */
export async function findRecipient(
  ctx: Ctx,
  { channel, to, contact_id }: { channel: string; to: string; contact_id?: string | undefined },
  isFromCaller: boolean,
): Promise<MessageRecipient> {
  const type = channel === 'email' ? 'email' : 'phone'
  if (contact_id === undefined) return { to: pointOf(type, to), contact: undefined }
  const [contact, points] = await Promise.all([
    findContact(ctx.db, contact_id),
    listContactPoints(ctx.unrestricted().db, { contactIds: [contact_id], points: [] }),
  ])
  if (contact === undefined) throw ReferenceNotFound('contact_id')
  const own = points.filter((one) => one.type === type && one.former_since === null)
  // A check of a whole number would reveal to a credential that sees only masks whether it guessed the number.
  const mayGuess = isFromCaller && ctx.masked && contact.erased_at === null
  // A phone that is no number is no point of the contact, but the gates judge what is sent there, too.
  const written = type === 'phone' ? pointFor(contact, 'SMS') : undefined
  if (written !== undefined && toE164(written.value) === undefined) {
    const named = mayGuess ? maskPhone(contact.phone ?? '') : written.value
    if (named === (mayGuess ? undefined : toDialable(to)) || named === to.trim())
      return { to: written, contact }
  }
  const point = mayGuess ? behindMask(own, to) : pointOf(type, to)
  // There is nothing left to compare for an erased contact, and the gates block the send.
  if (contact.erased_at === null && !own.some(({ value }) => value === point.value))
    throw ValidationFailed([
      {
        path: 'to',
        message: `is not ${type === 'email' ? 'an email address' : 'a phone number'} of this contact`,
      },
    ])
  return { to: { type, value: point.value } as Point, contact }
}

/**
 * The point that a mask stands for. The contact's own points come before those that only its leads brought. Throws 400
 * if none or several match.
 */
function behindMask(points: readonly ContactPoint[], mask: string): ContactPoint {
  const fitting = points.filter(({ value }) => maskText(value) === mask.trim())
  const own = fitting.filter(({ source }) => source === 'contact')
  const [only, another] = own.length > 0 ? own : fitting
  if (only === undefined)
    throw ValidationFailed([
      { path: 'to', message: 'is not a number or address as you see it in this contact' },
    ])
  if (another === undefined) return only
  throw ValidationFailed([{ path: 'to', message: 'matches several numbers of this contact' }])
}

function pointOf(type: Point['type'], text: string): Point {
  const value = type === 'email' ? toEmailAddress(text) : toDialable(text)
  if (value !== undefined) return { type, value } as Point
  throw ValidationFailed([
    { path: 'to', message: `is not ${type === 'email' ? 'an email address' : 'a phone number'}` },
  ])
}
