import type { TSchema } from 'typebox'
import { maskDeep } from './mask-deep.ts'
import { maskEmail } from './mask-email.ts'
import { maskPhone } from './mask-phone.ts'
import { maskText } from './mask-text.ts'

type Mask = (value: unknown) => unknown

/** Masks a text by its format, and any other value by what it looks like. */
const form =
  (mask: (text: string) => string): Mask =>
  (value) =>
    typeof value === 'string' ? mask(value) : maskDeep(value)

const inIt = 'Phone numbers and email addresses in it are masked'

/** The ways to mask a value, and how the API reference describes each. */
export const ways = {
  phone: { mask: form(maskPhone), sentence: 'Masked' },
  email: { mask: form(maskEmail), sentence: 'Masked' },
  /** Free text, or any JSON that contains text, including in member names. */
  text: { mask: maskDeep as Mask, sentence: inIt },
  /** The nine digits of a ZIP code are not a phone number. */
  postal_code: {
    mask: form((text) => (/^\d{5}-\d{4}$/.test(text) ? text : maskText(text))),
    sentence: inIt,
  },
  /** A time as another system wrote it. A number is a time; a text can contain anything. */
  time: {
    mask: ((value) => (typeof value === 'number' && value > 0 ? value : maskDeep(value))) as Mask,
    sentence: inIt,
  },
  /** A value that cannot be shown in part. Its schema must be nullable. */
  hidden: { mask: (() => null) as Mask, sentence: 'Null' },
}

export type Way = keyof typeof ways

/** A schema annotated with the way its values are masked, as `x-masked`. */
export interface Annotated {
  'x-masked'?: Way
}

/**
 * Marks a schema's values as masked. In responses, they are masked for credentials that may not see personal data; in
 * events, for everyone. Such a credential cannot send a mask in a request body. Null stays null.
 */
export const masked = <S extends TSchema>(way: Way, schema: S): S => ({ ...schema, 'x-masked': way })
