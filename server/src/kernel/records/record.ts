import { isDeepStrictEqual } from 'node:util'
import {
  type TObject,
  type TObjectOptions,
  type TProperties,
  type TSchema,
  type TUnsafe,
  Type,
} from 'typebox'
import { type Sql, raw } from '../db/sql.ts'
import { type Issue, ValidationFailed } from '../errors.ts'
import { idPattern, newId } from '../ids.ts'
import type { Annotated } from '../masking/masked.ts'
import { mask } from '../masking/masker.ts'
import { Timestamp, isoTime, nullable } from '../schemas.ts'
import { columnName } from './columns.ts'
import type { DraftOf, Field, Fields, PatchOf, RowOf, ShownOf } from './fields.ts'

interface Spec<F extends Fields> {
  readonly fields: F
  /** A valid draft. The published examples and the contract tests are based on it. */
  readonly example: DraftOf<F>
  /** Members of the response example that differ from the draft, such as masked values. */
  readonly shownExample?: Partial<ShownOf<F>>
  readonly patchExample: PatchOf<F>
  /** Checks rules that involve several fields. They apply to every record that is created or changed. */
  readonly check?: (record: RowOf<F>) => Issue[]
}

/** Everything that follows from a record's fields. */
export interface RecordType<F extends Fields> {
  /** The title in the API reference: `Contact`. */
  readonly name: string
  /** Schemas of `POST` and `PATCH` bodies, of responses, and of rows. */
  readonly Draft: TUnsafe<DraftOf<F>>
  readonly Patch: TUnsafe<PatchOf<F>>
  readonly Record: TUnsafe<ShownOf<F>>
  readonly Row: TUnsafe<RowOf<F>>
  /** Some members of the response, with an example. For events. */
  part<const N extends keyof ShownOf<F> & string>(
    names: readonly N[],
    options?: TObjectOptions,
  ): { data: TObject<{ [K in N]: TUnsafe<ShownOf<F>[K]> }>; example: Pick<ShownOf<F>, N> }
  /** The columns, for `select` lists. */
  readonly columns: Sql
  /** The columns of an aliased table: `columnsOf('c')`. */
  columnsOf(alias: string): Sql
  /** The row with the fields masked that are declared as personal. */
  mask(row: RowOf<F>): RowOf<F>
  /** Creates a record from a draft. Throws `ValidationFailed` if a check finds an issue. */
  create(draft: DraftOf<F>, at: Date): RowOf<F>
  /**
   * Applies the patch. Returns the new record and the columns that changed, or undefined if nothing changes. Throws
   * `ValidationFailed` if a check finds an issue. `updated_at` always increases, so it identifies a version.
   */
  applyPatch(before: RowOf<F>, patch: Changes<F>, at: Date): Patched<RowOf<F>> | undefined
}

/** A patch, plus changes that the server makes along with it. */
type Changes<F extends Fields> = PatchOf<F> & Partial<Omit<RowOf<F>, 'id' | 'created_at' | 'updated_at'>>

export interface Patched<Row> {
  after: Row
  /** The columns to write: those that changed, and `updated_at`. */
  changed: Partial<Row>
}

const exampleId = 'cmi8h2k5p0001zq8r4t6w9x3y'
const exampleTime = '2026-11-20T20:11:04.817Z'

