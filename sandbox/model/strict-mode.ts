interface SchemaNode {
  type?: unknown
  anyOf?: SchemaNode[]
  properties?: Record<string, SchemaNode>
  required?: string[]
  additionalProperties?: unknown
  items?: SchemaNode
}

/** Keywords that strict structured outputs don't support. */
const unknown = ['allOf', 'oneOf', 'not', 'if', 'patternProperties', 'prefixItems']

/**
 * What a real server would reject with a 400 in the schema of a strict `response_format`, or undefined if it is valid.
 * Every node needs a type or alternatives, and every object must require all of its properties and allow no others.
 */
export function faultInFormat(format: unknown): string | undefined {
  const { json_schema: { strict, schema } = {} } = (format ?? {}) as {
    json_schema?: { strict?: boolean; schema?: SchemaNode }
  }
  if (strict !== true) return undefined
  if (schema?.type !== 'object') return `In context=(), the schema must be of the type 'object'.`
  return faultIn(schema, [])
}

function faultIn(node: SchemaNode, path: readonly string[]): string | undefined {
  const context = `In context=(${path.map((part) => `'${part}'`).join(', ')})`
  const stray = unknown.find((keyword) => keyword in node)
  if (stray !== undefined) return `${context}, '${stray}' is not permitted.`
  if (node.anyOf !== undefined)
    return firstFault(node.anyOf.map((one, at) => [one, [...path, 'anyOf', `${at}`]]))
  if (node.type === undefined) return `${context}, schema must have a 'type' key.`
  if (node.type === 'array')
    return node.items === undefined
      ? `${context}, array schema missing items.`
      : faultIn(node.items, [...path, 'items'])
  if (node.type !== 'object') return undefined
  const { properties = {}, required = [], additionalProperties } = node
  if (additionalProperties !== false) return `${context}, 'additionalProperties' is required to be false.`
  const missing = Object.keys(properties).find((name) => !required.includes(name))
  if (missing !== undefined) return `${context}, 'required' must include every key. Missing '${missing}'.`
  return firstFault(Object.entries(properties).map(([name, one]) => [one, [...path, 'properties', name]]))
}

const firstFault = (nodes: [SchemaNode, string[]][]): string | undefined =>
  nodes.map(([node, path]) => faultIn(node, path)).find((fault) => fault !== undefined)
