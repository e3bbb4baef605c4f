import type { Endpoint } from '#kernel/http/endpoint.ts'
import { querySchema } from '#kernel/http/query-string.ts'
import { variantsOf } from '#kernel/schemas.ts'
import { fixtures } from '#test/support/all-fixtures.ts'
import type { TestWorkspace } from '#test/support/app.ts'
import type { Client, Response } from '#test/support/client.ts'
import type { TestClock } from '#test/support/clock.ts'
import { type ListFixture, idOf } from '#test/support/fixtures.ts'
import { endpoints } from '../../src/api.ts'
import type { Schema } from './hostile-values.ts'

/** The path up to its last id: the path of the record. */
export const prefixOf = (path: string) => path.slice(0, path.lastIndexOf('}') + 1)

export const takesId = ({ path }: Endpoint) => path.includes('{')

const examples = new Map(
  endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, bodyFor(endpoint)] as const),
)

/**
 * How to create a record whose ids a path takes: by its fixture, or else by `POST` to its collection with the
 * example.
 */
function creation(prefix: string): (agent: Client) => Promise<string[]> {
  const collection = prefix.slice(0, prefix.lastIndexOf('/'))
  const create =
    fixtures.records[prefix] ??
    (examples.has(`POST ${collection}`) && !collection.includes('{')
      ? async (agent: Client) => [idOf(await agent.post(collection, examples.get(`POST ${collection}`)))]
      : undefined)
  if (create === undefined) throw new Error(`No record is made for ${prefix}: it wants a fixture.`)
  return create
}

/** How rows get into a list: by its fixture, or else by `POST` to the list with the example. */
export function listFixture(path: string): ListFixture {
  const declared = fixtures.lists[path]
  if (declared !== undefined) return declared
  const body = examples.get(`POST ${path}`)
  if (body === undefined) throw new Error(`No row is made for ${path}: it wants a fixture.`)
  let days = 0
  return {
    ...(path.includes('{')
      ? { parent: async (agent) => (await creation(prefixOf(path))(agent)).at(-1) ?? '' }
      : {}),
    // Each row is a day earlier than the previous one, so that the order by time is not the order of creation.
    insert: async (agent, parent) =>
      idOf(await agent.post(path.replace('{id}', parent), earlier(body, days++))),
    ...(examples.has(`DELETE ${path}/{id}`)
      ? { remove: (agent, row) => agent.delete(`${path}/${row}`) }
      : {}),
  }
}

const dayMs = 24 * 60 * 60 * 1000

/** The body with all its times moved back by this many days. */
const earlier = (body: Record<string, unknown>, days: number) =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)
        ? new Date(Date.parse(value) - days * dayMs).toISOString()
        : value,
    ]),
  )

/** Creates one record of each kind that the paths of these endpoints name. Returns their ids by path prefix. */
export async function makeRecords(
  agent: Client,
  of: readonly Endpoint[] = endpoints,
): Promise<ReadonlyMap<string, string[]>> {
  await agent.workspace?.owner()
  const prefixes = new Set(of.filter(takesId).map(({ path }) => prefixOf(path)))
  await Promise.all(of.map((endpoint) => ready(endpoint, agent)))
  const made = [...prefixes].map(async (prefix) => [prefix, await creation(prefix)(agent)] as const)
  return new Map(await Promise.all(made))
}

/** Prepares the client's workspace for the endpoint's valid request. */
const ready = async ({ method, path }: Endpoint, agent: Client) =>
  fixtures.ready[`${method} ${path}`]?.(agent)

/**
 * The endpoint's path with the ids of a new record. Also makes sure that the workspace has an owner who can sign in.
 */
export async function pathToNew(endpoint: Endpoint, agent: Client): Promise<string> {
  await agent.workspace?.owner()
  await ready(endpoint, agent)
  const path = takesId(endpoint)
    ? pathTo(endpoint, await creation(prefixOf(endpoint.path))(agent))
    : endpoint.path
  await readyAgain(endpoint, path)
  return path
}

/** Whether the same request succeeds again only after preparation. */
export const needsReset = ({ method, path }: Endpoint) => `${method} ${path}` in fixtures.reset

/** Prepares the record in the path for the same request again, if that needs preparation. */
export async function readyAgain({ method, path }: Endpoint, made: string): Promise<void> {
  const at = path.split('/').findLastIndex((segment) => segment.startsWith('{'))
  await fixtures.reset[`${method} ${path}`]?.(made.split('/')[at] ?? '')
}

