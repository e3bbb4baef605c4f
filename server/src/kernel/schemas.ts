import { type Static, type TSchema, Type } from 'typebox'
import Format from 'typebox/format'

/** The contract's email addresses: no leading dot, no two dots in a row, a domain that ends in two letters or more. */
export const emailPattern =
  "^(?!\\.)(?!.*\\.\\.)[A-Za-z0-9_'+.-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\\.)+[A-Za-z]{2,}$"

const email = new RegExp(emailPattern)

/** Whether this is an email address by the contract. It is ASCII, so its case is folded alike everywhere. */
export const isEmail = (text: string): boolean => text.length <= 254 && email.test(text)
Format.Set('email', isEmail)

export const Email = Type.String({ format: 'email', description: 'At most 254 characters.' })

/** The schema, or null. One type list instead of alternatives, so that an issue is reported once and plainly. */
export const nullable = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: [(schema as { type?: string }).type ?? 'string', 'null'] })

export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, milliseconds.' })

/** The pattern of a text without line breaks and tabs. */
export const oneLine = '^[^\\n\\t]*$'

/** The response to a deletion. */
export const Removal = Type.Object({ id: Type.String(), deleted: Type.Boolean() }, { title: 'Removal' })

Format.Set('uri', (text) => URL.canParse(text) && !/\s/.test(text))

/** An absolute address of any scheme. */
export const Uri = (options: { maxLength: number; description: string }) =>
  Type.String({ format: 'uri', ...options })
