import { isEmail } from '#kernel/schemas.ts'

declare const emailAddress: unique symbol

/** A lowercase email address, used for matching. Create one with `toEmailAddress`. */
export type EmailAddress = string & { readonly [emailAddress]: true }

/** Returns undefined for text that is not a valid email address. */
export function toEmailAddress(text: string): EmailAddress | undefined {
  const trimmed = text.trim()
  return isEmail(trimmed) ? (trimmed.toLowerCase() as EmailAddress) : undefined
}
