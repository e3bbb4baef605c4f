type Json = Record<string, unknown>

/** A schema that lists its values. */
type Enum = Json & { enum: unknown[] }

/**
 * Names the enums of a document: a title makes it a component of that name, and every enum with the same values becomes
 * a reference to it, nullable or not. Throws if two enums share a title, or two titles the same values.
 */
export function nameEnums(document: Json & { components: Json & { schemas: Json } }): Json {
  const names = new Map<string, string>()
  const schemas: Json = {}
  for (const node of enumsIn(document)) {
    const { title } = node
    if (typeof title !== 'string') continue
    const named = names.get(keyOf(node)) ?? title
    if (named !== title) throw new Error(`An enum is named ${title}, and also ${named}.`)
    if (title in schemas !== names.has(keyOf(node))) throw new Error(`Two enums are named ${title}.`)
    names.set(keyOf(node), title)
    schemas[title] = { type: 'string', enum: valuesOf(node) }
  }
  const named = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(named)
    if (typeof value !== 'object' || value === null) return value
    const name = isEnum(value) ? names.get(keyOf(value)) : undefined
    if (name === undefined)
      return Object.fromEntries(
        Object.entries(value).map(([key, member]) => [key, isData(key) ? member : named(member)]),
      )
    const { enum: values, type: _, title: __, ...rest } = value as Enum
    const reference = { $ref: `#/components/schemas/${name}` }
    return values.includes(null)
      ? { anyOf: [reference, { type: 'null' }], ...rest }
      : { ...reference, ...rest }
  }
  const { components, ...rest } = named(document) as typeof document
  return { ...rest, components: { ...components, schemas: { ...components.schemas, ...schemas } } }
}

/** Every enum in the document, in its order. */
export function* enumsIn(value: unknown): Generator<Enum> {
  if (typeof value !== 'object' || value === null) return
  if (isEnum(value)) yield value
  for (const [name, member] of Object.entries(value)) if (!isData(name)) yield* enumsIn(member)
}

const isEnum = (value: object): value is Enum => Array.isArray((value as Json)['enum'])

/** Members with values that only look like schemas. */
const isData = (name: string) => name === 'examples' || name === 'example'

const valuesOf = ({ enum: values }: Enum) => values.filter((value) => value !== null)

const keyOf = (node: Enum) => JSON.stringify(valuesOf(node).toSorted())
