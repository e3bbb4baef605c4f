import { default as addFormats } from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { enumsIn } from '#kernel/openapi/enums.ts'
import { endpoints, openApi, personEndpoints } from '../../src/api.ts'

type Json = Record<string, unknown>

interface Operation {
  operationId: string
  tags: string[]
  summary?: string
  description?: string
  security: Record<string, string[]>[]
  'x-read-only'?: true
  responses: Record<string, { content?: Record<string, { schema: Json }> }>
}

const document = openApi() as unknown as {
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json>; securitySchemes: Json }
}
const { components } = document

const all = [...endpoints, ...personEndpoints]
const operations = all.map((endpoint) => {
  const operation = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()]
  if (operation === undefined) throw new Error(`${endpoint.path} is missing.`)
  return { ...operation, endpoint, route: `${endpoint.method} ${endpoint.path}` }
})

/** Each object in a value, with its JSON pointer. */
function* nodesIn(value: unknown, at = '#'): Generator<[at: string, node: Json]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [at, value as Json]
  for (const [name, member] of Object.entries(value))
    yield* nodesIn(member, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
}

test('the document contains every endpoint, those for the signed-in person too', () => {
  const documented = Object.values(document.paths).flatMap((methods) => Object.keys(methods))
  expect(documented).toHaveLength(all.length)
})

test('every group of endpoints has a description and at least one endpoint', () => {
  expect(document.tags.filter(({ description }) => !/^[A-Z].+\.$/.test(description))).toEqual([])
  const used = new Set(operations.flatMap(({ tags }) => tags))
  expect([...used].toSorted()).toEqual(document.tags.map(({ name }) => name).toSorted())
})

test('every operation has a summary, and a description that says more', () => {
  const poor = operations.filter(
    ({ summary = '', description = '' }) => summary === '' || !/^\S.{15,}[.:]$/s.test(description),
  )
  expect(poor.map(({ route, description }) => [route, description])).toEqual([])
})

test('an operation has one success status, or the same body under each', () => {
  for (const { route, responses } of operations) {
    const bodies = Object.entries(responses).flatMap(([status, { content }]) =>
      status.startsWith('2') ? [JSON.stringify(content)] : [],
    )
    expect(new Set(bodies).size, route).toBe(1)
  }
})

test('every body of a request or a response is a named schema, except the document itself', () => {
  const inline = [...nodesIn(document.paths)].flatMap(([at, node]) => {
    const { schema } =
      (node['content'] as Record<string, { schema: Json }> | undefined)?.['application/json'] ?? {}
    const isError = /\/responses\/[45]/.test(at)
    return schema === undefined || '$ref' in schema || isError ? [] : [at]
  })
  expect(inline).toEqual(['#/~1openapi.json/get/responses/200'])
})

test('every enum of more than three values stands once', () => {
  const { schemas } = components
  const named = Object.values(schemas).filter((schema) => Array.isArray(schema['enum']))
  expect(named.length).toBeGreaterThan(50)
  const inline = [...enumsIn(document)].filter(
    (node) => !named.includes(node) && node.enum.filter((value) => value !== null).length > 3,
  )
  expect(inline).toEqual([])
})

test('every discriminator maps its values to the schemas of its kinds', () => {
  const several = [...nodesIn(document)].filter(([, node]) => 'discriminator' in node)
  expect(several.map(([at]) => at)).toContain('#/components/schemas/MessageDraft')
  for (const [at, { discriminator, oneOf }] of several) {
    const { propertyName, mapping } = discriminator as {
      propertyName: string
      mapping: Record<string, string>
    }
    expect(Object.values(mapping), at).toEqual((oneOf as { $ref: string }[]).map(({ $ref }) => $ref))
    for (const [value, $ref] of Object.entries(mapping)) {
      const kind = components.schemas[$ref.split('/').at(-1) ?? ''] as { properties: Record<string, Json> }
      expect(kind.properties[propertyName]?.['const'], at).toBe(value)
    }
  }
})

test('a POST that changes nothing is marked, and only that', () => {
  const marked = operations.filter((operation) => operation['x-read-only'] === true)
  expect(marked.map(({ operationId }) => operationId)).toContain('messages.preflight')
  expect(marked.map(({ endpoint }) => endpoint)).toEqual(all.filter(({ readOnly }) => readOnly === true))
  expect(marked.filter(({ endpoint }) => endpoint.method !== 'POST')).toEqual([])
})

test('security says which credentials the endpoint takes', () => {
  for (const { route, security, endpoint } of operations) {
    const { scope, sufficientScope, recentSignIn } = endpoint
    const held =
      scope === 'any' ? [[]] : [scope, ...(sufficientScope ? [sufficientScope] : [])].map((one) => [one])
    const expected =
      scope === 'person' || recentSignIn === true
        ? [{ session: [] }]
        : held.flatMap((scopes) => [{ apiKey: scopes }, { oauth2: scopes }])
    expect(security, route).toEqual(scope === 'public' ? [] : expected)
  }
  expect(Object.keys(components.securitySchemes)).toEqual(['apiKey', 'oauth2', 'session'])
})

describe('examples', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ;(addFormats as unknown as (target: Ajv2020) => void)(ajv)
  ajv.addSchema(document, 'document')

  /** The schema at the pointer, and the examples that it must match. */
  const examples = [...nodesIn(document)].flatMap(([at, node]): [at: string, example: unknown][] => {
    if (Array.isArray(node['examples'])) return node['examples'].map((example) => [at, example])
    return 'example' in node && 'schema' in node ? [[`${at}/schema`, node['example']]] : []
  })

  test('match their schemas', () => {
    expect(examples.length).toBeGreaterThan(200)
    const wrong = examples.flatMap(([at, example]) => {
      const validate = ajv.getSchema(`document${at.replaceAll('%', '%25')}`)
      if (validate === undefined) throw new Error(`There is no schema ${at}.`)
      return validate(example) === true ? [] : [`${at}: ${ajv.errorsText(validate.errors)}`]
    })
    expect(wrong).toEqual([])
  })
})
