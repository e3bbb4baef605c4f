import { isEmail } from '#kernel/schemas.ts'

declare const emailAddress: unique symbol

/** An email address in lower case, under which it is matched. `toEmailAddress` makes one. */
export type EmailAddress = string & { readonly [emailAddress]: true }

/** Returns undefined for what cannot be an email address. */
export function toEmailAddress(text: string): EmailAddress | undefined {
  const trimmed = text.trim()
  return isEmail(trimmed) ? (trimmed.toLowerCase() as EmailAddress) : undefined
}
