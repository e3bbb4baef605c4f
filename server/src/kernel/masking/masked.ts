import type { TSchema } from 'typebox'
import { maskDeep } from './mask-deep.ts'
import { maskEmail } from './mask-email.ts'
import { maskPhone } from './mask-phone.ts'
import { maskText } from './mask-text.ts'

type Mask = (value: unknown) => unknown

/** A text by its form; anything else by what it looks like. */
const form =
  (mask: (text: string) => string): Mask =>
  (value) =>
    typeof value === 'string' ? mask(value) : maskDeep(value)

const inIt = 'Phone numbers and email addresses in it are masked'

/** How a value can be masked, and what the API reference says of it. */
export const ways = {
  phone: { mask: form(maskPhone), sentence: 'Masked' },
  email: { mask: form(maskEmail), sentence: 'Masked' },
  /** Free text, or any JSON with texts in it, in names of members too. */
  text: { mask: maskDeep as Mask, sentence: inIt },
  /** The nine digits of a ZIP code are no phone number. */
  postal_code: {
    mask: form((text) => (/^\d{5}-\d{4}$/.test(text) ? text : maskText(text))),
    sentence: inIt,
  },
  /** A time as another system wrote it: a number is one, a text can hold anything. */
  time: {
    mask: ((value) => (typeof value === 'number' && value > 0 ? value : maskDeep(value))) as Mask,
    sentence: inIt,
  },
  /** What cannot be shown in part. The schema is nullable. */
  hidden: { mask: (() => null) as Mask, sentence: 'Null' },
}

export type Way = keyof typeof ways

/** A schema with the way in which its values are masked, as `x-masked`. */
export interface Annotated {
  'x-masked'?: Way
}

/**
 * The schema of values that are masked: in responses to a credential that does not see personal data, and in events for
 * everyone. In a body, such a credential cannot send a mask. Null stays null.
 */
export const masked = <S extends TSchema>(way: Way, schema: S): S => ({ ...schema, 'x-masked': way })
