import type { TSchema } from 'typebox'
import type { Db, Reach } from './db/handles.ts'
import { isId } from './ids.ts'
import { anyReferences } from './schemas.ts'

/** The parts of a schema that may contain references; see `reference`. */
interface Schema {
  readonly type?: string | readonly string[]
  readonly 'x-references'?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

/** For a noun, finds those of these records that are in reach. Nouns that are missing are visible to every member. */
export type Reachable = Readonly<
  Record<string, (db: Db, ids: readonly string[]) => Promise<readonly string[]>>
>

/** A value, and the schema that says which of its parts are references. */
export interface Referring<T = unknown> {
  schema: TSchema
  value: T
}

interface Reader {
  reach: Reach
  reachable: Reachable
  lookups(): Db
}

/**
 * Withholds the IDs of records that the caller cannot see, because a request for such a record gets a 404: null where
 * the schema allows it, else the member or the item is left out. A record of one's own may name a colleague's client.
 * `read` reads where the records are that the caller has just written.
 */
export async function withholdReferences<T>(
  { reach, reachable, lookups }: Reader,
  all: readonly Referring<T>[],
  read: <R>(work: (db: Db) => Promise<R>) => Promise<R>,
): Promise<T[]> {
  const values = all.map(({ value }) => value)
  if (reach === 'all') return values
  const named = new Map<string, Set<string>>()
  for (const { schema, value } of all)
    replace(schema as Schema, value, (noun, id) => {
      named.set(noun, (named.get(noun) ?? new Set()).add(id))
      return true
    })
  const sought = [...named].filter(([noun]) => noun in reachable)
  if (sought.length === 0 && !named.has(anyNoun)) return values
  const found = await read((db) =>
    Promise.all(
      sought.map(async ([noun, ids]) => [noun, new Set(await reachable[noun]?.(db, [...ids]))] as const),
    ),
  )
  const seen = new Map(found)
  const unseen = new Set<string>()
  const ofAnyNoun = [...(named.get(anyNoun) ?? [])]
  for (const find of ofAnyNoun.length === 0 ? [] : Object.values(reachable)) {
    const [inReach, known] = await Promise.all([
      read((db) => find(db, ofAnyNoun)),
      find(lookups(), ofAnyNoun),
    ])
    for (const id of known) if (!inReach.includes(id)) unseen.add(id)
  }
  const isSeen = (noun: string, id: string) =>
    noun === anyNoun ? !unseen.has(id) : seen.get(noun)?.has(id) !== false
  return all.map(({ schema, value }) => replace(schema as Schema, value, isSeen) as T)
}

const anyNoun = anyReferences['x-references']

const gone = Symbol('an ID out of reach')

function replace(schema: Schema, value: unknown, keeps: (noun: string, id: string) => boolean): unknown {
  if (value === null || value === undefined || !refers(schema)) return value
  const noun = schema['x-references']
  const isNullable = [schema, ...alternativesOf(schema)].some(({ type = [] }) =>
    [type].flat().includes('null'),
  )
  const unseen = isNullable ? null : gone
  if (noun === anyNoun) return replaceAny(value, (id) => keeps(anyNoun, id))
  if (noun !== undefined) return typeof value !== 'string' || keeps(noun, value) ? value : unseen
  let chosen: unknown = value
  for (const one of alternativesOf(schema)) chosen = chosen === gone ? gone : replace(one, chosen, keeps)
  if (chosen === gone) return unseen
  if (Array.isArray(chosen)) {
    const { items } = schema
    return items === undefined
      ? chosen
      : chosen
          .map((one: unknown) => {
            const shown = replace(items, one, keeps)
            return isIncomplete(one, shown) ? gone : shown
          })
          .filter((one) => one !== gone)
  }
  if (typeof chosen !== 'object' || chosen === null || schema.properties === undefined) return chosen
  const copy: Record<string, unknown> = { ...chosen }
  for (const [name, one] of Object.entries(schema.properties)) {
    const shown = replace(one, copy[name], keeps)
    if (shown !== gone) {
      if (name in copy) copy[name] = shown
    } else delete copy[name]
  }
  return copy
}

/** Whether an item that is no record of its own, such as a participant, lacks whom it is about. */
const isIncomplete = (item: unknown, shown: unknown): boolean =>
  typeof item === 'object' &&
  item !== null &&
  typeof shown === 'object' &&
  shown !== null &&
  !('id' in item) &&
  Object.keys(shown).length < Object.keys(item).length

/** Leaves out IDs in lists, and replaces others with null. */
function replaceAny(value: unknown, keeps: (id: string) => boolean): unknown {
  if (typeof value === 'string') return !isId(value) || keeps(value) ? value : null
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value))
    return value.flatMap((one) => {
      const shown = replaceAny(one, keeps)
      return shown === null && one !== null ? [] : [shown]
    })
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaceAny(one, keeps)]))
}

