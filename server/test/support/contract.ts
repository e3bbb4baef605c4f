import { default as addFormats } from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { apiBase, endpoints, openApi, personEndpoints } from '../../src/api.ts'

type Json = Record<string, unknown>

/** Headers that only some of an endpoint's responses have. */
const conditional: ReadonlySet<string> = new Set([
  'X-Cursor-Reset',
  'Idempotency-Replayed',
  'Gable-Test-Mode',
])

/** The published document, made strict: a response must not contain members that the document does not name. */
const document = strict(structuredClone(openApi())) as Json
const ajv = new Ajv2020({ strict: false, allErrors: true })
;(addFormats as unknown as (target: Ajv2020) => void)(ajv)
ajv.addSchema(document, 'whole')
ajv.addSchema(relaxed(structuredClone(document)) as Json, 'masked')

const routes = [...endpoints, ...personEndpoints].map((endpoint) => ({
  ...endpoint,
  pattern: new RegExp(`^${apiBase}${endpoint.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

/** The endpoint of a request. `path` is the URL's path. */
const routeOf = (method: string, path: string) =>
  routes.find((one) => one.method === method && one.pattern.test(path))

/** Whether a request requires a person who has just signed in. `path` is relative to the API's base. */
export const requiresSignIn = (method: string, path: string): boolean =>
  routeOf(method, apiBase + path.split('?', 1)[0])?.recentSignIn === true

/** Throws unless the OpenAPI document declares this response to the request. */
export function assertAnnounced(
  method: string,
  url: string,
  status: number,
  headers: Headers,
  body: unknown,
): void {
  const { pathname, searchParams } = new URL(url)
  const route = routeOf(method, pathname)
  const where = `${method} ${pathname} → ${status}`
  if (route === undefined) return assertError(where, headers, body)
  const at = `/paths/${route.path.replaceAll('/', '~1')}/${method.toLowerCase()}/responses/${status}`
  const announced = resolve(at)
  if (announced === undefined) throw new Error(`${where} is not announced.`)
  for (const name of Object.keys((announced.value['headers'] as Json | undefined) ?? {})) {
    if (!conditional.has(name) && !headers.has(name)) throw new Error(`${where} lacks the header ${name}.`)
  }
  const version = searchParams.has('fields') ? 'masked' : 'whole'
  assertSchema(where, `${version}#${announced.at}/content/application~1json/schema`, body)
}

function assertError(where: string, headers: Headers, body: unknown): void {
  if (!headers.has('x-request-id')) throw new Error(`${where} lacks the header X-Request-Id.`)
  assertSchema(where, 'whole#/components/schemas/Error', body)
}

function assertSchema(where: string, reference: string, body: unknown): void {
  const validate = ajv.getSchema(reference)
  if (validate === undefined) throw new Error(`There is no schema ${reference}.`)
  if (validate(body) !== true) {
    throw new Error(
      `${where} is not as announced: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body)}`,
    )
  }
}

/** The value at a JSON pointer, with references followed. */
function resolve(at: string): { at: string; value: Json } | undefined {
  const value = at
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => (node as Json | undefined)?.[key.replaceAll('~1', '/')], document) as
    | Json
    | undefined
  if (value === undefined) return undefined
  const reference = value['$ref']
  return typeof reference === 'string' ? resolve(reference.slice(1)) : { at, value }
}

function strict(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node
  for (const member of Object.values(node)) strict(member)
  const schema = node as Json
  const properties = schema['properties']
  if (
    schema['type'] === 'object' &&
    typeof properties === 'object' &&
    Object.keys(properties ?? {}).length > 0
  ) {
    schema['additionalProperties'] ??= false
  }
  return node
}

/** The schema under a field mask: of a record, only `id` is required. */
function relaxed(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node
  for (const member of Object.values(node)) relaxed(member)
  const required = (node as Json)['required']
  if (Array.isArray(required) && required.includes('id')) (node as Json)['required'] = ['id']
  return node
}
