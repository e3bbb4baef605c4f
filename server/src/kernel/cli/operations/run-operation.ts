import { CommanderError } from 'commander'
import type { Endpoint } from '../../http/endpoint.ts'
import { type ListBody, maxLimit } from '../../http/paging.ts'
import { isList } from '../../openapi/operation-ids.ts'
import type { CommandRuntime } from '../cli.ts'
import type { CommandOutput } from '../output.ts'
import { recordText, tableText } from '../presentation.ts'
import { readJson } from '../read-file.ts'
import { type MemberOptions, givenMembers } from './member-options.ts'
import type { Shape } from './option-value.ts'

export type Json = Record<string, unknown>

export interface ApiRequest<D = never> {
  endpoint: Endpoint<D>
  workspace: string | undefined
  /** The path with its ids, and the query string. */
  url: string
  body?: unknown
  headers: Readonly<Record<string, string>>
}

/** Sends a request as the operator, in this process. Throws the `AppError` of an error response. */
export type SendRequest<D> = (command: CommandRuntime, request: ApiRequest<D>) => Promise<Json>

/** The options that are no members of the query or body, among those that are. */
export interface Given extends Json {
  workspace?: string
  data?: string
  all?: true
  tail?: true
  pick?: string
  ifMatch?: string
  idempotencyKey?: string
}

export interface Operation {
  /** The arguments, in the order of the path. */
  ids: readonly string[]
  given: Given
  query: MemberOptions
  body: MemberOptions
  now: Date
}

/** Sends the request that the arguments and options describe, and formats the response. */
export async function runOperation<D>(
  endpoint: Endpoint<D>,
  send: (request: ApiRequest<D>) => Promise<Json>,
  { ids, given, query: queryOptions, body: bodyOptions, now }: Operation,
): Promise<CommandOutput> {
  const query = await givenMembers(queryOptions, given, now)
  const path = ids.reduce((text, id) => text.replace(/\{\w+\}/, encodeURIComponent(id)), endpoint.path)
  const request = {
    endpoint,
    workspace: given.workspace,
    ...(endpoint.body === undefined ? {} : { body: await bodyOf(bodyOptions, given, now) }),
    headers: headersOf(given),
  }
  const ask = (members: Json) => send({ ...request, url: withQuery(path, members) })
  const value = given.all === true ? await allPages(ask, query) : await ask(query)
  if (given.pick !== undefined) return picked(value, given.pick)
  return isList(endpoint)
    ? listed(value as unknown as ListBody<Json>, query['fields'])
    : single(endpoint, value)
}

/** The part of the response at a path such as `data.0.definition`, as JSON for a file. */
function picked(response: Json, path: string): CommandOutput {
  const value = path
    .split('.')
    .reduce<unknown>((part, name) => (part as Json | null | undefined)?.[name], response)
  if (value === undefined) throw new CommanderError(2, 'gable.pick', `The response has no ${path}`)
  return { value, text: JSON.stringify(value, null, 2) }
}

/** Every page, as one list. */
export async function allPages(ask: (members: Json) => Promise<Json>, query: Json): Promise<Json> {
  const data: unknown[] = []
  let page = await ask({ limit: maxLimit, ...query })
  for (;;) {
    data.push(...(page['data'] as unknown[]))
    const { next_cursor: cursor } = page
    if (cursor === null) return { ...page, data }
    page = await ask({ limit: maxLimit, ...query, cursor })
  }
}

function listed(list: ListBody<Json>, fields: unknown): CommandOutput {
  const { data, has_more: hasMore, next_cursor: cursor } = list
  const named = typeof fields === 'string' ? fields.split(',') : undefined
  return {
    value: list,
    text: data.length === 0 ? 'There are none.' : tableText(data, named),
    notice: hasMore ? `There are more: --all, or --cursor ${cursor}` : undefined,
  }
}

const single = (endpoint: Endpoint, value: Json): CommandOutput => ({
  value,
  text: isDocument(endpoint) ? JSON.stringify(value, null, 2) : recordText(value),
  notice: endpoint.returnsSecret === true ? 'A secret is shown only now.' : undefined,
})

/** Whether the response is a file or a schema, which people read as JSON. */
const isDocument = ({ attachment, responses }: Endpoint) =>
  attachment !== undefined ||
  Object.values(responses).every((schema) => Object.keys((schema as Shape).properties ?? {}).length === 0)

async function bodyOf(options: MemberOptions, given: Given, now: Date): Promise<unknown> {
  const readsSecret = [...options.values()].some(
    ({ option, shape }) => shape.writeOnly === true && given[option.attributeName()] !== undefined,
  )
  if (given.data === '-' && readsSecret)
    throw new CommanderError(2, 'gable.stdin', 'Standard input cannot be both the body and a secret.')
  const data = given.data === undefined ? {} : await readJson(given.data)
  const members = await givenMembers(options, given, now)
  return Object.keys(members).length === 0 ? data : { ...(data as object), ...members }
}

/** A version is `updated_at`; as an ETag, it is quoted. */
const headersOf = ({ ifMatch, idempotencyKey }: Given): Record<string, string> => ({
  ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  ...(ifMatch === undefined ? {} : { 'if-match': /^["*]/.test(ifMatch) ? ifMatch : `"${ifMatch}"` }),
})

export function withQuery(path: string, query: Readonly<Json>): string {
  const entries = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries).toString()}`
}