const alternativesOf = ({ anyOf = [], allOf = [], oneOf = [] }: Schema) => [...anyOf, ...allOf, ...oneOf]

/** Those of these records, by noun and ID, that the caller cannot see. */
export async function findUnseen(
  { reach, reachable, db }: { reach: Reach; reachable: Reachable; db: Db },
  records: readonly { type: string; id: string }[],
): Promise<ReadonlySet<string>> {
  if (reach === 'all') return new Set()
  const nouns = Object.entries(Object.groupBy(records, ({ type }) => type))
  const unseen = nouns.map(async ([noun, named = []]) => {
    const ids = named.map(({ id }) => id)
    const seen = new Set((await reachable[noun]?.(db, ids)) ?? ids)
    return ids.filter((id) => !seen.has(id))
  })
  return new Set((await Promise.all(unseen)).flat())
}

/**
 * A patch of which nothing that the caller cannot see is lost: who sends back what they see changes nothing. Members that
 * are null only because the caller sees null there are left out, and entries of lists that the caller does not see keep
 * their places. `schema` is that of the patch, `before` the record as it is stored.
 */
export async function retainWithheld<P extends object>(
  reader: Reader,
  db: Db,
  { schema, patch, before }: { schema: TSchema; patch: P; before: object },
): Promise<P> {
  if (reader.reach === 'all') return patch
  const { properties = {} } = schema as Schema
  const stored = new Map<string, unknown>(Object.entries(before))
  const kept: Record<string, unknown> = Object.fromEntries(Object.entries(patch))
  for (const [name, value] of Object.entries(patch)) {
    const [own, of] = [stored.get(name), properties[name]]
    if (of === undefined || !refers(of)) continue
    const show = (all: readonly unknown[]) =>
      withholdReferences(
        reader,
        all.map((one) => ({ schema: of as TSchema, value: one })),
        (work) => work(db),
      )
    if (Array.isArray(own) && Array.isArray(value)) {
      const shown = await show(own.map((entry: unknown) => [entry]))
      const named = JSON.stringify(value)
      const hidden = own.map((entry: unknown, i) =>
        (shown[i] as unknown[]).length === 0 && !idsIn(entry).some((id) => named.includes(id)) ? [entry] : [],
      )
      kept[name] = hidden.reduce<unknown[]>((list, entry, i) => list.toSpliced(i, 0, ...entry), value)
    } else if (value === null && own !== null && (await show([own]))[0] === null) delete kept[name]
  }
  return kept as P
}

const idsIn = (entry: unknown): string[] =>
  [entry, ...Object.values(Object(entry) as object)].filter(
    (one) => typeof one === 'string' && isId(one),
  ) as string[]

const known = new WeakMap<Schema, boolean>()

/** Whether a schema has references. */
function refers(schema: Schema): boolean {
  const before = known.get(schema)
  if (before !== undefined) return before
  const { items, properties = {} } = schema
  const parts = [
    ...alternativesOf(schema),
    ...Object.values(properties),
    ...(items === undefined ? [] : [items]),
  ]
  const result = schema['x-references'] !== undefined || parts.some(refers)
  known.set(schema, result)
  return result
}