/** The endpoint's path with these ids, or with one id in every place. */
export function pathTo({ path }: Endpoint, ids: string | readonly string[]): string {
  const left = typeof ids === 'string' ? [] : [...ids]
  return path.replaceAll(/\{\w+\}/g, () => (typeof ids === 'string' ? ids : (left.shift() ?? '')))
}

/** The endpoint's path with the ids of one of the records. */
export function pathWithin(endpoint: Endpoint, made: ReadonlyMap<string, string[]>): string {
  return takesId(endpoint) ? pathTo(endpoint, idsWithin(endpoint, made)) : endpoint.path
}

/** The ids of one of the records that match the endpoint's path. */
export function idsWithin({ path }: Endpoint, made: ReadonlyMap<string, string[]>): string[] {
  const ids = made.get(prefixOf(path))
  if (ids === undefined) throw new Error(`No record is made for ${path}.`)
  return ids
}

/**
 * Creates a record to which a parameter or a field of this schema may refer: by its fixture, or else a record of that
 * name.
 */
export async function makeReferent(name: string, schema: Schema, workspace: TestWorkspace): Promise<string> {
  const noun = schema['x-references'] ?? name.replace(/_id$/, '')
  const make = fixtures.referents[noun]
  if (make !== undefined) return make(workspace)
  const [id = ''] = await creation(`/${noun.replaceAll('_', '-')}s/{id}`)(await workspace.credential())
  return id
}

/** A valid body: the example in the schema. Undefined if the endpoint takes no body. */
export function bodyFor({ method, path, body }: Endpoint): Record<string, unknown> | undefined {
  if (body === undefined) return undefined
  const [example] = (body as { examples?: Record<string, unknown>[] }).examples ?? []
  if (example === undefined) throw new Error(`The body of ${method} ${path} has no example.`)
  return example
}

/** The valid body with this member, without the members that it excludes. */
export function bodyWith(endpoint: Endpoint, name: string, value: unknown): Record<string, unknown> {
  const alternatives = fixtures.alternatives[`${endpoint.method} ${endpoint.path}`] ?? []
  const excluded = new Set(alternatives.includes(name) ? alternatives : [])
  const kept = Object.entries(bodyFor(endpoint) ?? {}).filter(([other]) => !excluded.has(other))
  return { ...Object.fromEntries(kept), [name]: value }
}

/** Sends the endpoint's valid request to one of its paths. */
export const ask = (
  client: Client,
  endpoint: Endpoint,
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> => client.request(endpoint.method, path, { body: bodyFor(endpoint), headers })

/** The schema as JSON. */
export const plain = (schema: object): Schema => JSON.parse(JSON.stringify(schema)) as Schema

/** Splits an endpoint whose body has several kinds into one endpoint per kind. Returns any other endpoint as it is. */
export function kindsOf(endpoint: Endpoint): (Endpoint & { kind?: string })[] {
  const several = endpoint.body && variantsOf(endpoint.body)
  return several === undefined
    ? [endpoint]
    : [...several.kinds].map(([kind, body]) => ({ ...endpoint, body, kind }))
}

/** Schemas of a body's members, by name. */
export function membersOf({ method, path, body }: Endpoint): [string, Schema][] {
  if (body === undefined) return []
  const { properties } = plain(body)
  if (properties === undefined)
    throw new Error(`The members of the body of ${method} ${path} are not to be seen.`)
  return Object.entries(properties)
}

/** Schemas of the query parameters, by name. */
export const parametersOf = (endpoint: Endpoint): [string, Schema][] =>
  Object.entries(plain(querySchema(endpoint)).properties ?? {})

const groupSize = 25

/**
 * Does the same work with each item, a group at a time. Advances the clock by a minute per group, so that no key gets
 * near its rate limit. Returns the results in the order of the items.
 */
export async function inGroups<T, R>(
  clock: TestClock,
  items: Iterable<T>,
  work: (item: T) => Promise<R>,
  size = groupSize,
): Promise<R[]> {
  const results: R[] = []
  const waiting = [...items]
  while (waiting.length > 0) {
    clock.advance(60_000)
    results.push(...(await Promise.all(waiting.splice(0, size).map(work))))
  }
  return results
}
