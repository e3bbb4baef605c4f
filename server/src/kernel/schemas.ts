import { type Static, type TObject, type TSchema, Type } from 'typebox'
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
  Type.Unsafe<Static<T> | null>(
    refinedAs(schema, {
      ...schema,
      type: [(schema as { type?: string }).type ?? 'string', 'null'],
      ...('enum' in schema ? { enum: [...(schema.enum as unknown[]), null] } : {}),
    }),
  )

/** The copy with the refinements of the schema, which a spread leaves out. */
const refinedAs = (schema: object, copy: TSchema): TSchema =>
  '~refine' in schema ? Object.defineProperty(copy, '~refine', { value: schema['~refine'] }) : copy

export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, milliseconds.' })

/** Whether this is a day of the calendar, of the years 1 to 9999. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return false
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}
Format.Set('date', isDate)

/** A time of RFC 3339 as it is stored: UTC, milliseconds. A leap second is the first second of the next minute. */
export function isoTime(text: string): string {
  const upper = text.toUpperCase()
  const leap = upper.slice(17, 19) === '60'
  const ms = Date.parse(leap ? `${upper.slice(0, 17)}59${upper.slice(19)}` : upper)
  return new Date(leap ? ms + 1000 : ms).toISOString()
}

const { IsDateTime } = Format

/** Whether this is a time of RFC 3339 that in UTC is of the years 1 to 9999. */
const isTime = (text: string): boolean =>
  !text.includes('[') && IsDateTime(text) && /^(?!0000)\d{4}-/.test(isoTime(text))
Format.Set('date-time', isTime)

export const LocalDate = Type.String({ format: 'date', description: 'A day, as YYYY-MM-DD.' })

/** The pattern of a text without line breaks and tabs. */
export const oneLine = '^[^\\n\\t]*$'

/** An object of one of several kinds. The member `discriminator`, a constant in each of them, says which. */
export const variants = <const K extends readonly TObject[]>(
  discriminator: string,
  kinds: K,
  options: { title: string; description?: string },
) =>
  Type.Unsafe<Static<K[number]>>({
    ...options,
    type: 'object',
    oneOf: kinds,
    discriminator: { propertyName: discriminator },
    examples: kinds.flatMap((kind) => (kind as { examples?: object[] }).examples ?? []),
  })

/** The kinds of a schema that `variants` made, by the value of its discriminator; undefined for any other schema. */
export function variantsOf(
  schema: TSchema,
): { discriminator: string; kinds: ReadonlyMap<string, TObject> } | undefined {
  const { oneOf, discriminator } = schema as { oneOf?: TObject[]; discriminator?: { propertyName: string } }
  if (oneOf === undefined || discriminator === undefined) return undefined
  const { propertyName } = discriminator
  const valueOf = ({ properties }: TObject) =>
    (properties[propertyName] as { const?: string } | undefined)?.const ?? ''
  return { discriminator: propertyName, kinds: new Map(oneOf.map((kind) => [valueOf(kind), kind])) }
}

/** The response to a deletion. */
export const Removal = Type.Object({ id: Type.String(), deleted: Type.Boolean() }, { title: 'Removal' })

Format.Set('uri', (text) => URL.canParse(text) && !/\s/.test(text))

/** An absolute address of any scheme. */
export const Uri = (options: { maxLength: number; description: string }) =>
  Type.String({ format: 'uri', ...options })
