import { type Static, type TObject, type TSchema, Type } from 'typebox'
import Format from 'typebox/format'
import { emailPattern } from './email-pattern.ts'

const email = new RegExp(emailPattern)

/**
 * Whether the API accepts the text as an email address. Addresses are ASCII, so folding their case gives the same
 * result everywhere.
 */
export const isEmail = (text: string): boolean => text.length <= 254 && email.test(text)
Format.Set('email', isEmail)

export const Email = Type.String({ format: 'email', description: 'At most 254 characters.' })

/** The schema, or null. Uses a list of types instead of alternatives, so that an issue is reported once and plainly. */
export const nullable = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>(
    refinedAs(schema, {
      ...schema,
      type: [(schema as { type?: string }).type ?? 'string', 'null'],
      ...('enum' in schema ? { enum: [...(schema.enum as unknown[]), null] } : {}),
    }),
  )

/** Copies the schema's refinements to the copy, because a spread omits them. */
const refinedAs = (schema: object, copy: TSchema): TSchema =>
  '~refine' in schema ? Object.defineProperty(copy, '~refine', { value: schema['~refine'] }) : copy

export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, milliseconds.' })

/** Whether the text is a calendar day, YYYY-MM-DD, in the years 1 to 9999. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return false
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}
Format.Set('date', isDate)

/**
 * Converts an RFC 3339 time to the stored form: UTC with milliseconds. A leap second becomes the first second of the
 * next minute.
 */
export function isoTime(text: string): string {
  const upper = text.toUpperCase()
  const leap = upper.slice(17, 19) === '60'
  const ms = Date.parse(leap ? `${upper.slice(0, 17)}59${upper.slice(19)}` : upper)
  return new Date(leap ? ms + 1000 : ms).toISOString()
}

const { IsDateTime } = Format

/** Whether the text is an RFC 3339 time that, in UTC, is in the years 1 to 9999. */
const isTime = (text: string): boolean =>
  !text.includes('[') && IsDateTime(text) && /^(?!0000)\d{4}-/.test(isoTime(text))
Format.Set('date-time', isTime)

export const LocalDate = Type.String({ format: 'date', description: 'A day, as YYYY-MM-DD.' })

/** Pattern of text without line breaks and tabs that is not blank: of every name. */
export const oneLine = '^(?=[^\\n\\t]*\\S)[^\\n\\t]*$'
export const oneLineRule = 'must be one line that is not blank'

/** An object of one of several kinds. The member `discriminator`, a constant in each kind, identifies the kind. */
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

/** The kinds of a schema made by `variants`, by their discriminator values. Undefined for any other schema. */
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

/** An absolute URI of any scheme. */
export const Uri = (options: { maxLength: number; description: string }) =>
  Type.String({ format: 'uri', ...options })

/** A part of any form, such as the earlier value of a field: each ID in it may be one of any noun. */
export const anyReferences = { 'x-references': 'any' } as const