/** Declares a record. Its schemas, rows, and columns all follow from its fields. */
export function defineRecord<const F extends Fields>(
  name: string,
  { fields, example, shownExample, patchExample, check }: Spec<F>,
): RecordType<F> {
  const all = Object.entries(fields) as [string, Field][]
  const initial = Object.fromEntries(all.map(([key, field]) => [key, field.initial]))
  const names = ['id', ...Object.keys(fields), 'created_at', 'updated_at']
  const columns = names.map(columnName)
  const shown = all.filter(([, { places }]) => places.shown)
  const normalized = (values: object) =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => {
        const field = fields[key] as Field | undefined
        const isTime =
          typeof value === 'string' &&
          (field?.schema as { format?: string } | undefined)?.format === 'date-time'
        const plain = isTime ? isoTime(value) : value
        return [key, field?.normalize === undefined ? plain : field.normalize(plain)]
      }),
    )
  function requireValid(record: RowOf<F>): void {
    const issues = check?.(record) ?? []
    if (issues.length > 0) throw ValidationFailed(issues)
  }

  const Draft = unsafe<DraftOf<F>>(
    Object.fromEntries(
      all
        .filter(([, { places }]) => places.draft !== 'absent')
        .map(([key, { schema, places }]) => [
          key,
          places.draft === 'required' ? schema : Type.Optional(schema),
        ]),
    ),
    { title: `${name}Draft`, additionalProperties: false, examples: [example] },
  )
  const Patch = unsafe<PatchOf<F>>(
    Object.fromEntries(
      all
        .filter(([, { places }]) => places.patch)
        .map(([key, field]) => [key, Type.Optional(orNull(field, field.schema))]),
    ),
    {
      title: `${name}Patch`,
      additionalProperties: false,
      description: 'Fields that you omit keep their values. `null` clears a field.',
      examples: [patchExample],
    },
  )
  const responses: Record<string, TSchema> = {
    id: Type.String({ pattern: idPattern }),
    ...Object.fromEntries(
      shown.map(([key, field]) => [
        key,
        orNull(field, readable(field.shown ?? field.stored ?? field.schema)),
      ]),
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  }
  const recordExample: Record<string, unknown> = {
    id: exampleId,
    ...initial,
    ...mask(Draft, example),
    ...shownExample,
    created_at: exampleTime,
    updated_at: exampleTime,
  }
  const part = (members: readonly string[], options: TObjectOptions = {}) => {
    const of = (values: Record<string, unknown>) =>
      Object.fromEntries(members.map((key) => [key, values[key]]))
    const shownAs = of(recordExample)
    const data = Type.Object(of(responses) as TProperties, { ...options, examples: [shownAs] })
    return { data, example: shownAs }
  }
  const { data: Shown } = part(Object.keys(responses), { title: name })
  published.add(Shown)
  // Check a patch as if it were applied to a record created from the example draft.
  for (const schema of [Draft, Patch])
    checks.set(
      schema,
      (body) => check?.({ ...recordExample, ...example, ...normalized(body) } as never) ?? [],
    )

  const Row = unsafe<RowOf<F>>(
    {
      id: Type.String(),
      ...Object.fromEntries(
        all.map(([key, field]) => [key, orNull(field, stored(field.stored ?? field.schema))]),
      ),
      created_at: Type.String(),
      updated_at: Type.String(),
    },
    {},
  )
  return {
    name,
    Draft,
    Patch,
    Record: Shown as unknown as TUnsafe<ShownOf<F>>,
    part: part as unknown as RecordType<F>['part'],
    Row,
    mask: (row) => mask(Row, row),
    columns: raw(columns.join(', ')),
    columnsOf: (alias) => raw(columns.map((each) => `${alias}.${each}`).join(', ')),
    create(draft, at) {
      const time = at.toISOString()
      const values = normalized({ ...initial, ...draft })
      const record = { id: newId(at), ...values, created_at: time, updated_at: time } as unknown as RowOf<F>
      requireValid(record)
      return record
    },
    applyPatch(before, patch, at) {
      const entries = Object.entries(normalized(patch))
      const changed = Object.fromEntries(
        entries.filter(([key, value]) => !isDeepStrictEqual((before as Record<string, unknown>)[key], value)),
      )
      if (Object.keys(changed).length === 0) return undefined
      const written = { ...changed, updated_at: timeAfter(before.updated_at, at) } as Partial<RowOf<F>>
      const after = { ...before, ...written }
      requireValid(after)
      return { after, changed: written }
    },
  }
}

const published = new WeakSet<TSchema>()

/** Whether a schema is the response schema of a record. */
export const isRecordSchema = (schema: TSchema): boolean => published.has(schema)

const checks = new WeakMap<TSchema, (body: object) => Issue[]>()

/** Applies a record's checks for its `Draft` or `Patch` to an extended body as well. */
export function checkAlike(schema: TSchema, extended: TSchema): void {
  const check = checks.get(schema)
  if (check !== undefined) checks.set(extended, check)
}

/**
 * The issues that a record's checks find in a body of its `Draft` or `Patch`, if the rest of the record is its
 * example.
 */
export const issuesOfExample = (schema: TSchema, body: object): Issue[] => checks.get(schema)?.(body) ?? []

/** The time, or one millisecond after the previous version if the clock has not advanced past it. */
export const timeAfter = (before: string, at: Date): string =>
  new Date(Math.max(at.getTime(), Date.parse(before) + 1)).toISOString()

const unsafe = <T>(properties: Record<string, TSchema>, options: TObjectOptions) =>
  Type.Object(properties, options) as unknown as TUnsafe<T>

const limits = new Set([
  'maxLength',
  'minLength',
  'pattern',
  'format',
  'description',
  'examples',
  'minItems',
  'maxItems',
])

const orNull = (field: Field, schema: TSchema): TSchema => (field.nullable ? nullable(schema) : schema)

const without = (schema: TSchema, left: ReadonlySet<string>): TSchema =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !left.has(name)))

/** The schema without its limits on input, because rows may be older than a limit. */
const stored = (schema: TSchema) => without(schema, limits)

const forms = new Set(['format', 'pattern'])

/** The schema in responses: a mask does not have the format of the value that it hides. */
const readable = (schema: TSchema & Annotated) =>
  [undefined, 'hidden'].includes(schema['x-masked']) ? schema : without(schema, forms)
